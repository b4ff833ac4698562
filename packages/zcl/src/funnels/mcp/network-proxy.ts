// `zcl mcp proxy --listen --upstream`: the same events for servers that are reached over the network:
// Streamable HTTP (JSON and event streams), WebSocket, and lines over TCP.
import type { Host } from '@zee/core/exit'
import { printJson } from '../../output.ts'
import { openFunnelAttempt } from '../funnel-attempt.ts'
import type { ExchangeObserver } from '../http/exchange.ts'
import { headerValues } from '../http/header-rules.ts'
import { asksForUpgrade, type RequestHead } from '../http/message-head.ts'
import { listenText, parseUpstream, proxyUrl, type ListenAddress } from '../http/proxy-address.ts'
import { ProxyServer } from '../http/proxy-server.ts'
import { serveUntilEnd, type ServingEnd } from '../serve-until-end.ts'
import { openTraceRecorder, type TraceRecorder } from '../trace-recorder.ts'
import { Conversation } from './conversation.ts'
import { FrameReader } from './frame-reader.ts'
import { LineReader } from './line-reader.ts'
import { SilenceWatch } from './silence-watch.ts'
import { SseReader } from './sse-reader.ts'
import { stopEvent, stopWords, type StopReason } from './stop-reason.ts'
import { TcpProxy } from './tcp-proxy.ts'

export interface NetworkProxyOptions {
  listen: ListenAddress
  upstream: NetworkUpstream
  idleTimeoutMs: number | undefined
}

/** `kind` is the scheme without its `s`. */
export interface NetworkUpstream {
  kind: 'http' | 'ws' | 'tcp'
  url: string
}

const signalGraceMs = 1000

/** What a client may not agree upon with the server, because its messages could not be read then. */
const withheld: ReadonlySet<string> = new Set(['accept-encoding', 'sec-websocket-extensions'])

export async function runNetworkProxy(options: NetworkProxyOptions, host: Host): Promise<number> {
  const { context, left } = await openFunnelAttempt(host)
  const recorder = await openTraceRecorder(context, host)
  try {
    const proxy = new NetworkProxy(options, host, recorder)
    return left !== undefined && left <= 0 ? proxy.tell('timeout') : await proxy.serve(left)
  } finally {
    await recorder.close()
  }
}

class NetworkProxy {
  readonly #options: NetworkProxyOptions
  readonly #host: Host
  readonly #recorder: TraceRecorder
  readonly #silence: SilenceWatch
  /** By the id that the server gave a session of Streamable HTTP. */
  readonly #sessions = new Map<string, Conversation>()

  constructor(options: NetworkProxyOptions, host: Host, recorder: TraceRecorder) {
    this.#options = options
    this.#host = host
    this.#recorder = recorder
    this.#silence = new SilenceWatch(host.clock)
  }

  async serve(left: number | undefined): Promise<number> {
    const ending = serveUntilEnd(left)
    const server = this.#server()
    const { idleTimeoutMs, upstream } = this.#options
    if (idleTimeoutMs !== undefined) this.#silence.arm(idleTimeoutMs, () => ending.end('silence'))
    try {
      const address = await server.listen()
      printJson(this.#host, {
        ok: true,
        listenAddr: listenText(address),
        proxyUrl: proxyUrl(address).replace('http:', `${upstream.kind}:`),
        upstream: upstream.url.replace(/\/\/[^/@]*@/, '//'),
      })
      const why = await ending.ended
      await server.close(why === 'signal' ? signalGraceMs : 0, 'MCP_NO_RESPONSE')
      for (const conversation of this.#sessions.values()) conversation.end()
      return this.#tellEnd(why)
    } finally {
      this.#silence.disarm()
      ending.release()
    }
  }

