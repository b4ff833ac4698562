// The retry policy: at most 3 requests and 10 s of waiting in total, never before `retry-after`,
// and only while no event has become visible to the caller.
import { ModelError } from '../errors/errors.ts'
import type { ModelEvent } from '../request/request.ts'

export interface RetryWait {
  /** Number of the failed request, counted from 1. */
  attempt: number
  /** Maximum number of requests. */
  attempts: number
  delayMs: number
  error: ModelError
}

/**
 * Called before each wait. `'stop'` fails the request with the error of the last attempt; any other
 * result retries it.
 */
export type OnRetry = (wait: RetryWait) => 'retry' | 'stop' | void

interface RetryOptions {
  signal: AbortSignal
  onRetry?: OnRetry | undefined
  sleep?: Sleep | undefined
  /** Returns a number from 0 up to 1; jitter spreads the retries of several clients. */
  random?: (() => number) | undefined
}

/** Rejects with the signal's reason when it fires. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>

/** One request: its events, in the groups in which they arrived. */
type Attempt = () => AsyncIterable<readonly ModelEvent[]>

const maxAttempts = 3
const maxTotalWaitMs = 10_000
const initialDelayMs = 400
const delayGrowth = 4

export async function* withRetries(
  attempt: Attempt,
  options: RetryOptions,
): AsyncGenerator<readonly ModelEvent[]> {
  const sleep = options.sleep ?? abortableSleep
  let waited = 0
  for (let number = 1; ; number++) {
    let visible = false
    try {
      for await (const events of attempt()) {
        visible ||= events.some(isVisible)
        yield events
      }
      return
    } catch (error) {
      if (options.signal.aborted) throw options.signal.reason
      if (visible || !(error instanceof ModelError)) throw error
      const delayMs = retryDelay(error, number, options.random ?? Math.random)
      if (delayMs === undefined || waited + delayMs > maxTotalWaitMs) throw error
      const decision = options.onRetry?.({
        attempt: number,
        attempts: maxAttempts,
        delayMs,
        error,
      })
      if (decision === 'stop') throw error
      await sleep(delayMs, options.signal)
      waited += delayMs
    }
  }
}

/** The value of a `retry-after` header (seconds or a date) in milliseconds. */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim()
  if (text === undefined || text === '') return undefined
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000)
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs)
}

/** Resolves after `ms`; an abort rejects at once. */
export function abortableSleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const onAbort = (): void => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal.addEventListener('abort', onAbort)
  })
}

function isVisible(event: ModelEvent): boolean {
  return event.type !== 'usage'
}

/** Milliseconds before the next request; undefined if the error must not be retried. */
function retryDelay(error: ModelError, number: number, random: () => number): number | undefined {
  if (!error.transient || number >= maxAttempts) return undefined
  if (error.retryAfterMs !== undefined) return error.retryAfterMs
  const full = initialDelayMs * delayGrowth ** (number - 1)
  return Math.round(full * (0.75 + random() * 0.25))
}
