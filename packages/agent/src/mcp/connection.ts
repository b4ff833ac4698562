// One MCP server: started when it is first needed, started again when it was lost, ended with the
// conversation. Only this file knows how a server is spoken to.
import type {
  CallToolResult,
  jsonSchemaValidator,
  Tool as ServerTool,
} from '@modelcontextprotocol/client'
import { Client, ProtocolError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { cutToBytes } from '@zee/core/bounded'
import { maxTimerMs } from '@zee/core/clock'
import { errnoOf, oneLine, reasonOf } from '@zee/core/errors'
import { boundedFetch } from './bounded-fetch.ts'
import type { ServerCommand } from './stdio-transport.ts'
import { ChildServerTransport, maxMessageBytes } from './stdio-transport.ts'

export interface ServerSpec {
  /** As the configuration calls it. */
  name: string
  endpoint: ServerCommand | ServerAddress
}

export interface ServerAddress {
  url: URL
  headers: Readonly<Record<string, string>>
  /** Values of headers that must not be repeated in any message. */
  secrets: readonly string[]
}

/** Who asks, as servers are told. */
export interface ClientInfo {
  name: string
  version: string
}

export interface CallLimits {
  signal: AbortSignal
  /** Undefined for no limit. */
  timeoutMs: number | undefined
}

const maxPages = 100
const terminateMs = 1000

interface LiveConnection {
  client: Client
  transport: ChildServerTransport | StreamableHTTPClientTransport
  lost: boolean
}

export class Connection {
  readonly name: string
  readonly #at: ServerSpec['endpoint']
  readonly #client: ClientInfo
  #live: Promise<LiveConnection> | undefined
  /** Ends the call that is going on; there is one at a time. */
  #call: AbortController | undefined
  #closed = false

  constructor({ name, endpoint }: ServerSpec, client: ClientInfo) {
    this.name = name
    this.#at = endpoint
    this.#client = client
  }

  async listTools(limits: CallLimits): Promise<ServerTool[]> {
    return this.#withClient(limits, async (client, options) => {
      const tools: ServerTool[] = []
      let cursor: string | undefined
      for (let page = 0; page < maxPages; page++) {
        const listed = await client.listTools(cursor === undefined ? {} : { cursor }, options)
        tools.push(...listed.tools)
        cursor = listed.nextCursor
        if (cursor === undefined) break
      }
      return tools
    })
  }

  async call(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    limits: CallLimits,
  ): Promise<CallToolResult> {
    return this.#withClient(limits, (client, options) =>
      client.callTool({ name: tool, arguments: { ...input } }, options),
    )
  }

  async close(): Promise<void> {
    this.#closed = true
    const live = await this.#live?.catch(() => undefined)
    if (live === undefined) return
    const { client, transport } = live
    if (transport instanceof StreamableHTTPClientTransport && !live.lost) {
      const patience = new Promise((resolve) => setTimeout(resolve, terminateMs).unref())
      await Promise.race([transport.terminateSession().catch(() => {}), patience])
    }
    await client.close().catch(() => {})
  }

  async #withClient<T>(
    limits: CallLimits,
    work: (client: Client, options: { signal: AbortSignal; timeout: number }) => Promise<T>,
  ): Promise<T> {
    const call = new AbortController()
    this.#call = call
    const signal = AbortSignal.any([limits.signal, call.signal])
    const options = { signal, timeout: limits.timeoutMs ?? maxTimerMs }
    let live: LiveConnection | undefined
    try {
      live = await this.#connected(options)
      return await work(live.client, options)
    } catch (error) {
      limits.signal.throwIfAborted()
      const why: unknown = call.signal.aborted ? call.signal.reason : error
      throw new Error(this.#wordsFor(why, live), { cause: error })
    }
  }

  async #connected(options: { signal: AbortSignal; timeout: number }): Promise<LiveConnection> {
    const known = await this.#live?.catch(() => undefined)
    if (known !== undefined && !known.lost) return known
    if (this.#closed) throw new Error('is closed')
    this.#live = this.#connect(options, 'legacy').catch((error: unknown) => {
      // A server that refuses the older handshake is asked in the newer way.
      if (!(error instanceof ProtocolError)) throw error
      return this.#connect(options, 'auto')
    })
    return this.#live
  }

  async #connect(
    options: { signal: AbortSignal; timeout: number },
    mode: 'legacy' | 'auto',
  ): Promise<LiveConnection> {
    const client = new Client(this.#client, {
      jsonSchemaValidator: acceptAnyResult,
      versionNegotiation: { mode },
    })
    const transport = this.#transport()
    const live: LiveConnection = { client, transport, lost: false }
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is no event target
    client.onclose = () => void (live.lost = true)
    try {
      await client.connect(transport, options)
    } catch (error) {
      await client.close().catch(() => {})
      await transport.close().catch(() => {})
      options.signal.throwIfAborted()
      const isGone = transport instanceof ChildServerTransport && !(error instanceof ProtocolError)
      if (!isGone || !transport.hasEnded()) throw error
      throw new Error(transport.farewell(), { cause: error })
    }
    return live
  }

  #transport(): LiveConnection['transport'] {
    const at = this.#at
    if ('command' in at) return new ChildServerTransport(at)
    return new StreamableHTTPClientTransport(at.url, {
      requestInit: { headers: { ...at.headers } },
      fetch: boundedFetch(maxMessageBytes, (error) => this.#call?.abort(error)),
    })
  }

  /** One line, short, and without the secrets that a server may have been told. */
  #wordsFor(error: unknown, live: LiveConnection | undefined): string {
    let words = reasonOf(unwrapFetchError(error))
    if (live?.lost === true && live.transport instanceof ChildServerTransport) {
      words = live.transport.farewell()
    }
    if ('url' in this.#at) {
      for (const secret of this.#at.secrets) words = words.replaceAll(secret, '[redacted]')
    }
    return `MCP server ${this.name}: ${cutToBytes(oneLine(words), 500).text}`
  }
}

/** What kept `fetch` from connecting is only in the cause of its error. */
function unwrapFetchError(error: unknown): unknown {
  const told = systemError(error)
  if (told !== undefined || !(error instanceof Error)) return told ?? error
  return error.message === 'fetch failed' ? (error.cause ?? error) : error
}

function systemError(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined
  return errnoOf(error) === undefined ? systemError(error.cause) : error
}

/** Whether a result fits the schema that its server published is for the model to judge. */
const acceptAnyResult: jsonSchemaValidator = {
  getValidator: () => (input) => ({
    valid: true,
    data: input as never,
    errorMessage: undefined,
  }),
}
