import { describe, expect, test } from 'vitest'
import { FileFlag, FileKind, FileTable, nowhere } from '../file-table.ts'
import { newFolder } from '../folder.ts'
import { isTooLarge, SelectedOrder } from './selected-order.ts'
import { SelectedRange } from './range.ts'
import type { SearchRequest } from '../../search/search.ts'

const top = newFolder('', undefined)

/** Files `f0000` and so on, with a length and characters of their number. */
function tableOf(count: number): FileTable {
  const table = new FileTable()
  for (let id = 0; id < count; id++) addFile(table, `f${String(id).padStart(4, '0')}`, id)
  return table
}

function addFile(table: FileTable, name: string, length: number): number {
  const id = table.add(top, name, FileKind.file)
  table.flags[id] = FileFlag.known
  table.lengths[id] = length
  table.chars[id] = length
  table.sizes[id] = length * 1000
  return id
}

const all = (): boolean => true
const idsOf = (order: SelectedOrder): number[] =>
  Array.from({ length: order.length }, (_, at) => order.idAt(at))

test('an order knows the place of each file and the first path from a text on', () => {
  const order = new SelectedOrder(tableOf(6), Int32Array.of(1, 3, 4), all)
  expect([order.length, ...idsOf(order)]).toEqual([3, 1, 3, 4])
  expect([0, 1, 2, 3, 4, 5, 6, 99].map((id) => order.positionOf(id))).toEqual([
    ...[-1, 0, -1, 1, 2, -1, -1, -1],
  ])
  const from = ['', 'f0001', 'f0002', 'f0003', 'f0004', 'f0005', 'z'].map((path) =>
    order.firstFrom(path),
  )
  expect(from).toEqual([0, 0, 1, 1, 2, 3, 3])
})

test('added and removed files change an order, as far as they are selected', () => {
  const table = tableOf(6)
  const order = new SelectedOrder(table, Int32Array.of(0, 2, 4), (path) => path !== 'f0003')
  order.update([], [])
  order.update([3], [])
  expect(idsOf(order)).toEqual([0, 2, 4])
  order.update([1, 1, 5, 2], [])
  expect(idsOf(order)).toEqual([0, 1, 2, 4, 5])
  order.update([], [0, 3, 5])
  expect(idsOf(order)).toEqual([1, 2, 4])
  expect([0, 1, 2, 4, 5].map((id) => order.positionOf(id))).toEqual([-1, 0, 1, 2, -1])
  // A number that was removed and used again for a file with another name.
  table.remove(2)
  addFile(table, 'f0009', 2)
  order.update([2], [2])
  expect(idsOf(order)).toEqual([1, 4, 2])
  table.flags[0] = FileFlag.toFolder
  table.remove(5)
  order.update([0, 5], [])
  expect(idsOf(order)).toEqual([1, 4, 2])
})

describe('the sums of an order', () => {
  const count = 2100
  const sumOf = (from: number, to: number): number => ((to - from) * Math.max(0, from + to - 1)) / 2

  test('are those of its files, for any range', () => {
    const table = tableOf(count)
    const order = new SelectedOrder(
      table,
      Int32Array.from({ length: count }, (_, at) => at),
      all,
    )
    const places = [0, 1, 1023, 1024, 1025, 2047, 2048, 2049, 2099, 2100]
    for (const maxBytes of [2_000_000, 1e9]) {
      for (const from of places) {
        for (const to of places.filter((each) => each >= from)) {
          expect(order.sum(from, to, maxBytes)).toEqual({ chars: sumOf(from, to), skippedLarge: 0 })
        }
      }
    }
    expect(order.sum(5, 3, 1)).toEqual({ chars: 0, skippedLarge: 0 })
    expect(order.sum(0, 10, 5)).toEqual({ chars: 15, skippedLarge: 4 })
  })

  test('follow a change of a file that is announced', () => {
    const table = tableOf(count)
    const order = new SelectedOrder(
      table,
      Int32Array.from({ length: count }, (_, at) => at),
      all,
    )
    const whole = { chars: sumOf(0, count), skippedLarge: 0 }
    // The default of max_bytes, for which sums are kept.
    expect(order.sum(0, count, 2_000_000)).toEqual(whole)
    table.chars[1024] = 5000
    table.lengths[2047] = 2_000_001
    for (const id of [1024, 2047, 5000]) order.invalidate(id)
    const expected = { chars: whole.chars - 1024 + 5000 - 2047, skippedLarge: 1 }
    expect(order.sum(0, count, 2_000_000)).toEqual(expected)
    expect(order.sum(0, count, 2_000_000)).toEqual(expected)
    expect(order.sum(1024, 2048, 2_000_000).skippedLarge).toBe(1)
    order.update([], [0])
    expect(order.sum(0, count - 1, 2_000_000)).toEqual(expected)
  })
})

test('a file is too large by its length, or by its size if it has no text in the index', () => {
  const table = tableOf(6)
  expect([4, 5, 6].map((max) => isTooLarge(table, 5, max))).toEqual([true, false, false])
  table.flags[5] = FileFlag.large
  expect([4999, 5000].map((max) => isTooLarge(table, 5, max))).toEqual([true, false])
  expect(nowhere).toBe(-1)
})

test.each([
  [undefined, 9, [0, 5, false]],
  [undefined, 5, [0, 5, false]],
  [undefined, 4, [0, 4, true]],
  [undefined, 0, [0, 0, true]],
  [{ path: 'f0002', files: 2 }, 9, [2, 3, false]],
  [{ path: 'f0002', files: 2 }, 5, [2, 3, false]],
  [{ path: 'f0002', files: 2 }, 4, [2, 2, true]],
  [{ path: 'f0002', files: 2 }, 1, [2, 0, true]],
  [{ path: 'z', files: 5 }, 9, [5, 0, false]],
])('a page from %j of at most %i files has a range', (resume, maxFiles, expected) => {
  const order = new SelectedOrder(tableOf(5), Int32Array.of(0, 1, 2, 3, 4), all)
  const request = { resume, selection: { maxFiles } } as unknown as SearchRequest
  const range = new SelectedRange(order, request)
  expect([range.first, range.length, range.isLimited]).toEqual(expected)
  if (range.length > 1) {
    expect(range.idAt(1)).toBe(range.first + 1)
    const chars = 2 * range.first + 1
    expect(range.sum(0, 2, 1e9)).toEqual({ chars, skippedLarge: 0 })
  }
})
