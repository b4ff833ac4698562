// `zcl http proxy`: a reverse proxy that changes nothing and records every exchange.
import { Agent, createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import type { AddressInfo } from 'node:net'
import { reasonOf } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { zclError } from '@zee/evidence/errors'
import { printJson } from '../../output.ts'
import { armDeadline, openFunnelAttempt } from '../funnel-attempt.ts'
import { openTraceRecorder, type TraceRecorder } from '../trace-recorder.ts'
import { Exchange, largestHead, type ExchangeContext } from './exchange.ts'
import { faultsFor, seededRandom, type InjectRule } from './inject.ts'
import { listenText, proxyUrl, type ListenAddress, type Upstream } from './proxy-address.ts'
import { Tunnel } from './tunnel.ts'

export interface HttpProxyOptions {
  upstream: Upstream
  listen: ListenAddress
  maxRequests: number | undefined
  inject: readonly InjectRule[]
  injectSeed: number | undefined
}

type End = 'signal' | 'deadline' | 'count'

/** What is still under way when a signal comes gets so long to end. */
const signalGraceMs = 1000

export async function runHttpProxy(options: HttpProxyOptions, host: Host): Promise<number> {
  const { context, left } = await openFunnelAttempt(host)
  if (left !== undefined && left <= 0) {
    throw zclError('ZCL_E_TIMEOUT', 'the deadline of the attempt has passed; nothing was started')
  }
  const recorder = await openTraceRecorder(context, host)
  const proxy = new HttpProxy(options, host, recorder)
  try {
    return await proxy.serve(left)
  } finally {
    await recorder.close()
  }
}

class HttpProxy {
  readonly #options: HttpProxyOptions
  readonly #host: Host
  readonly #recorder: TraceRecorder
  readonly #server: Server
  readonly #agent: Agent
  readonly #random: () => number
  readonly #underWay = new Set<Exchange | Tunnel>()
  #accepted = 0
  #isClosing = false
  #end: (why: End) => void = () => {}

  constructor(options: HttpProxyOptions, host: Host, recorder: TraceRecorder) {
    this.#options = options
    this.#host = host
    this.#recorder = recorder
    this.#agent = new (options.upstream.isSecure ? SecureAgent : Agent)({ keepAlive: true })
    this.#random = options.injectSeed === undefined ? Math.random : seededRandom(options.injectSeed)
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
      else this.#follow((context) => new Tunnel(request, socket, context)).run(head)
    })
  }

  /** Serves until there is a reason to end. */
  async serve(left: number | undefined): Promise<number> {
    const ended = new Promise<End>((resolve) => {
      this.#end = resolve
    })
    const onSignal = (): void => this.#end('signal')
    for (const signal of endSignals) process.on(signal, onSignal)
    const disarm = armDeadline(left, () => this.#end('deadline'))
    try {
      const address = await this.#listen()
      printJson(this.#host, {
        ok: true,
        listenAddr: listenText(address),
        proxyUrl: proxyUrl(address),
        upstream: this.#options.upstream.origin + this.#options.upstream.basePath,
      })
      const why = await ended
      await this.#close(why)
      if (why !== 'deadline') return 0
      this.#host.stderr.write('ZCL_E_TIMEOUT: the deadline of the attempt ended the proxy\n')
      return 124
    } finally {
      disarm()
      for (const signal of endSignals) process.off(signal, onSignal)
    }
  }

  #listen(): Promise<AddressInfo> {
    const { host, port } = this.#options.listen
    return new Promise((resolve, reject) => {
      this.#server.once('error', (error) => {
        const place = `${host}:${port}`
        reject(zclError('ZCL_E_IO', `cannot listen on ${place}: ${reasonOf(error)}`, error))
      })
      this.#server.listen({ host, port }, () => resolve(this.#server.address() as AddressInfo))
    })
  }

  #exchange(request: IncomingMessage, response: ServerResponse): void {
    if (!this.#accept()) {
      request.socket.destroy()
      return
    }
    if (this.#isClosing) response.shouldKeepAlive = false
    void this.#follow((context) => new Exchange(request, response, context)).run()
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

  #follow<Way extends Exchange | Tunnel>(begin: (context: ExchangeContext) => Way): Way {
    const way = begin({
      upstream: this.#options.upstream,
      agent: this.#agent,
      clock: this.#host.clock,
      faults: faultsFor(this.#options.inject, this.#random),
      onEnd: (call) => {
        this.#recorder.record(call)
        this.#underWay.delete(way)
        if (this.#isClosing && this.#underWay.size === 0) this.#end('count')
      },
    })
    this.#underWay.add(way)
    return way
  }

  /** Takes no more, lets what is under way end where there is time for that, and lets go of all. */
  async #close(why: End): Promise<void> {
    this.#isClosing = true
    this.#server.close()
    const deadline = this.#host.clock.monotonicMs() + (why === 'signal' ? signalGraceMs : 0)
    while (this.#underWay.size > 0 && this.#host.clock.monotonicMs() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    for (const way of this.#underWay) {
      way.abandon(why === 'deadline' ? 'ZCL_E_TIMEOUT' : 'HTTP_PROXY_ERROR')
    }
    // The last answer has been handed to the system; only idle connections are left.
    this.#server.closeIdleConnections()
    setTimeout(() => this.#server.closeAllConnections(), 100).unref()
    this.#agent.destroy()
  }
}

const endSignals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
