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
  const written = new Int32Array(1)
  const recorder = new TraceRecorder(thread as unknown as Worker, written)
  return { recorder, posted, thread, written }
}

function call(op: string): FunnelCall {
  return { tool: 'mcp', op, startedAtMs: 0, durationMs: 0, ok: true, input: { value: {} } }
}

test('calls that are not written within the limit after a signal are named as lost', async () => {
  const { recorder } = recorderWithPosts()
  recorder.record(call('a'))
  recorder.record(call('b'))
  const closed = expect(recorder.close(1000)).rejects.toThrow(
    '2 actions were not recorded: zcl was stopped while too many of them were waiting',
  )
  await vi.advanceTimersByTimeAsync(1000)
  await closed
})

test('a proxy waits for the disk while more than 5,000 calls are not written', () => {
  const { recorder, written } = recorderWithPosts()
  for (let count = 0; count < 5001; count++) recorder.record(call('a'))
  expect(recorder.isBehind).toBe(true)
  written[0] = 1
  expect(recorder.isBehind).toBe(false)
})
