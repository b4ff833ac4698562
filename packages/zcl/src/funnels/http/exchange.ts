// One request and its answer, streamed between a client and the upstream and counted on the way.
import { request as httpRequest } from 'node:http'
import type { Agent, ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BoundedCapture } from '@zee/core/bounded'
import type { Clock } from '@zee/core/clock'
import { errnoOf } from '@zee/core/errors'
import { previewCaptureBytes } from '@zee/evidence/trace'
import { seenBytes, type FunnelCall } from '../funnel-call.ts'
import { bodyPreview } from './body-preview.ts'
import { hasHeader, requestHeaders, responseHeaders, trailerPairs } from './header-rules.ts'
import type { Fault } from './inject.ts'
import { upstreamPath, type Upstream } from './proxy-address.ts'
import { streamThrough } from './stream-through.ts'

/** Sees what passes, without being able to hold it up. */
export interface ExchangeObserver {
  request(chunk: Buffer): void
  requestEnded(): void
  /** The answer begins. */
  answer(head: IncomingMessage): void
  response(chunk: Buffer): void
  end(): void
}

export interface ExchangeContext {
  upstream: Upstream
  agent: Agent
  clock: Clock
  faults: readonly Fault[]
  observer?: ExchangeObserver
  /** Names of headers of the request that are kept from the upstream. */
  withheld?: ReadonlySet<string>
  /** Called once, when the exchange is over in one way or another; `call` tells how it went. */
  onEnd(call: () => FunnelCall): void
}

export const largestHead = 1024 * 1024

export class Exchange {
  readonly #context: ExchangeContext
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #path: string
  readonly #startedAtMs: number
  readonly #startedMs: number
  readonly #body = new BoundedCapture(previewCaptureBytes)
  #requestBytes = 0
  #status: number | undefined
  #encoding: string | undefined
  #firstByteMs: number | undefined
  #outgoing: ClientRequest | undefined
  #failure: { code: string; error?: string } | undefined
  #isOver = false
  #isRetried = false

  constructor(request: IncomingMessage, response: ServerResponse, context: ExchangeContext) {
    this.#context = context
    this.#request = request
    this.#response = response
    this.#path = upstreamPath(context.upstream, request.url ?? '/')
    this.#startedAtMs = context.clock.now().getTime()
    this.#startedMs = context.clock.monotonicMs()
    request.on('data', (chunk: Buffer) => {
      this.#requestBytes += chunk.length
      context.observer?.request(chunk)
    })
    request.on('end', () => context.observer?.requestEnded())
    request.pause()
    // A client that left: nobody waits for the rest.
    response.on('close', () => {
      if (!response.writableFinished) this.abandon('HTTP_CLIENT_ABORTED')
    })
    response.on('error', () => {})
    request.on('error', () => {})
  }

