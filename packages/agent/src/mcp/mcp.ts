// Offers the allowed tools of MCP servers as tools of a turn, with the same limits and envelopes as
// built-in tools. Importing this module loads the MCP SDK, so zdx imports it only if a conversation
// uses a server.
import type { Tool as ServerTool } from '@modelcontextprotocol/client'
import { cutToBytes } from '@zee/core/bounded'
import { oneLine, reasonOf } from '@zee/core/errors'
import { failure } from '../envelope/envelope.ts'
import type { ExternalTool } from '../tools/tools.ts'
import type { GatheredTools } from '../turn/turn.ts'
import { resultEnvelope } from './call-result.ts'
import type { CallLimits, ClientInfo, ServerSpec } from '@zee/mcp'
import { Connection, nameForModel } from '@zee/mcp'
import type { ServerOffer } from './offers.ts'
import { listOffer, promptTextOf, resourceTextOf } from './offers.ts'
export type { ServerOffer } from './offers.ts'

export interface AllowedServer extends ServerSpec {
  /** Names of the tools to offer; all tools if undefined. */
  only: ReadonlySet<string> | undefined
}

export interface ServerTools {
  /** Starts servers that are not running and returns their tools; retries failed servers next time. */
  gather(limits: CallLimits): Promise<GatheredTools>
  /** Prompts and resources of the servers; the reason for a server that fails. */
  offers(limits: CallLimits): Promise<(ServerOffer | { failure: string })[]>
  /** The text of a prompt or, for a URI, of a resource. Throws for an unknown server. */
  textOf(
    server: string,
    name: string,
    values: Readonly<Record<string, string>>,
    limits: CallLimits,
  ): Promise<string>
  /** Stops every server. */
  close(): Promise<void>
}

/** Every request includes all tools, so their number and size are limited. */
const maxTools = 128
const maxSchemaBytes = 64 * 1024
const maxDescriptionBytes = 4 * 1024

interface OfferedTools {
  tools: ExternalTool[]
  notices: string[]
}

export function openServerTools(
  servers: readonly AllowedServer[],
  client: ClientInfo,
): ServerTools {
  const connections = servers.map((server) => ({
    server,
    connection: new Connection(server, client),
  }))
  const offeredBy = new Map<Connection, OfferedTools>()
  const usedNames = new Set<string>()
  return {
    gather: async (limits) => {
      const notices: string[] = []
      const missing = connections.filter(({ connection }) => !offeredBy.has(connection))
      const listed = await Promise.all(
        missing.map(({ connection }) =>
          connection.listTools(limits).catch((error: unknown) => ({ failure: reasonOf(error) })),
        ),
      )
      limits.signal.throwIfAborted()
      for (const [index, { server, connection }] of missing.entries()) {
        const tools = listed[index] ?? []
        if ('failure' in tools) {
          notices.push(`${tools.failure}; its tools are not offered`)
          continue
        }
        const offered = offerTools(server, connection, tools, usedNames)
        offeredBy.set(connection, offered)
        notices.push(...offered.notices)
      }
      // In configuration order, so that requests share a cacheable prefix.
      const tools = connections.flatMap(({ connection }) => offeredBy.get(connection)?.tools ?? [])
      return { tools, notices }
    },
    offers: (limits) =>
      Promise.all(
        connections.map(({ connection }) =>
          listOffer(connection, limits).catch((error: unknown) => ({ failure: reasonOf(error) })),
        ),
      ),
    textOf: async (name, what, values, limits) => {
      const named = connections.find(({ server }) => server.name === name)
      if (named === undefined) throw new Error(`there is no MCP server '${oneLine(name)}'`)
      return what.includes('://')
        ? resourceTextOf(named.connection, what, limits)
        : promptTextOf(named.connection, what, values, limits)
    },
    close: async () => {
      await Promise.all(connections.map(({ connection }) => connection.close()))
    },
  }
}

function offerTools(
  { name, only }: AllowedServer,
  connection: Connection,
  listed: readonly ServerTool[],
  usedNames: Set<string>,
): OfferedTools {
  const offered: OfferedTools = { tools: [], notices: [] }
  const byName = [...listed].sort((a, b) => (a.name < b.name ? -1 : 1))
  const allowed = byName.filter((tool) => only?.has(tool.name) !== false)
  if (allowed.length > maxTools) {
    offered.notices.push(
      `MCP server ${name} has ${allowed.length} tools, of which ${maxTools} are offered: ` +
        `name those you need as mcp:${name}/<tool>`,
    )
  }
  for (const tool of allowed.slice(0, maxTools)) {
    if (Buffer.byteLength(JSON.stringify(tool.inputSchema)) > maxSchemaBytes) {
      offered.notices.push(
        `MCP server ${name}: ${oneLine(tool.name)} is not offered, its schema is too long`,
      )
      continue
    }
    offered.tools.push(createTool(nameForModel(name, tool.name, usedNames), tool, connection))
  }
  for (const toolName of only ?? []) {
    if (byName.some((tool) => tool.name === toolName)) continue
    offered.notices.push(`MCP server ${name} has no tool '${oneLine(toolName)}'`)
  }
  return offered
}

function createTool(name: string, tool: ServerTool, connection: Connection): ExternalTool {
  const { $schema: _dialect, ...schema } = tool.inputSchema
  return {
    external: true,
    name,
    description: cutToBytes(tool.description ?? tool.title ?? tool.name, maxDescriptionBytes).text,
    schema,
    isReadOnly: tool.annotations?.readOnlyHint === true,
    run: async (input, { signal, timeoutMs }) => {
      try {
        return resultEnvelope(await connection.call(tool.name, input, { signal, timeoutMs }))
      } catch (error) {
        signal.throwIfAborted()
        return failure('mcp_error', reasonOf(error))
      }
    },
  }
}
