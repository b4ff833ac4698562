import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TopK } from './top-k.ts'

describe('TopK', () => {
  it('keeps the highest scores, newer ids first among equals', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20)), fc.integer({ min: 0, max: 12 }), (scores, size) => {
        const list = new TopK(size)
        for (const [id, score] of scores.entries()) list.offer(id, score)
        const expected = scores
          .map((score, id) => ({ id, score }))
          .sort((one, other) => other.score - one.score || other.id - one.id)
        expect(list.sorted()).toEqual(expected.slice(0, size))
      }),
    )
  })

  it('has the threshold 0 until it is full, then the lowest score', () => {
    const list = new TopK(2)
    const thresholds = [5, 3, 2, 4, 9].map((score, id) => {
      list.offer(id, score)
      return list.threshold
    })
    expect(thresholds).toEqual([0, 3, 3, 4, 5])
  })
})
