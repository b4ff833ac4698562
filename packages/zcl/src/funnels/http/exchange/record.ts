// Collects the trace event of an exchange: verdict, sizes, timing and a preview of the answer. Header values
// are never recorded.
import { BoundedCapture } from '@zee/core/bounded'
import type { Clock } from '@zee/core/clock'
import { previewCaptureBytes } from '@zee/evidence/trace'
import { streamPreview, type FunnelCall } from '../../trace/trace.ts'
import { bodyPreview } from './body-preview.ts'
import { headerValues } from '../headers.ts'
import type { Fault } from '../../faults.ts'
import type { AnswerHead } from '../head/head.ts'

export interface RecordedRequest {
  method: string
  /** The URL at the upstream, not redacted yet. */
  url: string
  isUpgrade: boolean
  faults: readonly Fault[]
}

const noBytes = Buffer.alloc(0)

export class ExchangeRecord {
  readonly #request: RecordedRequest
  readonly #clock: Clock
  readonly #startedAtMs: number
  readonly #startedMs: number
  readonly #answer = new BoundedCapture(previewCaptureBytes)
  /** Content-Encoding of the answer. */
  #encoding: string | undefined
  #firstByteMs: number | undefined
  requestBytes = 0
  status: number | undefined
  failure: { code: string; error?: string } | undefined

  constructor(request: RecordedRequest, clock: Clock) {
    this.#request = request
    this.#clock = clock
    this.#startedAtMs = clock.now().getTime()
    this.#startedMs = clock.monotonicMs()
  }

  startAnswer({ status, headers }: AnswerHead): void {
    this.status = status
    this.#encoding = headerValues(headers, 'content-encoding')[0]
    this.#firstByteMs = this.#elapsedMs()
  }

  answer(content: Buffer): void {
    this.#answer.push(content)
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
    const { method, url, isUpgrade, faults } = this.#request
    const { status, failure, requestBytes: reqBytes } = this
    const { bytes } = this.#answer
    const isTunnel = status === 101
    const head = isTunnel ? noBytes : bodyPreview(this.#answer.head(), this.#encoding)
    return {
      tool: 'http',
      op: 'request',
      startedAtMs: this.#startedAtMs,
      durationMs,
      ...this.#verdict(),
      input: { value: { method, url } },
      out: streamPreview(bytes, head),
      enrichment: {
        http: {
          ...(status === undefined ? {} : { status }),
          reqBytes,
          respBytes: bytes,
          ...(this.#firstByteMs === undefined
            ? {}
            : { firstByteMs: Math.round(this.#firstByteMs) }),
          ...(isUpgrade ? { upgraded: isTunnel } : {}),
          ...(failure?.error === undefined ? {} : { error: failure.error }),
          ...(faults.length === 0 ? {} : { injected: faults }),
        },
      },
    }
  }

  #verdict(): Pick<FunnelCall, 'ok' | 'code'> {
    const { status, failure } = this
    if (failure !== undefined) return { ok: false, code: failure.code }
    if (status === undefined) return { ok: false, code: 'HTTP_PROXY_ERROR' }
    return status < 400 ? { ok: true } : { ok: false, code: `HTTP_${status}` }
  }
}
