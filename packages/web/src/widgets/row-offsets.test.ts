import fc from 'fast-check'
import { expect, it } from 'vitest'
import { RowOffsets } from './row-offsets.ts'

const height = fc.integer({ min: 1, max: 500 })

it('offsets are the sums of the newest heights, and every row is found at its offset', () => {
  const change = fc.tuple(fc.nat({ max: 59 }), height, fc.nat({ max: 60 }))
  fc.assert(
    fc.property(
      fc.array(height, { minLength: 1, maxLength: 60 }),
      fc.array(change, { maxLength: 20 }),
      (heights, changes) => {
        const rows = new RowOffsets(heights.length, (index) => heights[index] ?? 0)
        for (const [index, next, asked] of changes) {
          if (index >= heights.length) continue
          expect(rows.setHeight(index, next)).toBe(next - (heights[index] ?? 0))
          heights[index] = next
          rows.offset(Math.min(asked, heights.length))
        }
        let sum = 0
        for (const [index, each] of heights.entries()) {
          expect(rows.offset(index)).toBe(sum)
          expect(rows.indexAt(sum)).toBe(index)
          expect(rows.indexAt(sum + each - 0.5)).toBe(index)
          sum += each
        }
        expect(rows.total).toBe(sum)
      },
    ),
    { numRuns: 25 },
  )
})

it('positions outside of the list belong to its first and last row', () => {
  const rows = new RowOffsets(3, () => 10)
  expect([rows.indexAt(-50), rows.indexAt(1000)]).toEqual([0, 2])
  const none = new RowOffsets(0, () => 10)
  expect([none.indexAt(5), none.total]).toEqual([0, 0])
})
