// An upgraded connection (WebSocket and the like): after the handshake both sides are just bytes.
import { request as httpRequest } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Duplex } from 'node:stream'
import { errnoOf } from '@zee/core/errors'
import type { FunnelCall } from '../funnel-call.ts'
import { largestHead, verdict, type ExchangeContext } from './exchange.ts'
import { upgradeHeaders } from './header-rules.ts'
import { upstreamPath } from './proxy-address.ts'

export class Tunnel {
  readonly #context: ExchangeContext
  readonly #request: IncomingMessage
  readonly #client: Duplex
  readonly #path: string
  readonly #startedAtMs: number
  readonly #startedMs: number
  #upstream: Duplex | undefined
  #status: number | undefined
  #failure: { code: string; error?: string } | undefined
  #fromClient = 0
  #fromUpstream = 0
  #isOver = false

  constructor(request: IncomingMessage, client: Duplex, context: ExchangeContext) {
    this.#context = context
    this.#request = request
    this.#client = client
    this.#path = upstreamPath(context.upstream, request.url ?? '/')
    this.#startedAtMs = context.clock.now().getTime()
    this.#startedMs = context.clock.monotonicMs()
    client.on('error', () => {})
    client.on('close', () => this.#end())
  }

  /** `head` is what the client has sent behind its handshake already. */
  run(head: Buffer): void {
    const { upstream } = this.#context
    const outgoing = (upstream.isSecure ? httpsRequest : httpRequest)({
      agent: false,
      hostname: upstream.hostname,
      port: upstream.port,
      method: this.#request.method,
      path: this.#path,
      headers: upgradeHeaders(this.#request.rawHeaders, upstream.host, this.#context.withheld),
      maxHeaderSize: largestHead,
    })
    outgoing.on('upgrade', (answer, socket, rest) => {
      this.#begin(answer, socket)
      this.#join(socket, head, rest)
    })
    outgoing.on('response', (answer) => this.#refused(answer))
    outgoing.on('error', (error) => this.#unreachable(error))
    outgoing.end()
  }

  abandon(code: string): void {
    if (this.#isOver) return
    this.#failure = { code }
    this.#client.destroy()
    this.#end()
  }

  #begin(answer: IncomingMessage, socket: Duplex): void {
    this.#status = answer.statusCode ?? 0
    this.#upstream = socket
    this.#context.observer?.answer(answer)
    this.#client.write(headText(answer), 'latin1')
  }

  #join(socket: Duplex, head: Buffer, rest: Buffer): void {
    this.#fromClient += head.length
    this.#fromUpstream += rest.length
    if (rest.length > 0) this.#client.write(rest)
    if (head.length > 0) socket.write(head)
    const { observer } = this.#context
    if (head.length > 0) observer?.request(head)
    if (rest.length > 0) observer?.response(rest)
    this.#client.on('data', (chunk: Buffer) => {
      this.#fromClient += chunk.length
      observer?.request(chunk)
    })
    socket.on('data', (chunk: Buffer) => {
      this.#fromUpstream += chunk.length
      observer?.response(chunk)
    })
    socket.on('error', () => this.#client.destroy())
    socket.on('close', () => this.#client.destroy())
    this.#client.pipe(socket)
    socket.pipe(this.#client)
  }

  /** The upstream would rather answer than change the protocol. */
  #refused(answer: IncomingMessage): void {
    this.#status = answer.statusCode ?? 0
    this.#client.write(headText(answer, true), 'latin1')
    answer.on('data', (chunk: Buffer) => {
      this.#fromUpstream += chunk.length
    })
    answer.pipe(this.#client)
  }

  #unreachable(error: Error): void {
    if (this.#isOver || this.#status !== undefined) return
    this.#failure = { code: 'HTTP_PROXY_ERROR', error: errnoOf(error) ?? 'ECONNRESET' }
    this.#status = 502
    this.#client.end('HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
  }

  #end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#context.observer?.end()
    this.#upstream?.destroy()
    const durationMs = this.#context.clock.monotonicMs() - this.#startedMs
    this.#context.onEnd(() => this.#call(durationMs))
  }

  #call(durationMs: number): FunnelCall {
    const status = this.#status
    const failure = this.#failure
    return {
      tool: 'http',
      op: 'request',
      startedAtMs: this.#startedAtMs,
      durationMs,
      ...verdict(status, failure?.code),
      input: {
        value: {
          method: this.#request.method,
          url: this.#context.upstream.origin + this.#path,
        },
      },
      out: { bytes: this.#fromUpstream, head: '' },
      enrichment: {
        http: {
          ...(status === undefined ? {} : { status }),
          reqBytes: this.#fromClient,
          respBytes: this.#fromUpstream,
          upgraded: status === 101,
          ...(failure?.error === undefined ? {} : { error: failure.error }),
        },
      },
    }
  }
}

/** The head of an answer as it came; with `isLast` the connection ends behind it. */
function headText(answer: IncomingMessage, isLast = false): string {
  const lines = [`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}`]
  for (let at = 0; at + 1 < answer.rawHeaders.length; at += 2) {
    const name = answer.rawHeaders[at] ?? ''
    if (isLast && /^(?:connection|transfer-encoding|keep-alive)$/i.test(name)) continue
    lines.push(`${name}: ${answer.rawHeaders[at + 1] ?? ''}`)
  }
  if (isLast) lines.push('Connection: close')
  return `${lines.join('\r\n')}\r\n\r\n`
}
