// The connection to one MCP server: started on first use, restarted if it was lost, closed with the
// conversation.
import type {
  CallToolResult,
  jsonSchemaValidator,
  Tool as ServerTool,
} from '@modelcontextprotocol/client'
import { Client, ProtocolError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { cutToBytes } from '@zee/core/bounded'
import { maxTimerMs } from '@zee/core/clock'
import { errnoOf, oneLine, reasonOf } from '@zee/core/errors'
import type { ProxiedFetch } from '../http/http.ts'
import { boundedFetch, createProxiedFetch } from '../http/http.ts'
import type { TokenSource } from '../login/login.ts'
import { createTokenSource, loginFetch } from '../login/login.ts'
import type { ServerAddress, ServerCommand } from '../section/section.ts'
import { replaceInTexts } from './replace-in-texts.ts'
import { ChildServerTransport, maxMessageBytes } from './stdio-transport.ts'

export interface ServerSpec {
  /** The name in the configuration. */
  name: string
  endpoint: ServerCommand | ServerAddress
}

/** Name and version that the handshake sends to servers. */
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
/** Maximum wait for the server to acknowledge the end of an HTTP session. */
const terminateMs = 1000

interface LiveConnection {
  client: Client
  transport: ChildServerTransport | StreamableHTTPClientTransport
  isLost: boolean
}

export class Connection {
  readonly name: string
  readonly #endpoint: ServerSpec['endpoint']
  readonly #client: ClientInfo
  #live: Promise<LiveConnection> | undefined
  /** Aborts the running calls. */
  readonly #calls = new Set<AbortController>()
  #isClosed = false
  #proxied: ProxiedFetch | undefined
  #tokens: TokenSource | undefined

  constructor({ name, endpoint }: ServerSpec, client: ClientInfo) {
    this.name = name
    this.#endpoint = endpoint
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
    const result = await this.#withClient(limits, (client, options) =>
      client.callTool({ name: tool, arguments: { ...input } }, options),
    )
    return replaceInTexts(result, this.#tokens?.used ?? new Set(), '[redacted]')
  }

  /** Runs `work` with the connected client; errors name the server. */
  async use<T>(
    limits: CallLimits,
    work: (client: Client, options: { signal: AbortSignal; timeout: number }) => Promise<T>,
  ): Promise<T> {
    return this.#withClient(limits, work)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const live = await this.#live?.catch(() => undefined)
    if (live === undefined) return
    const { client, transport } = live
    if (transport instanceof StreamableHTTPClientTransport && !live.isLost) {
      const timeout = new Promise((resolve) => setTimeout(resolve, terminateMs).unref())
      await Promise.race([transport.terminateSession().catch(() => {}), timeout])
    }
    await client.close().catch(() => {})
    this.#proxied?.close()
  }

  async #withClient<T>(
    limits: CallLimits,
    work: (client: Client, options: { signal: AbortSignal; timeout: number }) => Promise<T>,
  ): Promise<T> {
    const call = new AbortController()
    this.#calls.add(call)
    const signal = AbortSignal.any([limits.signal, call.signal])
    const options = { signal, timeout: limits.timeoutMs ?? maxTimerMs }
    let live: LiveConnection | undefined
    try {
      live = await this.#connected(options)
      return await work(live.client, options)
    } catch (error) {
      limits.signal.throwIfAborted()
      const reason: unknown = call.signal.aborted ? call.signal.reason : error
      throw new Error(this.#errorMessage(reason, live), { cause: error })
    } finally {
      this.#calls.delete(call)
    }
  }

  async #connected(options: { signal: AbortSignal; timeout: number }): Promise<LiveConnection> {
    const live = await this.#live?.catch(() => undefined)
    if (live !== undefined && !live.isLost) return live
    if (this.#isClosed) throw new Error('is closed')
    this.#live = this.#connect(options, 'legacy').catch((error: unknown) => {
      // Retries with the newer handshake if the server rejects the older one.
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
    const live: LiveConnection = { client, transport, isLost: false }
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the client is not an EventTarget
    client.onclose = () => void (live.isLost = true)
    try {
      await client.connect(transport, options)
    } catch (error) {
      await client.close().catch(() => {})
      await transport.close().catch(() => {})
      options.signal.throwIfAborted()
      const isGone = transport instanceof ChildServerTransport && !(error instanceof ProtocolError)
      if (!isGone || !transport.hasEnded()) throw error
      throw new Error(transport.describeEnd(), { cause: error })
    }
    return live
  }

  #transport(): LiveConnection['transport'] {
    const endpoint = this.#endpoint
    if ('command' in endpoint) return new ChildServerTransport(endpoint)
    const { login } = endpoint
    if (login !== undefined) {
      this.#tokens ??= createTokenSource(endpoint.url, login, loginFetch(this.#fetch()))
    }
    return new StreamableHTTPClientTransport(endpoint.url, {
      requestInit: { headers: { ...endpoint.headers } },
      ...(this.#tokens === undefined ? {} : { authProvider: this.#tokens }),
      fetch: boundedFetch(maxMessageBytes, (error) => this.#abortCalls(error), this.#fetch()),
    })
  }

  /** A response that is too large does not say which call it answers. */
  #abortCalls(error: Error): void {
    for (const call of this.#calls) call.abort(error)
  }

  #fetch(): ProxiedFetch['fetch'] {
    const environment = 'url' in this.#endpoint ? this.#endpoint.environment : {}
    this.#proxied ??= createProxiedFetch(environment)
    return this.#proxied.fetch
  }

  /** One line of at most 500 bytes, without the secrets in the headers. */
  #errorMessage(error: unknown, live: LiveConnection | undefined): string {
    let reason = reasonOf(unwrapFetchError(error))
    if (live?.isLost === true && live.transport instanceof ChildServerTransport) {
      reason = live.transport.describeEnd()
    }
    if ('url' in this.#endpoint) {
      const secrets = [...this.#endpoint.secrets, ...(this.#tokens?.used ?? [])]
      for (const secret of secrets) reason = reason.replaceAll(secret, '[redacted]')
    }
    return `MCP server ${this.name}: ${cutToBytes(oneLine(reason), 500).text}`
  }
}

/** `fetch` reports why a connection failed only in the cause of its error. */
function unwrapFetchError(error: unknown): unknown {
  const system = systemError(error)
  if (system !== undefined || !(error instanceof Error)) return system ?? error
  return error.message === 'fetch failed' ? (error.cause ?? error) : error
}

function systemError(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined
  return errnoOf(error) === undefined ? systemError(error.cause) : error
}

/** Skips validation: the model judges whether a result fits the server's schema. */
const acceptAnyResult: jsonSchemaValidator = {
  getValidator: () => (input) => ({
    valid: true,
    data: input as never,
    errorMessage: undefined,
  }),
}
