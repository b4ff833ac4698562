// What the trace keeps of an exchange: how it went, how much there was, the beginning of the answer.
// Values of headers are not among it.
import type { BoundedCapture } from '@zee/core/bounded'
import { seenBytes, type FunnelCall } from '../funnel-call.ts'
import { bodyPreview } from './body-preview.ts'
import type { Fault } from './inject.ts'

export interface ExchangeFailure {
  code: string
  error?: string
}

export interface SeenExchange {
  method: string
  url: string
  startedAtMs: number
  durationMs: number
  status: number | undefined
  failure: ExchangeFailure | undefined
  firstByteMs: number | undefined
  requestBytes: number
  answer: BoundedCapture
  /** The answer's own word about how it is compressed. */
  encoding: string | undefined
  isUpgrade: boolean
  faults: readonly Fault[]
}

export function exchangeCall(seen: SeenExchange): FunnelCall {
  const { method, url, startedAtMs, durationMs, status, failure, answer } = seen
  const isTunnel = status === 101
  const head = isTunnel ? Buffer.alloc(0) : bodyPreview(answer.head(), seen.encoding)
  return {
    tool: 'http',
    op: 'request',
    startedAtMs,
    durationMs,
    ...verdict(status, failure?.code),
    input: { value: { method, url } },
    out: seenBytes(answer.bytes, head),
    enrichment: {
      http: {
        ...(status === undefined ? {} : { status }),
        reqBytes: seen.requestBytes,
        respBytes: answer.bytes,
        ...(seen.firstByteMs === undefined ? {} : { firstByteMs: Math.round(seen.firstByteMs) }),
        ...(seen.isUpgrade ? { upgraded: isTunnel } : {}),
        ...(failure?.error === undefined ? {} : { error: failure.error }),
        ...(seen.faults.length === 0 ? {} : { injected: seen.faults }),
      },
    },
  }
}

function verdict(
  status: number | undefined,
  failure: string | undefined,
): Pick<FunnelCall, 'ok' | 'code'> {
  if (failure !== undefined) return { ok: false, code: failure }
  if (status === undefined) return { ok: false, code: 'HTTP_PROXY_ERROR' }
  return status < 400 ? { ok: true } : { ok: false, code: `HTTP_${status}` }
}
