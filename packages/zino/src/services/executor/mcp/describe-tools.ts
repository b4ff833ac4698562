// Describes the tools of a server for the prompt: one short line each, because every prompt holds them.
import { cutToBytes } from '@zee/core/bounded'
import { oneLine } from '@zee/core/errors'
import { isObject } from '@zee/core/json'
import type { Connection } from '@zee/mcp'
import type { ServerTool } from '../../../definitions/definitions.ts'

type ListedTool = Awaited<ReturnType<Connection['listTools']>>[number]

export interface DescribedTools {
  described: { offer: ServerTool; tool: string }[]
  notices: string[]
}

const maxTools = 64
const maxDescriptionBytes = 300
const maxArgumentsBytes = 1000

export async function describeTools(
  server: string,
  listed: readonly ListedTool[],
): Promise<DescribedTools> {
  const { nameForModel } = await import('@zee/mcp')
  const usedNames = new Set<string>()
  const sorted = [...listed].sort((one, other) => (one.name < other.name ? -1 : 1))
  const described = sorted.slice(0, maxTools).map((tool) => ({
    tool: tool.name,
    offer: {
      name: nameForModel(server, tool.name, usedNames),
      description: shortText(tool.description ?? tool.title ?? tool.name, maxDescriptionBytes),
      arguments: shortText(describeObject(tool.inputSchema), maxArgumentsBytes),
    },
  }))
  const notices =
    listed.length > maxTools
      ? [`MCP server ${server} has ${listed.length} tools, of which ${maxTools} are offered`]
      : []
  return { described, notices }
}

/** `{"path": string, "head"?: number}` */
function describeObject(schema: unknown, depth = 0): string {
  const { properties, required } = isObject(schema) ? schema : {}
  if (!isObject(properties)) return '{}'
  const needed = new Set(Array.isArray(required) ? required : [])
  const parts = Object.entries(properties).map(
    ([name, value]) =>
      `${JSON.stringify(name)}${needed.has(name) ? '' : '?'}: ${describeType(value, depth + 1)}`,
  )
  return `{${parts.join(', ')}}`
}

function describeType(schema: unknown, depth: number): string {
  if (!isObject(schema)) return 'any'
  if (Array.isArray(schema.enum)) {
    return schema.enum.map((value: unknown) => JSON.stringify(value)).join('|')
  }
  if (schema.type === 'array') return `[${describeType(schema.items, depth)}]`
  if (schema.type === 'object' && depth < 3) return describeObject(schema, depth)
  return typeof schema.type === 'string' ? schema.type : 'any'
}

function shortText(text: string, maxBytes: number): string {
  const line = oneLine(text)
  const { text: kept, truncated } = cutToBytes(line, maxBytes)
  return truncated ? `${kept}...` : line
}
