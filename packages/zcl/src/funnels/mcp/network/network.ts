// `zcl mcp proxy --upstream`: proxies MCP servers on the network: Streamable HTTP (JSON and event streams),
// WebSocket, and lines over TCP. Records the same events as the stdio proxy.
import type { Host } from '@zee/core/exit'
import { printJson } from '../../../output/output.ts'
import type { InjectSettings } from '../../../faults/faults.ts'
import { withoutCredentials } from '../../../url/url.ts'
import type { AttemptContext } from '@zee/evidence/attempt'
import { serveVariable } from '../../../served/served.ts'
import { openFunnelAttempt } from '../../attempt.ts'
import { requestsUpgrade, ProxyServer } from '../../http/http.ts'
import { listenText, parseUpstream, proxyUrl, type ListenAddress } from '../../funnels.ts'
import { serveUntilEnd, type ServingEnd } from '../../serve-until-end.ts'
import { openTraceRecorder, type TraceRecorder } from '../../trace/trace.ts'
import { Conversation } from '../conversation.ts'
import { AnswerFaults, ProxyFaults } from '../faults/faults.ts'
import type { NetworkContext } from './context.ts'
import { NetworkGate } from './gate.ts'
import type { ProxyLimits } from '../limits.ts'
import { needsGate } from '../request-gate.ts'
import { IdleTimer } from '../idle-timer.ts'
import { stopEvent, stopExitCode, stopMessage, type StopReason } from '../stop-reason.ts'
import type { ServedServer } from './served-upstream.ts'
import { StreamableHttp } from './streamable-http.ts'
import { TcpProxy } from './tcp.ts'
import { watchSocket } from './web-socket.ts'

export interface NetworkProxyOptions {
  listen: ListenAddress
  upstream: NetworkUpstream
  limits: ProxyLimits
  inject: InjectSettings
  /** The folder of the attempt; the environment names it by default. */
  attempt: string | undefined
}

/** `kind` is the scheme without a trailing `s`. */
export interface NetworkUpstream {
  kind: 'http' | 'ws' | 'tcp'
  url: string
}

const signalGraceMs = 1000

/** Headers that would negotiate an encoding that the proxy cannot read. */
const droppedHeaders: ReadonlySet<string> = new Set(['accept-encoding', 'sec-websocket-extensions'])

export async function runNetworkProxy(options: NetworkProxyOptions, host: Host): Promise<number> {
  const { context, leftMs } = await openFunnelAttempt(host, options.attempt)
  const served = await openServedServer(options.upstream, context, host)
  const recorder = await openTraceRecorder(context, host)
  try {
    const parts = { host, recorder, attemptId: context.identity.attemptId, served }
    const proxy = new NetworkProxy(options, parts)
    return leftMs !== undefined && leftMs <= 0
      ? proxy.reportStop('timeout')
      : await proxy.serve(leftMs)
  } finally {
    await recorder.close()
    served?.close()
  }
}

/** In a fork, the answers of the server come from a trace. */
async function openServedServer(upstream: NetworkUpstream, context: AttemptContext, host: Host) {
  const plan = host.env[serveVariable] ?? ''
  if (plan === '') return undefined
  const { servedServer } = await import('./served-upstream.ts')
  return servedServer(plan, upstream, context, host)
}

interface ProxyParts {
  host: Host
  recorder: TraceRecorder
  attemptId: string
  /** A stand-in that answers from a trace. */
  served: ServedServer | undefined
}

class NetworkProxy {
  readonly #options: NetworkProxyOptions
  readonly #host: Host
  readonly #served: ServedServer | undefined
  readonly #recorder: TraceRecorder
  readonly #idleTimer: IdleTimer
  readonly #context: NetworkContext
  readonly #http: StreamableHttp
  #clients = 0
  #end: (why: ServingEnd) => void = () => {}

  constructor(options: NetworkProxyOptions, parts: ProxyParts) {
    const { host, recorder, attemptId } = parts
    const { limits, inject } = options
    const faults = inject.rules.length === 0 ? undefined : new ProxyFaults(inject, attemptId)
    const record = recorder.record.bind(recorder)
    this.#options = options
    this.#host = host
    this.#served = parts.served
    this.#recorder = recorder
    this.#idleTimer = new IdleTimer(host.clock)
    this.#context = {
      conversation: () =>
        new Conversation(
          record,
          host.clock,
          faults === undefined ? undefined : new AnswerFaults(faults),
        ),
      touch: () => this.#idleTimer.touch(),
      gate: needsGate(limits) ? new NetworkGate(limits, () => this.#end('limit')) : undefined,
      clientJoined: () => {
        this.#clients++
      },
      clientLeft: () => {
        if (--this.#clients === 0 && limits.shutdownOnComplete) this.#end('done')
      },
    }
    this.#http = new StreamableHttp(this.#context)
  }

  async serve(leftMs: number | undefined): Promise<number> {
    const ending = serveUntilEnd(leftMs)
    this.#end = ending.end
    const server = this.#server()
    const { limits, upstream } = this.#options
    const { idleTimeoutMs } = limits
    if (idleTimeoutMs !== undefined) this.#idleTimer.arm(idleTimeoutMs, () => ending.end('idle'))
    try {
      const address = await server.listen()
      printJson(this.#host, {
        ok: true,
        listenAddr: listenText(address),
        proxyUrl: proxyUrl(address).replace('http:', `${upstream.kind}:`),
        upstream: withoutCredentials(upstream.url),
      })
      const why = await ending.ended
      await server.close(why === 'signal' ? signalGraceMs : 0, 'MCP_NO_RESPONSE')
      this.#http.end()
      return this.#reportEnd(why)
    } finally {
      this.#context.gate?.close()
      this.#idleTimer.disarm()
      ending.release()
    }
  }

  /** Records and prints the stop reason; returns the exit code. */
  reportStop(reason: StopReason): number {
    const event = stopEvent(reason, this.#options.limits)
    if (event !== undefined) {
      this.#recorder.record({
        tool: 'mcp',
        durationMs: 0,
        startedAtMs: this.#host.clock.now().getTime(),
        input: { value: { upstream: withoutCredentials(this.#options.upstream.url) } },
        ...event,
      })
    }
    this.#host.stderr.write(`${stopMessage(reason)}\n`)
    return stopExitCode(reason) ?? 0
  }

  #reportEnd(why: ServingEnd): number {
    if (why === 'deadline') return this.reportStop('timeout')
    if (why === 'idle') return this.reportStop('idle-timeout')
    return why === 'limit' ? this.reportStop('limit') : 0
  }

  #server(): Pick<ProxyServer, 'listen' | 'close'> {
    const { upstream, listen } = this.#options
    const served = this.#served && { host: '127.0.0.1', port: this.#served.port }
    if (upstream.kind === 'tcp') {
      const { hostname, port } = new URL(upstream.url)
      const target = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) }
      return new TcpProxy({ listen, target: served ?? target, context: this.#context })
    }
    return new ProxyServer({
      upstream: parseUpstream(upstream.url.replace(/^ws/i, 'http')),
      ...(served === undefined
        ? {}
        : { connectTo: parseUpstream(`http://127.0.0.1:${served.port}`) }),
      listen,
      clock: this.#host.clock,
      maxRequests: undefined,
      begin: (request) => ({
        faults: [],
        droppedHeaders,
        ...(requestsUpgrade(request) ? watchSocket(this.#context) : this.#http.watch(request)),
        onEnd: () => {},
      }),
      onLast: () => {},
    })
  }
}
