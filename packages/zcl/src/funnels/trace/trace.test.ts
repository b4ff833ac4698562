import { EventEmitter } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TraceRecorder, type FunnelCall } from './trace.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a single call is posted at once, and calls within the next 10 ms are posted together', () => {
  const { recorder, posted } = recorderWithPosts()
  recorder.record(call('a'))
  expect(posted()).toEqual([['a']])
  recorder.record(call('b'))
  recorder.record(() => call('c'))
  expect(posted()).toEqual([['a']])
  vi.advanceTimersByTime(10)
  expect(posted()).toEqual([['a'], ['b', 'c']])
})

test('a call after 10 ms without calls is posted at once', () => {
  const { recorder, posted } = recorderWithPosts()
  recorder.record(call('a'))
  vi.advanceTimersByTime(10)
  recorder.record(call('b'))
  expect(posted()).toEqual([['a'], ['b']])
})

test('the end is posted after all calls', async () => {
  const { recorder, posted, thread } = recorderWithPosts()
  recorder.record(call('a'))
  recorder.record(call('b'))
  const closed = recorder.close()
  thread.emit('message', { lost: 0 })
  await closed
  expect(posted()).toEqual([['a'], ['b'], 'end'])
  expect(vi.getTimerCount()).toBe(0)
})

function recorderWithPosts() {
  const messages: ({ calls: FunnelCall[] } | { end: true })[] = []
  const thread = Object.assign(new EventEmitter(), {
    postMessage: (message: (typeof messages)[number]) => void messages.push(message),
    terminate: () => Promise.resolve(0),
  })
  const posted = () =>
    messages.map((message) => ('end' in message ? 'end' : message.calls.map(({ op }) => op)))
  return { recorder: new TraceRecorder(thread as unknown as Worker), posted, thread }
}

function call(op: string): FunnelCall {
  return { tool: 'mcp', op, startedAtMs: 0, durationMs: 0, ok: true, input: { value: {} } }
}
