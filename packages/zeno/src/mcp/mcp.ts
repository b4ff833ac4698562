// Serves the operations as MCP tools over standard input and output, with the official SDK.
import { McpServer } from '@modelcontextprotocol/server'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { oneLine, reasonOf } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { PacedTransport, type DeliveredRequest } from '@zee/core/pacing'
import manifest from '../../package.json' with { type: 'json' }
import type { Answer, Service } from '../service/service.ts'
import { operations } from '../protocol/protocol.ts'
import type { Operation } from '../protocol/protocol.ts'
import { answerText, withDefaults, withNext } from './answer-text.ts'
import { registerPrompts } from './prompts.ts'
import { registerResources } from './resources.ts'
import type { ResourceSources } from './resources.ts'
import { toolArguments, toolEntry } from './tools.ts'

const instructions =
  'zeno reads one folder of text and never writes. Use it instead of your own search and read tools when a codebase ' +
  'is large, when you need every hit, or when you will cite lines: answers are fresh, sorted, capped and say what was ' +
  'left out. Paths are relative to the root. Start with grep or list_files, then read_file. truncated: true marks a ' +
  'capped answer; go on with cursor or next. Every tool takes the options of list_files in `options`; rev reads a ' +
  'git revision. Cite lines as path:start-end, or rev:path:start-end.'
const maxMessageBytes = 64 * 1024 * 1024

/** The names of at most this many roots are in the instructions. */
const maxShownRoots = 20

/** Says how paths name their roots; nothing with a single root. */
function rootInstructions(names: readonly string[] | undefined): string {
  if (names === undefined) return ''
  const shown = names.slice(0, maxShownRoots).join(', ')
  const more = names.length > maxShownRoots ? `, and ${names.length - maxShownRoots} more` : ''
  return ` There are several roots: ${shown}${more}. Paths are root:path; options.roots limits a call to some roots.`
}

export interface McpOptions extends ResourceSources {
  /** Names of the roots; undefined with a single root. */
  rootNames?: readonly string[] | undefined
  /** Calls may overlap: several programs use the server, and no budget depends on the order. */
  isParallel?: boolean
  /** The `event` tool is offered only with a trace. */
  hasTrace: boolean
  /** The signal of a request when the transport handles cancellation itself. */
  signalOf?: (request: DeliveredRequest) => AbortSignal
}

/** Serves until the client closes standard input. */
export async function serveMcp(service: Service, options: McpOptions, host: Host): Promise<void> {
  const stdio = new StdioServerTransport(host.stdin, host.stdout, {
    maxBufferSize: maxMessageBytes,
  })
  const transport = new PacedTransport(stdio, host.stdin)
  const ended = new Promise<void>((resolve) => host.stdin.once('close', resolve))
  const signalOf = (request: DeliveredRequest) => transport.signalOf(request)
  const handle = serveStdio(mcpServerFactory(service, { ...options, signalOf }), {
    transport,
    onerror: (error) => void host.stderr.write(`zeno: ${oneLine(error.message)}\n`),
  })
  await ended
  await handle.close()
}

/** Returns a function that makes a server for a connection, or for one request over HTTP. */
export function mcpServerFactory(service: Service, options: McpOptions): () => McpServer {
  const call = options.isParallel === true ? parallelCalls(service) : serializeCalls(service)
  const offered = [...operations.values()].filter(
    ({ name, internal }) => internal !== true && (name !== 'event' || options.hasTrace),
  )
  // Over HTTP a server is made for every request, so the list is made once.
  const tools = offered.map(toolEntry)
  const byName = new Map(offered.map((operation) => [operation.name, operation]))
  return () => createServer({ tools, byName }, call, options)
}

interface Offer {
  tools: ReturnType<typeof toolEntry>[]
  byName: ReadonlyMap<string, Operation>
}

interface ToolCall {
  name: string
  /** Undefined for an unknown tool. */
  operation: Operation | undefined
  input: unknown
}

type Call = (call: ToolCall, signal?: AbortSignal) => Promise<Answer>

function parallelCalls(service: Service): Call {
  let number = 0
  return (call, signal) => answerCall(service, toRequest(call, `mcp-${++number}`), signal)
}

async function answerCall(
  service: Service,
  request: Parameters<Service['answer']>[0],
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const answered = await service.answer(request, signal)
  answered.writeTrace()
  return answered
}

/** Runs one request at a time: the budget and the order of the trace depend on it. */
function serializeCalls(service: Service): Call {
  let previous: Promise<unknown> = Promise.resolve()
  let number = 0
  return (call, signal) => {
    const answer = previous.then(() =>
      answerCall(service, toRequest(call, `mcp-${++number}`), signal),
    )
    previous = answer.catch(() => undefined)
    return answer
  }
}

/** A call of an unknown tool or with wrong arguments is answered and traced like any other. */
function toRequest(
  { name, operation, input }: ToolCall,
  id: string,
): Parameters<Service['answer']>[0] {
  const refused = (problem: string) => ({ id, op: name, args: input ?? {}, problem })
  if (operation === undefined) return refused(`unknown tool: ${name}`)
  try {
    return { id, op: name, args: withDefaults(name, toolArguments(operation, input)) }
  } catch (error) {
    return refused(reasonOf(error))
  }
}

function createServer({ tools, byName }: Offer, call: Call, options: McpOptions): McpServer {
  const { signalOf = ({ signal }) => signal } = options
  const info = { name: 'zeno', version: manifest.version }
  const capabilities = { tools: {}, prompts: {}, resources: {} }
  const text = instructions + rootInstructions(options.rootNames)
  const server = new McpServer(info, { instructions: text, capabilities })
  server.server.setRequestHandler('tools/list', () => ({ tools }))
  server.server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { name, arguments: input } = params
    const called = { name, operation: byName.get(name), input }
    return toolResult(name, await call(called, signalOf(context.mcpReq)))
  })
  registerPrompts(server)
  registerResources(server, options)
  return server
}

function errorResult(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] }
}

function toolResult(op: string, { outcome }: Answer): CallToolResult {
  if (!outcome.ok) return errorResult(outcome.error.message)
  const result = op === 'read_file' ? withNext(outcome.result) : outcome.result
  const content = [{ type: 'text' as const, text: answerText(op, outcome.result) }]
  // Hits are for reading: their JSON would be twice as long.
  return op === 'grep' && typeof result.text === 'string'
    ? { content }
    : { content, structuredContent: result }
}
