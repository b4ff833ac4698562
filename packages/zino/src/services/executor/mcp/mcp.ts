// Tools of MCP servers, run by the rules of exc: the environment without secrets, the sandbox, the time
// limit, one execution per call of a turn. A server starts when its tools are first needed.
import { cutToBytes } from '@zee/core/bounded'
import { reasonOf } from '@zee/core/errors'
import { isObject } from '@zee/core/json'
import type { Connection, ServerSpec } from '@zee/mcp'
import { serverEndpoint } from '@zee/mcp/section'
import manifest from '../../../../package.json' with { type: 'json' }
import type { ServerTool } from '../../../definitions/definitions.ts'
import { isServerTool } from '../../../definitions/definitions.ts'
import type { ServiceContext } from '../../../service/service.ts'
import { turnsFolder } from '../../../turns/turns.ts'
import type { ExecutionResult } from '../execute.ts'
import { captureBytes, failedResult } from '../execute.ts'
import type { JournalledCall } from '../journalled/journalled.ts'
import type { ScriptRuntime } from '../run-script.ts'
import { CallRecords } from './call-records.ts'
import { describeTools } from './describe-tools.ts'

export interface ServerTools {
  tools: ServerTool[]
  /** One line per server that failed. */
  failures: string[]
}

interface KnownTool {
  connection: Connection
  /** The name at the server. */
  tool: string
}

const clientInfo = { name: 'zino', version: manifest.version }

export class McpTools {
  readonly #context: ServiceContext
  readonly #runtime: ScriptRuntime
  readonly #servers: readonly string[]
  readonly #records: CallRecords
  readonly #connections = new Map<string, Promise<Connection>>()
  readonly #known = new Map<string, KnownTool>()
  readonly #running = new Map<string, { work: Promise<ExecutionResult>; abort: AbortController }>()

  constructor(context: ServiceContext, runtime: ScriptRuntime) {
    this.#context = context
    this.#runtime = runtime
    this.#servers = Object.keys(context.config.mcp ?? {})
    this.#records = new CallRecords(turnsFolder(context.config))
  }

  /** Whether the name belongs to a configured server. */
  owns(name: string): boolean {
    return isServerTool(this.#servers, name)
  }

  /** The tools of all servers that answer; starts them. */
  async list(signal: AbortSignal): Promise<ServerTools> {
    const listed = await Promise.all(
      this.#servers.map(async (server) => {
        try {
          return { tools: await this.#listServer(server, signal), failures: [] }
        } catch (error) {
          signal.throwIfAborted()
          return { tools: [], failures: [reasonOf(error)] }
        }
      }),
    )
    return {
      tools: listed.flatMap(({ tools }) => tools),
      failures: listed.flatMap(({ failures }) => failures),
    }
  }

  /** Whether a request for this call would start it. */
  isNew(call: JournalledCall): boolean {
    return !this.#records.hasBegun(call)
  }