  async run(): Promise<void> {
    for (const fault of this.#context.faults) {
      if (fault.kind === 'latency') await this.#wait(fault.ms ?? 0)
    }
    if (this.#isOver) return
    const cut = this.#context.faults.find(({ kind }) => kind !== 'latency')
    if (cut?.kind === 'reset') {
      this.#failure = { code: 'HTTP_PROXY_ERROR' }
      this.#request.socket.resetAndDestroy()
      this.#end()
    } else if (cut?.kind === 'status') {
      this.#request.resume()
      this.#answer(cut.status ?? 500, 'injected by zcl\n')
    } else this.#ask()
  }

  /** Gives up: both sides are cut off. */
  abandon(code: string): void {
    if (this.#isOver) return
    this.#failure = { code }
    this.#outgoing?.destroy()
    this.#response.destroy()
    this.#end()
  }

  /** Part of a wait that ends early when the exchange does. */
  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#response.once('close', () => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  #ask(): void {
    const { upstream, agent } = this.#context
    const { method = 'GET', rawHeaders } = this.#request
    const outgoing = (upstream.isSecure ? httpsRequest : httpRequest)({
      agent,
      hostname: upstream.hostname,
      port: upstream.port,
      method,
      path: this.#path,
      headers: requestHeaders(rawHeaders, { ...upstream, method }, this.#context.withheld),
      maxHeaderSize: largestHead,
    })
    this.#outgoing = outgoing
    outgoing.on('continue', () => this.#response.writeContinue())
    outgoing.on('information', (info) => this.#passHints(info.statusCode, info.headers.link))
    outgoing.on('response', (answer) => this.#passAnswer(answer))
    outgoing.on('error', (error) => this.#failed(outgoing, error))
    if (this.#hasBody()) this.#passBody(outgoing)
    else outgoing.end()
  }

  #hasBody(): boolean {
    const { rawHeaders } = this.#request
    return hasHeader(rawHeaders, 'transfer-encoding') || hasHeader(rawHeaders, 'content-length')
  }

  #passBody(outgoing: ClientRequest): void {
    streamThrough(this.#request, outgoing, (last) => {
      const trailers = trailerPairs(this.#request.rawTrailers)
      if (trailers.length > 0) outgoing.addTrailers(trailers)
      outgoing.end(last)
    })
  }

  #passHints(status: number, link: string | string[] | undefined): void {
    if (status === 103 && link !== undefined) this.#response.writeEarlyHints({ link })
    else if (status === 102) this.#response.writeProcessing()
  }

  #passAnswer(answer: IncomingMessage): void {
    const response = this.#response
    this.#status = answer.statusCode ?? 0
    this.#encoding = answer.headers['content-encoding']
    this.#firstByteMs = this.#elapsedMs()
    response.sendDate = false
    response.writeHead(this.#status, answer.statusMessage ?? '', responseHeaders(answer.rawHeaders))
    this.#context.observer?.answer(answer)
    answer.on('data', (chunk: Buffer) => {
      this.#body.push(chunk)
      this.#context.observer?.response(chunk)
    })
    this.#sendHeadSoon(response)
    streamThrough(answer, response, (last) => {
      const trailers = trailerPairs(answer.rawTrailers)
      if (trailers.length > 0) response.addTrailers(trailers)
      response.end(last, () => this.#end())
    })
    answer.on('error', (error) => this.#brokeOff(error))
    answer.on('aborted', () => this.#brokeOff(undefined))
  }

  /** An answer that comes bit by bit begins with its head; otherwise that goes with the body. */
  #sendHeadSoon(response: ServerResponse): void {
    setImmediate(() => {
      // The bytes of headers are not UTF-8 to us.
      if (this.#body.bytes === 0 && !response.writableEnded) response.write('', 'latin1')
    })
  }

  /** The upstream did not come to its end, and the client has to see that. */
  #brokeOff(error: unknown): void {
    if (this.#isOver) return
    this.#failure = { code: 'HTTP_PROXY_ERROR', error: errnoOf(error) ?? 'ECONNRESET' }
    this.#response.destroy()
    this.#end()
  }

  #failed(outgoing: ClientRequest, error: Error): void {
    if (this.#isOver) return
    if (this.#status !== undefined) {
      // The answer is under way; whether it is whole is for its own stream to say.
      return
    }
    // A kept connection may have been closed by the other side just when it was used again.
    if (outgoing.reusedSocket && !this.#isRetried && !this.#hasBody()) {
      this.#isRetried = true
      this.#ask()
      return
    }
    this.#failure = {
      code: 'HTTP_PROXY_ERROR',
      error: errnoOf(error) ?? error.message.slice(0, 200),
    }
    this.#request.resume()
    this.#answer(502, 'the upstream cannot be reached\n')
  }

  /** An answer of our own. */
  #answer(status: number, text: string): void {
    const body = Buffer.from(text)
    this.#status = status
    this.#body.push(body)
    this.#response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' })
    this.#response.end(body, () => this.#end())
  }

  #elapsedMs(): number {
    return this.#context.clock.monotonicMs() - this.#startedMs
  }

  #end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#context.observer?.end()
    const durationMs = this.#elapsedMs()
    this.#context.onEnd(() => this.#call(durationMs))
  }

  #call(durationMs: number): FunnelCall {
    const { upstream, faults } = this.#context
    const status = this.#status
    const failure = this.#failure
    const { bytes } = this.#body
    return {
      tool: 'http',
      op: 'request',
      startedAtMs: this.#startedAtMs,
      durationMs,
      ...verdict(status, failure?.code),
      input: { value: { method: this.#request.method, url: upstream.origin + this.#path } },
      out: seenBytes(bytes, bodyPreview(this.#body.head(), this.#encoding)),
      enrichment: {
        http: {
          ...(status === undefined ? {} : { status }),
          reqBytes: this.#requestBytes,
          respBytes: bytes,
          ...(this.#firstByteMs === undefined
            ? {}
            : { firstByteMs: Math.round(this.#firstByteMs) }),
          ...(failure?.error === undefined ? {} : { error: failure.error }),
          ...(faults.length === 0 ? {} : { injected: faults }),
        },
      },
    }
  }
}

export function verdict(
  status: number | undefined,
  failure: string | undefined,
): { ok: boolean; code?: string } {
  if (failure !== undefined) return { ok: false, code: failure }
  if (status === undefined) return { ok: false, code: 'HTTP_PROXY_ERROR' }
  return status < 400 ? { ok: true } : { ok: false, code: `HTTP_${status}` }
}
