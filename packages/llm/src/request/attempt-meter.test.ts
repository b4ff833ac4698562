import { expect, it } from 'vitest'
import { createAttemptMeter } from './attempt-meter.ts'
import type { AbandonedAttempt, ModelEvent, ModelRequest } from './request.ts'

const usage = { inputTokens: 3, outputTokens: 4 }

/** Ends an attempt after these steps; returns what was reported. */
function reports(steps: (meter: ReturnType<typeof createAttemptMeter>) => void) {
  const reported: AbandonedAttempt[] = []
  const request: ModelRequest = {
    model: 'm',
    messages: [],
    onAbandoned: (attempt) => void reported.push(attempt),
  }
  let now = 1000
  const meter = createAttemptMeter(request, 50, () => (now += 7.4))
  steps(meter)
  meter.end()
  meter.end()
  return reported
}

const text: ModelEvent = { type: 'text', text: 'ä' }

it('an attempt that was neither sent nor answered is not reported', () => {
  expect(reports(() => {})).toEqual([])
})

it('a sent attempt without an answer is reported once, with its duration', () => {
  const expected = { usage: undefined, sentBytes: 50, receivedBytes: 0, durationMs: 7 }
  expect(reports((meter) => meter.sent())).toEqual([expected])
})

it('a refused attempt is not reported', () => {
  const refuse = (meter: ReturnType<typeof createAttemptMeter>) => {
    meter.sent()
    meter.refused()
  }
  expect(reports(refuse)).toEqual([])
})

it('an attempt that ends in the middle is reported with the bytes of text, thinking and arguments, and its usage', () => {
  const events: ModelEvent[] = [
    text,
    { type: 'thinking', text: 'abc' },
    { type: 'tool_call_start', id: 'c', name: 'read' },
    { type: 'tool_call_args', id: 'c', json: '{"p":' },
    { type: 'usage', usage },
  ]
  const [report] = reports((meter) => meter.received(events))
  expect(report).toMatchObject({ receivedBytes: 2 + 3 + 5, usage })
})

it('a complete answer is not reported', () => {
  const complete = (meter: ReturnType<typeof createAttemptMeter>) => {
    meter.received([text])
    meter.received([{ type: 'stop', reason: 'end', detail: undefined }])
  }
  expect(reports(complete)).toEqual([])
})
