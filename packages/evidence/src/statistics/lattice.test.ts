import { describe, expect, it, test } from 'vitest'
import { exactTails, leastCommonMultiple, type Term } from './lattice.ts'

const coin: Term = { first: -1, step: 2, shares: [0.5, 0.5] }

/** A term with this many values of the same probability. */
function uniform(values: number): Term {
  return { first: 0, step: 1, shares: Array.from({ length: values }, () => 1 / values) }
}

describe('exactTails', () => {
  test.each([
    ['no term', [], 0, { twoSided: 1, greater: 1 }],
    ['one coin, above', [coin], 1, { twoSided: 1, greater: 0.5 }],
    ['one coin, below', [coin], -1, { twoSided: 1, greater: 1 }],
    ['one coin, out of reach', [coin], 2, { twoSided: 0, greater: 0 }],
    ['three coins, all above', [coin, coin, coin], 3, { twoSided: 0.25, greater: 0.125 }],
    ['three coins, two above', [coin, coin, coin], 1, { twoSided: 1, greater: 0.5 }],
    [
      'two different terms',
      [coin, { first: -2, step: 3, shares: [0.5, 0.25, 0.25] }],
      2,
      { twoSided: 0.625, greater: 0.375 },
    ],
  ])('counts the tails of %s', (_, terms, observed, tails) => {
    expect(exactTails(terms, observed)).toEqual(tails)
  })

  it('returns at most 1 if rounding makes the shares larger', () => {
    const terms = [{ first: -1, step: 2, shares: [0.6, 0.6] }]
    expect(exactTails(terms, -1)).toEqual({ twoSided: 1, greater: 1 })
  })

  // The second term needs 5,000 * 5,999 multiplications after the 5,000 of the first.
  it('counts up to 30,000,000 multiplications', () => {
    const { twoSided, greater } = exactTails([uniform(5000), uniform(5999)], 0) ?? {}
    expect(twoSided).toBeCloseTo(1, 9)
    expect(greater).toBeCloseTo(1, 9)
  })

  it.each([
    ['multiplications', [uniform(1), uniform(5000), uniform(5999)]],
    ['values', [{ first: 0, step: 30_000_000, shares: [0.5, 0.5] }]],
    ['values of an infinite step', [{ first: 0, step: Infinity, shares: [0.5, 0.5] }]],
  ])('is undefined with more than 30,000,000 %s', (_, terms) => {
    expect(exactTails(terms, 0)).toBeUndefined()
  })
})

test.each([
  [[], 1],
  [[1], 1],
  [[4, 6], 12],
  [[6, 4, 10], 60],
  [[7, 7, 7], 7],
  [[2 ** 31], 2 ** 31],
  [[2 ** 31 + 1], Infinity],
  [[2 ** 16, 3 ** 10], Infinity],
])('the least common multiple of %j is %d', (numbers, multiple) => {
  expect(leastCommonMultiple(numbers)).toBe(multiple)
})
