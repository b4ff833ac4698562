// Collects the trace event of an exchange: verdict, sizes, timing and a preview of the answer. Header values
// are never recorded.
import { BoundedCapture } from '@zee/core/bounded'
import type { Clock } from '@zee/core/clock'
import { previewCaptureBytes } from '@zee/evidence/trace'
import { streamPreview, type FunnelCall, type StreamPreview } from '../../trace/trace.ts'
import { jsonUsage } from '../event-stream/event-stream.ts'
import { AnswerStream } from './answer-stream.ts'
import { bodyPreview } from './body-preview.ts'
import { headerValues } from '../headers.ts'
import type { Fault } from '../../../faults/faults.ts'
import type { AnswerHead } from '../head/head.ts'

export interface RecordedRequest {
  method: string
  /** The URL at the upstream, or the target of a refused request; not redacted yet. */
  url: string
  isUpgrade: boolean
  faults: readonly Fault[]
  /** Content-Encoding of the body. */
  encoding: string | undefined
  /** The base path of the upstream; empty for the root. */
  basePath: string
}

interface RecordedAnswer {
  out: StreamPreview
  /** Tokens that the answer of a model reports. */
  usage: Record<string, unknown> | undefined
}

const noBytes = Buffer.alloc(0)

/** The call of a CONNECT that the proxy refuses. */
export function refusedTunnel(target: string, status: number, clock: Clock): () => FunnelCall {
  const request = { method: 'CONNECT', url: target, isUpgrade: false, encoding: undefined }
  const record = new ExchangeRecord({ ...request, faults: [], basePath: '' }, clock)
  record.status = status
  return record.end()
}

export class ExchangeRecord {
  readonly #request: RecordedRequest
  readonly #clock: Clock
  readonly #startedAtMs: number
  readonly #startedMs: number
  readonly #answer = new BoundedCapture(previewCaptureBytes)
  readonly #body = new BoundedCapture(previewCaptureBytes)
  #stream: AnswerStream | undefined
  /** Content-Encoding of the answer. */
  #encoding: string | undefined
  #firstByteMs: number | undefined
  status: number | undefined
  /** What was injected. */
  faults: readonly Fault[]
  failure: { code: string; error?: string } | undefined

  constructor(request: RecordedRequest, clock: Clock) {
    this.#request = request
    this.faults = request.faults
    this.#clock = clock
    this.#startedAtMs = clock.now().getTime()
    this.#startedMs = clock.monotonicMs()
  }

  startAnswer({ status, headers }: AnswerHead): void {
    this.status = status
    this.#encoding = headerValues(headers, 'content-encoding')[0]
    const [type = ''] = headerValues(headers, 'content-type')
    if (/^text\/event-stream\b/i.test(type)) this.#stream = new AnswerStream(this.#encoding)
    this.#firstByteMs = this.#elapsedMs()
  }

  answer(content: Buffer): void {
    this.#answer.push(content)
    this.#stream?.push(content)
  }

  request(content: Buffer): void {
    this.#body.push(content)
  }

  get requestBytes(): number {
    return this.#body.bytes
  }

  /** Stops the clock and returns a function that builds the event later. */
  end(): () => FunnelCall {
    const durationMs = this.#elapsedMs()
    return () => this.#call(durationMs)
  }

  #elapsedMs(): number {
    return this.#clock.monotonicMs() - this.#startedMs
  }

  #call(durationMs: number): FunnelCall {
    const { method, url, isUpgrade, basePath } = this.#request
    const { status, faults, failure, requestBytes: reqBytes } = this
    const isTunnel = status === 101
    const { out, usage } = isTunnel ? this.#tunnelled() : this.#answered()
    const injected = faults.length === 0 ? {} : { injected: faults }
    return {
      tool: 'http',
      op: 'request',
      startedAtMs: this.#startedAtMs,
      durationMs,
      ...this.#verdict(),
      input: { http: { method, url, ...(isTunnel ? {} : this.#requestBody()) } },
      out,
      enrichment: {
        http: {
          status,
          reqBytes,
          respBytes: out.bytes,
          ...(this.#firstByteMs === undefined
            ? {}
            : { firstByteMs: Math.round(this.#firstByteMs) }),
          ...(basePath === '' ? {} : { basePath }),
          usage,
          ...(isUpgrade ? { upgraded: isTunnel } : {}),
          ...(failure?.error === undefined ? {} : { error: failure.error }),
          ...injected,
        },
        ...injected,
      },
    }
  }

  #tunnelled(): RecordedAnswer {
    return { out: streamPreview(this.#answer.bytes, noBytes), usage: undefined }
  }

  #answered(): RecordedAnswer {
    const { bytes } = this.#answer
    if (this.#stream !== undefined) {
      const { text, isCut, usage } = this.#stream.end()
      return { out: streamPreview(bytes, Buffer.from(text), !isCut), usage }
    }
    const captured = this.#answer.head()
    const head = bodyPreview(captured, this.#encoding)
    const isWhole = captured.length >= bytes && head.length < previewCaptureBytes
    const usage = isWhole ? jsonUsage(head.toString('utf8')) : undefined
    // A body of which nothing is shown is not whole.
    return { out: streamPreview(bytes, head, isWhole && (head.length > 0 || bytes === 0)), usage }
  }

  #requestBody(): { body?: StreamPreview } {
    const { bytes } = this.#body
    const captured = this.#body.head()
    const head = bodyPreview(captured, this.#request.encoding)
    if (head.length === 0) return {}
    const isWhole = captured.length >= bytes && head.length < previewCaptureBytes
    return { body: streamPreview(bytes, head, isWhole) }
  }

  #verdict(): Pick<FunnelCall, 'ok' | 'code'> {
    const { status, failure } = this
    if (failure !== undefined) return { ok: false, code: failure.code }
    if (status === undefined) return { ok: false, code: 'HTTP_PROXY_ERROR' }
    return status < 400 ? { ok: true } : { ok: false, code: `HTTP_${status}` }
  }
}
