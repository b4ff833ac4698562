// The server of the reverse proxy: accepts connections, starts an exchange per request, tracks active
// exchanges and shuts down gracefully.
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import type { Clock } from '@zee/core/clock'
import { listenOn } from '../listen-on.ts'
import type { Framing } from './body/body.ts'
import { ClientConnection, type ConnectionOwner } from './client-connection.ts'
import { Exchange, refusedTunnel } from './exchange/exchange.ts'
import type { ClientSide, ExchangeContext } from './exchange/exchange.ts'
import type { RequestHead } from './head/head.ts'
import { isMisdirected, type ListenAddress, type Upstream } from '../funnels.ts'
import type { LocalAuthority } from './tls/tls.ts'
import { UpstreamPool } from './upstream-pool.ts'

export type {
  AnswerRewriter,
  EarlierAnswers,
  ExchangeGate,
  ExchangeObserver,
  Rewrite,
} from './exchange/exchange.ts'
export { requestsUpgrade } from './head/head.ts'
export type { AnswerHead, RequestHead } from './head/head.ts'
export { headerValues } from './headers.ts'

export interface ProxyServerOptions {
  upstream: Upstream
  /** Where connections go, if not to the upstream itself. */
  connectTo?: Upstream
  /** Set if clients may open tunnels with CONNECT. */
  authority?: LocalAuthority | undefined
  listen: ListenAddress
  clock: Clock
  maxRequests: number | undefined
  /** The context of one request: faults, observers and the end callback. */
  begin(request: RequestHead): Omit<ExchangeContext, 'upstream' | 'clock' | 'pool'>
  /** Called when the last permitted request has ended. */
  onLast(): void
}

const socketBufferBytes = 64 * 1024
/** Time for the last answers to be flushed before sockets are destroyed. */
const finalFlushMs = 100

export class ProxyServer implements ConnectionOwner {
  readonly #options: ProxyServerOptions
  readonly #server: Server
  readonly #pool: UpstreamPool
  readonly #connections = new Set<ClientConnection>()
  readonly #active = new Set<Exchange>()
  #accepted = 0
  isClosing = false

  constructor(options: ProxyServerOptions) {
    this.#options = options
    this.#pool = new UpstreamPool(options.connectTo ?? options.upstream, options.clock)
    this.#server = createServer(
      { allowHalfOpen: true, noDelay: true, highWaterMark: socketBufferBytes },
      (socket) => this.#connections.add(new ClientConnection(socket, this)),
    )
  }

  listen(): Promise<AddressInfo> {
    return listenOn(this.#server, this.#options.listen)
  }

  /** Stops accepting, waits up to `graceMs` for active exchanges, and abandons the rest. */
  async close(graceMs: number, code: string): Promise<void> {
    this.isClosing = true
    this.#server.close()
    const { clock } = this.#options
    const deadline = clock.monotonicMs() + graceMs
    while (this.#active.size > 0 && clock.monotonicMs() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    for (const exchange of this.#active) exchange.abandon(code)
    for (const connection of this.#connections) connection.close()
    setTimeout(() => {
      for (const { socket } of this.#connections) socket.destroy()
    }, finalFlushMs).unref()
    this.#pool.close()
  }

  begin(head: RequestHead, framing: Framing, client: ClientSide): Exchange | undefined {
    if (!this.#accept()) return undefined
    const { upstream, clock, begin, onLast } = this.#options
    const own = begin(head)
    const exchange = new Exchange(head, framing, client, {
      ...own,
      upstream,
      clock,
      pool: this.#pool,
      onEnd: (call) => {
        own.onEnd(call)
        this.#active.delete(exchange)
        if (this.isClosing && this.#active.size === 0) onLast()
      },
    })
    this.#active.add(exchange)
    return exchange
  }

  openTunnel(head: RequestHead, socket: Socket): (() => Socket) | 421 | 501 {
    const { authority, upstream } = this.#options
    if (authority === undefined) return this.#refuseTunnel(head, 501)
    if (isMisdirected(upstream, `http://${head.target}`, undefined)) {
      return this.#refuseTunnel(head, 421)
    }
    return () => authority.accept(socket, upstream.hostname)
  }

  /** Records the refusal like every other request. */
  #refuseTunnel<Status extends 421 | 501>(head: RequestHead, status: Status): Status {
    if (!this.#accept()) return status
    const { clock, begin, onLast } = this.#options
    begin(head).onEnd(refusedTunnel(head.target, status, clock))
    if (this.isClosing && this.#active.size === 0) onLast()
    return status
  }

  serveTunnel(socket: Socket): void {
    this.#connections.add(new ClientConnection(socket, this, true))
  }

  connectionClosed(connection: ClientConnection): void {
    this.#connections.delete(connection)
  }

  /** Counts a request; false when no more are accepted. */
  #accept(): boolean {
    if (this.isClosing) return false
    this.#accepted++
    if (this.#accepted === this.#options.maxRequests) {
      this.isClosing = true
      this.#server.close()
    }
    return true
  }
}
