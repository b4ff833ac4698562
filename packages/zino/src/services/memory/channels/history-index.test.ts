import { expect, it } from 'vitest'
import { HistoryIndex } from './history-index.ts'

const at = (time: string) => `2026-03-${time}Z`
const ms = (time: string) => Date.parse(at(time))
const message = (content: string, time: string, role = 'user') => ({ role, content, ts: at(time) })

/** Two channels; the second message of `a` was edited twice. */
function filled(): HistoryIndex {
  const index = new HistoryIndex('recall')
  index.add('a', message('red boat', '01T10:00:00'), { start: 4, end: 50 })
  index.add('a', message('blue boat', '02T10:00:00', 'assistant'), { start: 54, end: 99 }, [
    { content: 'grey boat', until: at('03T10:00:00') },
    { content: 'green boat', until: at('04T10:00:00') },
  ])
  index.add('b', message('white boat', '05T10:00:00', 'tool'), { start: 4, end: 60 })
  index.add('a', message('no ship', '06T10:00:00', 'system'), { start: 103, end: 140 })
  return index
}

const found = (index: HistoryIndex, query: string, filter = {}) =>
  index
    .search(query, 10, filter)
    .map(({ channel, position, version }) => `${channel}${position}${version ?? ''}`)
    .sort()

it('an entry has the channel, the position, the time, the role and the place of its message', () => {
  const index = filled()
  expect(index.at('a', 0)).toEqual({
    ...{ channel: 'a', position: 0, tsMs: ms('01T10:00:00'), role: 'user' },
    ...{ start: 4, end: 50, version: undefined },
  })
  expect(index.at('a', 2)).toMatchObject({ position: 2, role: 'system', start: 103, end: 140 })
  expect(index.at('b', 0)).toMatchObject({ channel: 'b', position: 0, role: 'tool' })
  expect(index.at('a', 1)).toMatchObject({ role: 'assistant', version: undefined })
  expect([index.at('a', 3), index.at('b', 1), index.at('c', 0)]).toEqual([
    ...[undefined, undefined, undefined],
  ])
  expect(['a', 'b', 'c'].map((channel) => index.lengthOf(channel))).toEqual([3, 1, 0])
  // Three messages of `a`, one of `b`, two earlier texts.
  expect(index.count).toBe(6)
  expect(index.memoryBytes).toBeGreaterThan(0)
})

it('a role that zino does not know counts as the user', () => {
  const index = new HistoryIndex('recall')
  index.add('a', message('tea', '01T10:00:00', 'developer'), { start: 0, end: 1 })
  expect(index.at('a', 0)?.role).toBe('user')
})

it('a search without a filter finds the current texts of all channels', () => {
  const index = filled()
  expect(found(index, 'boat')).toEqual(['a0', 'a1', 'b0'])
  expect(found(index, 'grey')).toEqual([])
  expect(found(index, 'green')).toEqual([])
})

it('a search is limited to a channel and to times, both ends included', () => {
  const index = filled()
  expect(found(index, 'boat', { channel: 'a' })).toEqual(['a0', 'a1'])
  expect(found(index, 'boat', { channel: 'none' })).toEqual([])
  expect(found(index, 'boat', { sinceMs: ms('02T10:00:00') })).toEqual(['a1', 'b0'])
  expect(found(index, 'boat', { sinceMs: ms('02T10:00:01') })).toEqual(['b0'])
  expect(found(index, 'boat', { untilMs: ms('02T10:00:00') })).toEqual(['a0', 'a1'])
  expect(found(index, 'boat', { untilMs: ms('02T09:59:59') })).toEqual(['a0'])
})

it('a search leaves out the messages of one channel from a position on', () => {
  const index = filled()
  const before = (channel: string, position: number) => ({ before: { channel, position } })
  expect(found(index, 'boat', before('a', 1))).toEqual(['a0', 'b0'])
  expect(found(index, 'boat', before('a', 0))).toEqual(['b0'])
  expect(found(index, 'boat', before('b', 0))).toEqual(['a0', 'a1'])
  expect(found(index, 'boat', before('none', 0))).toEqual(['a0', 'a1', 'b0'])
})

it('a search as of a time finds the texts of that time', () => {
  const index = filled()
  const asOf = (time: string) =>
    found(index, 'boat', { channel: 'a', atMs: ms(time), untilMs: ms(time) })
  expect(asOf('01T10:00:00')).toEqual(['a0'])
  expect(asOf('02T10:00:00')).toEqual(['a0', 'a10'])
  expect(asOf('03T09:59:59')).toEqual(['a0', 'a10'])
  expect(asOf('03T10:00:00')).toEqual(['a0', 'a11'])
  expect(asOf('04T09:59:59')).toEqual(['a0', 'a11'])
  expect(asOf('04T10:00:00')).toEqual(['a0', 'a1'])
})

it('a search without edited messages has the same limits', () => {
  const index = new HistoryIndex('recall')
  index.add('a', message('red boat', '01T10:00:00'), { start: 4, end: 50 })
  index.add('b', message('blue boat', '02T10:00:00'), { start: 4, end: 50 })
  index.add('b', message('grey boat', '03T10:00:00'), { start: 54, end: 90 })
  expect(found(index, 'boat')).toEqual(['a0', 'b0', 'b1'])
  expect(found(index, 'boat', { channel: 'b' })).toEqual(['b0', 'b1'])
  expect(found(index, 'boat', { sinceMs: ms('02T10:00:00') })).toEqual(['b0', 'b1'])
  expect(found(index, 'boat', { untilMs: ms('02T10:00:00') })).toEqual(['a0', 'b0'])
  expect(found(index, 'boat', { before: { channel: 'b', position: 1 } })).toEqual(['a0', 'b0'])
  expect(found(index, 'boat', { before: { channel: 'none', position: 0 } })).toHaveLength(3)
  expect(found(index, 'boat', { atMs: ms('01T09:00:00') })).toHaveLength(3)
})

it('a channel is dropped with its earlier texts; the other channels stay', () => {
  const index = filled()
  index.drop('a')
  index.drop('none')
  expect(found(index, 'boat')).toEqual(['b0'])
  expect(found(index, 'grey', { atMs: ms('02T11:00:00') })).toEqual([])
  expect([index.lengthOf('a'), index.count, index.at('a', 0)]).toEqual([0, 1, undefined])
  index.add('a', message('new boat', '07T10:00:00'), { start: 4, end: 9 })
  expect(index.at('a', 0)).toMatchObject({ position: 0, start: 4 })
  expect(found(index, 'boat')).toEqual(['a0', 'b0'])
})

it('sets the times of the first messages of a channel', () => {
  const index = filled()
  index.setTimes('a', 2, 5)
  index.setTimes('none', 2, 5)
  expect([0, 1, 2].map((position) => index.at('a', position)?.tsMs)).toEqual([
    ...[5, 5, ms('06T10:00:00')],
  ])
})

it('a search as of a time finds a message from the time that was set for it', () => {
  const index = new HistoryIndex('recall')
  index.add('c', message('tea', '05T10:00:00'), { start: 4, end: 50 })
  index.setTimes('c', 1, ms('01T10:00:00'))
  expect(found(index, 'tea', { channel: 'c', atMs: ms('02T10:00:00') })).toEqual(['c0'])
})
