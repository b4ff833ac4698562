import { expect, it } from 'vitest'
import { HardMemoryOffsets } from './offsets.ts'

/** Memories of 10 bytes each, stored at the times of the list. */
function offsetsOf(times: readonly (number | undefined)[]): HardMemoryOffsets {
  const offsets = new HardMemoryOffsets()
  for (const [at, time] of times.entries()) offsets.add(4 + at * 14, false, time)
  offsets.setEnd(times.length * 14)
  return offsets
}

it('an element ends four bytes before the next one, and the last one at the end', () => {
  const offsets = new HardMemoryOffsets()
  expect([offsets.count, offsets.nextStart]).toEqual([0, 4])
  offsets.add(4, false)
  offsets.setEnd(20)
  expect([offsets.startOf(0), offsets.endOf(0), offsets.nextStart]).toEqual([4, 20, 24])
  offsets.add(24, false)
  offsets.setEnd(50)
  expect([offsets.endOf(0), offsets.endOf(1), offsets.nextStart]).toEqual([20, 50, 54])
  expect([offsets.idAt(4), offsets.idAt(24), offsets.idAt(50)]).toEqual([0, 1, -1])
  expect(offsets.idAt(0)).toBe(-1)
})

it('only ids of stored memories that are not forgotten exist', () => {
  const offsets = offsetsOf([1, 2, 3])
  offsets.add(46, true)
  expect([-1, 0, 1, 2, 3, 4].map((id) => offsets.has(id))).toEqual([
    ...[false, true, true, true, false, false],
  ])
  expect([offsets.count, offsets.forgottenCount]).toEqual([4, 1])
  offsets.forget(1)
  offsets.forget(1)
  expect(offsets.has(1)).toBe(false)
  expect(offsets.forgottenCount).toBe(2)
})

it('counts each memory that a search has returned once, until it is forgotten', () => {
  const offsets = offsetsOf([1, 2, 3])
  expect(offsets.foundCount).toBe(0)
  for (const id of [0, 2, 2, 0]) offsets.markFound(id)
  expect(offsets.foundCount).toBe(2)
  offsets.forget(1)
  expect(offsets.foundCount).toBe(2)
  offsets.forget(2)
  expect(offsets.foundCount).toBe(1)
})

it('a memory without a time is as old as the next one that has a time, the last ones as the file', () => {
  const offsets = offsetsOf([undefined, 100, undefined, undefined, 300, undefined])
  expect(offsets.timeOf(0)).toBeNaN()
  offsets.fillTimes(900)
  expect([0, 1, 2, 3, 4, 5].map((id) => offsets.timeOf(id))).toEqual([
    ...[100, 100, 300, 300, 300, 900],
  ])
})

it('a version is current from its time until the next version is stored', () => {
  const offsets = offsetsOf([100, 150])
  offsets.add(32, false, 200, 0)
  offsets.add(46, false, 300, 2)
  expect([0, 1, 2, 3].map((id) => offsets.newest(id))).toEqual([3, 1, 3, 3])
  const currentAt = (time?: number) => [0, 1, 2, 3].filter((id) => offsets.isCurrent(id, time))
  expect(currentAt(99)).toEqual([])
  expect(currentAt(100)).toEqual([0])
  expect(currentAt(199)).toEqual([0, 1])
  expect(currentAt(200)).toEqual([1, 2])
  expect(currentAt(299)).toEqual([1, 2])
  expect(currentAt(300)).toEqual([1, 3])
  expect(currentAt()).toEqual([1, 3])
})

it('a forgotten version replaces nothing', () => {
  const offsets = offsetsOf([100])
  offsets.add(18, false, 200, 0)
  offsets.add(32, true, 300, 0)
  expect(offsets.newest(0)).toBe(1)
  offsets.forget(1)
  expect(offsets.newest(0)).toBe(0)
  expect(offsets.isCurrent(0)).toBe(true)
})
