import type { ModelEvent } from '@zee/llm'
import { describe, expect, it } from 'vitest'
import { answerLimits, startAnswerDeadline } from './answer-limits.ts'
import type { Turn } from './options.ts'

/** The message of the first event that exceeds a limit. */
function exceeded(events: Iterable<ModelEvent>): string | undefined {
  const check = answerLimits()
  try {
    for (const event of events) check(event)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

const mebibyte = 'x'.repeat(1024 * 1024)
const repeat = (count: number, event: ModelEvent) => Array.from({ length: count }, () => event)
const text = (value: string): ModelEvent => ({ type: 'text', text: value })
const args = (id: string, json: string): ModelEvent => ({ type: 'tool_call_args', id, json })

describe('answerLimits', () => {
  it('stops an answer with more than 16 MiB of text and thinking', () => {
    const events = [
      ...repeat(8, text(mebibyte)),
      ...repeat(8, { type: 'thinking', text: mebibyte } as const),
    ]
    expect(exceeded(events)).toBeUndefined()
    expect(exceeded([...events, text('x')])).toBe(
      'the answer was stopped: it has more than 16 MiB of text',
    )
  })

  it('stops an answer with a tool call of more than 8 MiB', () => {
    const events = [...repeat(8, args('a', mebibyte)), ...repeat(8, args('b', mebibyte))]
    expect(exceeded(events)).toBeUndefined()
    expect(exceeded([...events, args('a', 'x')])).toBe(
      'the answer was stopped: it has a tool call of more than 8 MiB',
    )
  })

  it('stops an answer with more than 128 tool calls', () => {
    const start: ModelEvent = { type: 'tool_call_start', id: 'a', name: 'bash' }
    expect(exceeded(repeat(128, start))).toBeUndefined()
    expect(exceeded(repeat(129, start))).toBe(
      'the answer was stopped: it has more than 128 tool calls',
    )
  })
})

describe('startAnswerDeadline', () => {
  const start = (answerTimeoutMs: number | undefined, signal = new AbortController().signal) =>
    startAnswerDeadline({ signal, answerTimeoutMs } as Turn)

  it('is the signal of the turn if the answer has no limit', () => {
    const { signal } = new AbortController()
    for (const timeoutMs of [undefined, 2 ** 31]) {
      const deadline = start(timeoutMs, signal)
      expect(deadline.signal).toBe(signal)
      deadline.clear()
    }
    const longest = start(2 ** 31 - 1, signal)
    expect(longest.signal).not.toBe(signal)
    longest.clear()
  })

  it('fires with the reason when the answer takes too long', async () => {
    const { signal } = start(10)
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    expect(signal.reason).toMatchObject({
      kind: 'timeout',
      message: 'the answer was stopped: it took more than 0.01 seconds (answer_timeout_secs)',
    })
  })

  it('fires with the signal of the turn', () => {
    const turn = new AbortController()
    const { signal, clear } = start(60_000, turn.signal)
    turn.abort('stopped')
    expect(signal.reason).toBe('stopped')
    clear()
  })
})