  /** Records and says why it ends; the exit code. */
  tell(reason: StopReason): number {
    const event = stopEvent(reason, { ...noLimits, idleTimeoutMs: this.#options.idleTimeoutMs })
    if (event !== undefined) {
      this.#recorder.record({
        tool: 'mcp',
        durationMs: 0,
        startedAtMs: this.#host.clock.now().getTime(),
        input: { value: { upstream: this.#options.upstream.url } },
        ...event,
      })
    }
    this.#host.stderr.write(`${stopWords(reason)}\n`)
    return 124
  }

  #tellEnd(why: ServingEnd): number {
    if (why === 'deadline') return this.tell('timeout')
    return why === 'silence' ? this.tell('idle-timeout') : 0
  }

  #server(): Pick<ProxyServer, 'listen' | 'close'> {
    const { upstream, listen } = this.#options
    const { clock } = this.#host
    if (upstream.kind === 'tcp') {
      const target = new URL(upstream.url)
      return new TcpProxy({
        listen,
        target: { host: target.hostname.replace(/^\[|\]$/g, ''), port: Number(target.port) },
        begin: () => this.#conversation(),
        noise: () => this.#silence.noise(),
      })
    }
    return new ProxyServer({
      upstream: parseUpstream(upstream.url.replace(/^ws/, 'http')),
      listen,
      clock,
      maxRequests: undefined,
      begin: (request) => ({
        faults: [],
        withheld,
        observer: asksForUpgrade(request) ? this.#socketObserver() : this.#requestObserver(request),
        onEnd: () => {},
      }),
      onLast: () => {},
    })
  }

  #conversation(): Conversation {
    return new Conversation((call) => this.#recorder.record(call), this.#host.clock)
  }

  /** One conversation for each socket, one message in each text. */
  #socketObserver(): ExchangeObserver {
    const conversation = this.#conversation()
    const client = new FrameReader((text) =>
      readDocument(text, (line) => conversation.fromClient(line)),
    )
    const server = new FrameReader((text) =>
      readDocument(text, (line) => conversation.fromServer(line)),
    )
    return {
      request: (chunk) => {
        this.#silence.noise()
        client.push(chunk)
      },
      requestEnded: () => {},
      answer: () => {},
      response: (chunk) => {
        this.#silence.noise()
        server.push(chunk)
      },
      end: () => conversation.end(),
    }
  }

  /**
   * A request carries messages of the client, its answer those of the server. What a session leaves
   * open may still be answered in another request: a broken stream can be taken up again.
   */
  #requestObserver({ headers: asking }: RequestHead): ExchangeObserver {
    const [id] = headerValues(asking, 'mcp-session-id')
    const conversation = id === undefined ? this.#conversation() : this.#session(id)
    const asked = new LineReader((line) => conversation.fromClient(line), { isDocument: true })
    const told = (data: Buffer) => readDocument(data, (line) => conversation.fromServer(line))
    let answer: { push(chunk: Buffer): void; end?(): void } | undefined
    return {
      request: (chunk) => {
        this.#silence.noise()
        asked.push(chunk)
      },
      requestEnded: () => asked.end(),
      answer: ({ headers }) => {
        const [type = ''] = headerValues(headers, 'content-type')
        const isStream = type.startsWith('text/event-stream')
        answer = isStream
          ? new SseReader(told)
          : new LineReader((line) => conversation.fromServer(line), { isDocument: true })
      },
      response: (chunk) => {
        this.#silence.noise()
        answer?.push(chunk)
      },
      end: () => {
        answer?.end?.()
        if (id === undefined) conversation.end()
      },
    }
  }

  #session(id: string): Conversation {
    const known = this.#sessions.get(id)
    if (known !== undefined) return known
    const fresh = this.#conversation()
    this.#sessions.set(id, fresh)
    return fresh
  }
}

const noLimits = {
  maxToolCalls: undefined,
  shutdownOnComplete: false,
  sequential: false,
}

function readDocument(bytes: Buffer, onLine: ConstructorParameters<typeof LineReader>[0]): void {
  const reader = new LineReader(onLine, { isDocument: true })
  reader.push(bytes)
  reader.end()
}