  /** `code` is the JSON of the arguments. A call of a turn runs at most once, also when exc dies. */
  async run(
    name: string,
    code: string,
    call: JournalledCall | undefined,
    signal: AbortSignal,
    timeoutSeconds: number,
  ): Promise<ExecutionResult> {
    if (call === undefined) return this.#call(name, code, signal, timeoutSeconds)
    const key = `${call.turn} ${call.call}`
    const running = this.#running.get(key)
    if (running !== undefined) return orAbort(running.work, signal)
    if (this.#records.hasBegun(call)) return this.#records.result(call)
    const abort = new AbortController()
    const work = this.#recorded(name, code, call, abort.signal, timeoutSeconds)
    this.#running.set(key, { work, abort })
    void work.catch(() => {}).finally(() => this.#running.delete(key))
    return orAbort(work, signal)
  }

  /** Ends the running calls of a turn. */
  cancel(turn: string): void {
    for (const [key, { abort }] of this.#running) {
      if (key.startsWith(`${turn} `)) abort.abort(new Error('the turn was cancelled'))
    }
  }

  async close(): Promise<void> {
    for (const { abort } of this.#running.values()) abort.abort(new Error('exc is stopping'))
    const open = [...this.#connections.values()]
    await Promise.all(open.map((each) => each.then((one) => one.close()).catch(() => {})))
  }

  async #recorded(
    name: string,
    code: string,
    call: JournalledCall,
    signal: AbortSignal,
    timeoutSeconds: number,
  ): Promise<ExecutionResult> {
    await this.#records.begin(call, name)
    const result = await this.#call(name, code, signal, timeoutSeconds).catch((error: unknown) =>
      failedResult(reasonOf(error)),
    )
    await this.#records.end(call, result)
    return result
  }

  async #call(
    name: string,
    code: string,
    signal: AbortSignal,
    timeoutSeconds: number,
  ): Promise<ExecutionResult> {
    const args = parseArguments(code)
    if (args === undefined) return failedResult('the arguments are not a JSON object')
    const deadline = AbortSignal.timeout(Math.ceil(timeoutSeconds * 1000))
    const within = AbortSignal.any([signal, deadline])
    try {
      const known = await this.#find(name, within)
      if (known === undefined) return failedResult(`Unknown tool: ${name}`)
      const limits = { signal: within, timeoutMs: undefined }
      const result = await known.connection.call(known.tool, args, limits)
      const { resultText } = await import('@zee/mcp')
      const fallback = JSON.stringify(result.structuredContent ?? {})
      const text = cutOutput(resultText(result) || (result.structuredContent ? fallback : ''))
      if (result.isError !== true) return { ...failedResult(''), exit_code: 0, stdout: text }
      return { ...failedResult(text || 'the tool failed'), exit_code: 1 }
    } catch (error) {
      signal.throwIfAborted()
      if (deadline.aborted) return failedResult(`Execution timed out after ${timeoutSeconds}s.`)
      return failedResult(reasonOf(error))
    }
  }

  async #find(name: string, signal: AbortSignal): Promise<KnownTool | undefined> {
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const server = this.#servers.find((each) => isServerTool([each], name))
    if (server !== undefined) await this.#listServer(server, signal)
    return this.#known.get(name)
  }

  async #listServer(server: string, signal: AbortSignal): Promise<ServerTool[]> {
    const connection = await this.#connect(server)
    const timeoutMs = this.#runtime.timeoutSeconds * 1000
    const listed = await connection.listTools({ signal, timeoutMs })
    const { described, notices } = await describeTools(server, listed)
    for (const notice of notices) this.#context.log.warn(notice)
    for (const { offer, tool } of described) this.#known.set(offer.name, { connection, tool })
    return described.map(({ offer }) => offer)
  }

  #connect(server: string): Promise<Connection> {
    let connection = this.#connections.get(server)
    if (connection === undefined) {
      connection = this.#open(server)
      this.#connections.set(server, connection)
      connection.catch(() => this.#connections.delete(server))
    }
    return connection
  }

  async #open(name: string): Promise<Connection> {
    const { config, env } = this.#context
    const section = config.mcp?.[name] ?? {}
    const routeKeys = config.rtr.fallback.map(({ key_env: variable }) => variable)
    const endpoint = serverEndpoint(name, section, {
      cwd: process.cwd(),
      commandEnv: this.#runtime.env,
      fullEnv: env,
      providerKeys: new Set(['LLM_API_KEY', ...routeKeys]),
    })
    const { Connection: Opened } = await import('@zee/mcp')
    const confined: ServerSpec['endpoint'] =
      'command' in endpoint ? { ...endpoint, ...this.#runtime.sandbox.wrap(endpoint) } : endpoint
    return new Opened({ name, endpoint: confined }, clientInfo)
  }
}

function parseArguments(code: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(code)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function cutOutput(text: string): string {
  const { text: kept, truncated, bytes } = cutToBytes(text, captureBytes)
  return truncated ? `${kept}\n[cut: the first ${captureBytes} of ${bytes} bytes]` : text
}

/** Rejects when the caller leaves; the work goes on. */
async function orAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted()
  let leave = (): void => {}
  const left = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason as Error)
    signal.addEventListener('abort', leave, { once: true })
  })
  try {
    return await Promise.race([work, left])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
