// The tools of MCP servers as tools of a turn: only those that are allowed, described as the server
// describes them, with the same limits and the same envelope as all others. Whoever opens this
// door loads the SDK, so it is opened only for a conversation that is allowed a server.
import type { Tool as ServerTool } from '@modelcontextprotocol/client'
import { cutToBytes } from '@zee/core/bounded'
import { oneLine, reasonOf } from '@zee/core/errors'
import { failure } from '../envelope/envelope.ts'
import type { ExternalTool } from '../tools/tools.ts'
import type { GatheredTools } from '../turn/turn.ts'
import { resultEnvelope } from './call-result.ts'
import type { CallLimits, ClientInfo, ServerSpec } from './connection.ts'
import { Connection } from './connection.ts'
import { nameForModel } from './tool-names.ts'
export type { ServerAddress, ServerSpec } from './connection.ts'

export interface AllowedServer extends ServerSpec {
  /** The names of its tools that may be offered; all of them when undefined. */
  only: ReadonlySet<string> | undefined
}

export interface ServerTools {
  /** Starts what has not been started and says what is offered; what failed is tried again next time. */
  gather(limits: CallLimits): Promise<GatheredTools>
  /** Ends every server. */
  close(): Promise<void>
}

/** The model pays for every one of them, in every request. */
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
  const known = new Map<Connection, OfferedTools>()
  const taken = new Set<string>()
  return {
    gather: async (limits) => {
      const notices: string[] = []
      const missing = connections.filter(({ connection }) => !known.has(connection))
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
        const offered = offerTools(server, connection, tools, taken)
        known.set(connection, offered)
        notices.push(...offered.notices)
      }
      // In the order of the configuration, so that a later request repeats an earlier one.
      const tools = connections.flatMap(({ connection }) => known.get(connection)?.tools ?? [])
      return { tools, notices }
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
  taken: Set<string>,
): OfferedTools {
  const known: OfferedTools = { tools: [], notices: [] }
  const byName = [...listed].sort((a, b) => (a.name < b.name ? -1 : 1))
  const allowed = byName.filter((tool) => only?.has(tool.name) !== false)
  if (allowed.length > maxTools) {
    known.notices.push(
      `MCP server ${name} has ${allowed.length} tools, of which ${maxTools} are offered: ` +
        `name those you need as mcp:${name}/<tool>`,
    )
  }
  for (const tool of allowed.slice(0, maxTools)) {
    if (Buffer.byteLength(JSON.stringify(tool.inputSchema)) > maxSchemaBytes) {
      known.notices.push(
        `MCP server ${name}: ${oneLine(tool.name)} is not offered, its schema is too long`,
      )
      continue
    }
    known.tools.push(createTool(nameForModel(name, tool.name, taken), tool, connection))
  }
  for (const wanted of only ?? []) {
    if (byName.some((tool) => tool.name === wanted)) continue
    known.notices.push(`MCP server ${name} has no tool '${oneLine(wanted)}'`)
  }
  return known
}

function createTool(name: string, tool: ServerTool, connection: Connection): ExternalTool {
  const { $schema: _dialect, ...schema } = tool.inputSchema
  return {
    external: true,
    name,
    description: cutToBytes(tool.description ?? tool.title ?? tool.name, maxDescriptionBytes).text,
    schema,
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
