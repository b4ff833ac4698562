// The server of a reverse proxy: takes requests and upgrades, hands each to the upstream, follows all
// that is under way, and ends in good order.
import { Agent, createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Clock } from '@zee/core/clock'
import { reasonOf } from '@zee/core/errors'
import { zclError } from '@zee/evidence/errors'
import { Exchange, largestHead, type ExchangeContext } from './exchange.ts'
import type { ListenAddress, Upstream } from './proxy-address.ts'
import { Tunnel } from './tunnel.ts'

export interface ProxyServerOptions {
  upstream: Upstream
  listen: ListenAddress
  clock: Clock
  maxRequests: number | undefined
  /** What else belongs to one request: faults, observers, and what is done at its end. */
  begin(
    request: IncomingMessage,
    isUpgrade: boolean,
  ): Pick<ExchangeContext, 'faults' | 'observer' | 'withheld' | 'onEnd'>
  /** The last of the requests that were allowed is over. */
  onLast(): void
}

export class ProxyServer {
  readonly #options: ProxyServerOptions
  readonly #server: Server
  readonly #agent: Agent
  readonly #underWay = new Set<Exchange | Tunnel>()
  #accepted = 0
  #isClosing = false

  constructor(options: ProxyServerOptions) {
    this.#options = options
    this.#agent = new (options.upstream.isSecure ? SecureAgent : Agent)({ keepAlive: true })
    this.#server = createServer({
      maxHeaderSize: largestHead,
      // How long a request may take is between the client and the upstream.
      requestTimeout: 0,
      headersTimeout: 0,
      keepAliveTimeout: 0,
    })
    this.#server.maxHeadersCount = 0
    const exchange = (request: IncomingMessage, response: ServerResponse): void =>
      this.#exchange(request, response)
    this.#server.on('request', exchange)
    this.#server.on('checkContinue', exchange)
    this.#server.on('checkExpectation', exchange)
    this.#server.on('upgrade', (request, socket, head) => {
      if (!this.#accept()) socket.destroy()
      else this.#follow(request, true, (context) => new Tunnel(request, socket, context)).run(head)
    })
  }

  listen(): Promise<AddressInfo> {
    const { host, port } = this.#options.listen
    return new Promise((resolve, reject) => {
      this.#server.once('error', (error) => {
        const place = `${host}:${port}`
        reject(zclError('ZCL_E_IO', `cannot listen on ${place}: ${reasonOf(error)}`, error))
      })
      this.#server.listen({ host, port }, () => resolve(this.#server.address() as AddressInfo))
    })
  }

  /** Takes no more, lets what is under way end within `graceMs`, and gives up the rest. */
  async close(graceMs: number, code: string): Promise<void> {
    this.#isClosing = true
    this.#server.close()
    const { clock } = this.#options
    const deadline = clock.monotonicMs() + graceMs
    while (this.#underWay.size > 0 && clock.monotonicMs() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    for (const way of this.#underWay) way.abandon(code)
    // The last answer has been handed to the system; only idle connections are left.
    this.#server.closeIdleConnections()
    setTimeout(() => this.#server.closeAllConnections(), 100).unref()
    this.#agent.destroy()
  }

  #exchange(request: IncomingMessage, response: ServerResponse): void {
    if (!this.#accept()) {
      request.socket.destroy()
      return
    }
    if (this.#isClosing) response.shouldKeepAlive = false
    void this.#follow(request, false, (context) => new Exchange(request, response, context)).run()
  }

  /** Whether one more request may come in. */
  #accept(): boolean {
    if (this.#isClosing) return false
    this.#accepted++
    if (this.#accepted === this.#options.maxRequests) {
      this.#isClosing = true
      this.#server.close()
    }
    return true
  }

  #follow<Way extends Exchange | Tunnel>(
    request: IncomingMessage,
    isUpgrade: boolean,
    start: (context: ExchangeContext) => Way,
  ): Way {
    const { upstream, clock, begin, onLast } = this.#options
    const own = begin(request, isUpgrade)
    const way = start({
      ...own,
      upstream,
      clock,
      agent: this.#agent,
      onEnd: (call) => {
        own.onEnd(call)
        this.#underWay.delete(way)
        if (this.#isClosing && this.#underWay.size === 0) onLast()
      },
    })
    this.#underWay.add(way)
    return way
  }
}
