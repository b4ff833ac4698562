import { afterEach, beforeEach, expect, it } from 'vitest'
import type { NewRecord } from '../session/session.ts'
import { liveChanges, promptBefore } from './live-changes.ts'
import type { RecordedSession } from './recorded-session.fixtures.ts'
import { makeRecordedSession } from './recorded-session.fixtures.ts'

const none = Number.MAX_SAFE_INTEGER
let recorded: RecordedSession
beforeEach(() => {
  recorded = makeRecordedSession()
})
afterEach(() => recorded.remove())

const use = (id: string, name = 'edit'): NewRecord => ({ type: 'tool_use', id, name, input: {} })
const result = (id: string, ok: boolean): NewRecord => ({
  type: 'tool_result',
  tool_use_id: id,
  output: { ok: true, data: {} },
  ok,
})
const edit = (id: string, path: string) => ({ call_id: id, tool: 'edit', path, after: 'h' })
const events = () => liveChanges(recorded.paths).map(({ path, event }) => `${path} ${event}`)

it('a change belongs to the next call of its tool with its id that did not fail', () => {
  recorded.record(
    use('a', 'write'), // 2
    use('a'), // 3
    use('a'), // 4
    { ...result('a', true) },
    { ...result('a', true) },
    use('b'), // 7
    {
      type: 'tool_result',
      tool_use_id: 'b',
      output: { ok: false, error: { code: 'x', message: '' } },
      ok: false,
    },
    use('b'), // 9
  )
  recorded.log(edit('a', '1'), edit('a', '2'), edit('a', '3'), edit('b', '4'), edit('c', '5'))
  expect(events()).toEqual(['1 3', '2 4', `3 ${none}`, '4 9', `5 ${none}`])
})

it('a change of a shell command belongs to the first call with its id', () => {
  recorded.record(use('a', 'bash'), use('a', 'bash'))
  recorded.log(
    { type: 'snapshot', name: 's', call_id: 'a' },
    { type: 'shell_change', snapshot: 1, path: '1' },
    { type: 'shell_change', snapshot: 1, path: '2' },
    { type: 'snapshot', name: 't', call_id: 'none' },
    { type: 'shell_change', snapshot: 4, path: '3' },
  )
  expect(events()).toEqual(['1 2', '2 2', `3 ${none}`])
})

it('undone changes are left out until a redo', () => {
  recorded.record(use('a'), use('a'), use('a'), { type: 'undo', files: [], undone: [1, 3] })
  recorded.log(edit('a', '1'), edit('a', '2'), edit('a', '3'))
  expect(events()).toEqual(['2 3'])
  recorded.record({ type: 'redo', files: [], redone: [3] })
  expect(events()).toEqual(['2 3', '3 4'])
})

it('without a session, changes belong to no event', () => {
  recorded.log(edit('a', '1'))
  expect(events()).toEqual([`1 ${none}`])
  expect(promptBefore(recorded.paths, 5)).toBe(0)
})

it('the prompt before an event is the last message of the user that started a turn', () => {
  recorded.record(
    { type: 'message', role: 'user', text: 'first' }, // 2
    { type: 'message', role: 'assistant', text: 'answer' },
    { type: 'message', role: 'user', text: 'second' }, // 4
    { type: 'message', role: 'user', text: 'steered', steered: true },
    use('a'),
  )
  const prompts = [1, 2, 3, 4, 5, 6, 7].map((event) => promptBefore(recorded.paths, event))
  expect(prompts).toEqual([0, 0, 2, 2, 4, 4, 4])
})
