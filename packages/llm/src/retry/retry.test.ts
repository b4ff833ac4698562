import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { httpStatusError, ModelError, streamError } from '../errors/errors.ts'
import type { ModelEvent } from '../request/request.ts'
import { parseRetryAfter, abortableSleep, withRetries, type RetryWait } from './retry.ts'

interface Outcome {
  events: ModelEvent[]
  error: unknown
  requests: number
  slept: number[]
  waits: RetryWait[]
}

const text: ModelEvent = { type: 'text', text: 'x' }
const usage: ModelEvent = { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } }
const stop: ModelEvent = { type: 'stop', reason: 'end' }

/** Each attempt is a list of events, with an error at the end or not; the last one repeats. */
const run = (...tries: (ModelEvent | Error)[][]): Promise<Outcome> => runAt(1, ...tries)

/** `share` is the random number. */
async function runAt(share: number, ...tries: (ModelEvent | Error)[][]): Promise<Outcome> {
  const outcome: Outcome = { events: [], error: undefined, requests: 0, slept: [], waits: [] }
  async function* attempt(): AsyncGenerator<ModelEvent[]> {
    const steps = tries[Math.min(outcome.requests++, tries.length - 1)] ?? []
    for (const step of steps) {
      if (step instanceof Error) throw step
      yield [step]
    }
  }
  try {
    const retried = withRetries(attempt, {
      signal: new AbortController().signal,
      sleep: async (ms) => void outcome.slept.push(ms),
      random: () => share,
      onRetry: (wait) => void outcome.waits.push(wait),
    })
    for await (const events of retried) outcome.events.push(...events)
  } catch (error) {
    outcome.error = error
  }
  return outcome
}

const status = (code: number, retryAfterMs?: number): ModelError =>
  httpStatusError(code, '', retryAfterMs)

describe('the retry policy', () => {
  it.each([408, 409, 429, 500, 502, 503, 529])(
    'sends at most 3 requests for status %i',
    async (code) => {
      const { requests, slept, error } = await run([status(code)])
      expect(requests).toBe(3)
      expect(slept).toEqual([400, 1600])
      expect(error).toMatchObject({ kind: 'http_status', status: code, message: `HTTP ${code}` })
    },
  )

  it('waits for a quarter less at the smallest random number', async () => {
    expect((await runAt(0, [status(503)])).slept).toEqual([300, 1200])
  })

  it.each([300, 400, 401, 403, 404, 413, 422])('does not retry status %i', async (code) => {
    expect(await run([status(code)])).toMatchObject({ requests: 1, slept: [] })
  })

  it('delivers the events of a successful retry', async () => {
    const { events, error } = await run([status(529)], [streamError('lost')], [text, stop])
    expect(events).toEqual([text, stop])
    expect(error).toBeUndefined()
  })

  it('does not retry once an event has become visible', async () => {
    const { requests, events } = await run([text, streamError('lost')])
    expect(requests).toBe(1)
    expect(events).toEqual([text])
    expect((await run([usage, streamError('lost')], [stop])).requests).toBe(2)
  })

  it('waits for retry-after, also if it is 0', async () => {
    expect((await run([status(429, 0)], [status(429, 2500)], [stop])).slept).toEqual([0, 2500])
  })

  it('waits at most 10 s in total and fails at once if the server requests more', async () => {
    expect((await run([status(429, 6000)])).slept).toEqual([6000])
    expect(await run([status(429, 60_000)])).toMatchObject({ requests: 1, slept: [] })
    expect((await run([status(429, 10_000)], [stop])).slept).toEqual([10_000])
    expect((await run([status(429, 10_001)])).slept).toEqual([])
  })

  it('reports each wait before it starts', async () => {
    const { waits } = await run([status(429, 0)], [status(503)], [stop])
    expect(waits).toMatchObject([
      { attempt: 1, attempts: 3, delayMs: 0, error: { message: 'HTTP 429' } },
      { attempt: 2, attempts: 3, delayMs: 1600, error: { message: 'HTTP 503' } },
    ])
  })

  it("does not retry if onRetry returns 'stop'", async () => {
    let requests = 0
    async function* attempt(): AsyncGenerator<ModelEvent[]> {
      yield [usage]
      requests++
      throw status(503)
    }
    const signal = new AbortController().signal
    const retried = withRetries(attempt, { signal, onRetry: () => 'stop' })
    await retried.next()
    await expect(retried.next()).rejects.toMatchObject({ status: 503 })
    expect(requests).toBe(1)
  })

  it('does not retry errors that are not transient', async () => {
    expect((await run([new Error('bug')])).requests).toBe(1)
    expect((await run([new ModelError('api_error', 'overloaded_error: x')])).requests).toBe(1)
  })

  it('stops waiting when the request is aborted', async () => {
    const stop = new AbortController()
    const reason = new Error('enough')
    async function* attempt(): AsyncGenerator<ModelEvent[]> {
      yield [usage]
      throw status(503, 9000)
    }
    const retried = withRetries(attempt, { signal: stop.signal, onRetry: () => stop.abort(reason) })
    await retried.next()
    await expect(retried.next()).rejects.toBe(reason)
    await expect(abortableSleep(60_000, stop.signal)).rejects.toBe(reason)
  })

  it('leaves no listener on the signal of a request that outlives the wait', async () => {
    const { signal } = new AbortController()
    await abortableSleep(1, signal)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

describe('the retry-after header', () => {
  const now = Date.UTC(2026, 0, 2, 3, 4, 5)

  it.each([
    ['0', 0],
    ['7', 7000],
    ['1.5', 1500],
    ['Fri, 02 Jan 2026 03:04:15 GMT', 10_000],
    ['Fri, 02 Jan 2026 03:04:00 GMT', 0],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%s means %s milliseconds', (value, ms) => {
    expect(parseRetryAfter(value, now)).toBe(ms)
  })
})
