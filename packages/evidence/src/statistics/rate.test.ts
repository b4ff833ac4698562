import { describe, expect, test } from 'vitest'
import { normalCdf, normalQuantile } from './normal.ts'
import { Random } from './random.ts'
import { differenceInterval, rateOf } from './rate.ts'

describe('the normal distribution', () => {
  test.each([
    [0, 0.5],
    [1, 0.8413447460685429],
    [1.96, 0.9750021048517795],
    [-2.5, 0.006209665325776132],
    [-7, 1.279812543885835e-12],
    [7, 0.9999999999987201],
  ])('P(Z <= %d) is %d as in the tables', (x, p) => {
    expect(normalCdf(x)).toBeCloseTo(p, 14)
  })

  test.each([
    [0.975, 1.959963984540054],
    [0.8, 0.8416212335729143],
    [0.995, 2.5758293035489004],
    [0.5, 0],
    [1e-9, -5.9978070150076865],
  ])('the quantile of %d is %d', (p, z) => {
    expect(normalQuantile(p)).toBeCloseTo(z, 9)
  })

  test('a share that is none has no quantile', () => {
    expect(() => normalQuantile(0)).toThrow(RangeError)
    expect(() => normalQuantile(1)).toThrow(RangeError)
  })
})

describe('the Wilson interval', () => {
  // Newcombe, Statistics in Medicine 17 (1998) 857-872, table I, method 3.
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('%d of %d is %d to %d as published', (passed, judged, low, high) => {
    const rate = rateOf(passed, judged)
    expect(rate.rate).toBe(passed / judged)
    expect(rate.low).toBeCloseTo(low, 4)
    expect(rate.high).toBeCloseTo(high, 4)
  })

  test('stays within 0 and 1 and holds the rate, for every count', () => {
    for (let judged = 1; judged <= 40; judged++) {
      for (let passed = 0; passed <= judged; passed++) {
        const { low, high, rate = -1 } = rateOf(passed, judged)
        expect(low >= 0 && low <= rate && rate <= high && high <= 1).toBe(true)
      }
    }
  })

  test('nothing judged says nothing', () => {
    expect(rateOf(0, 0)).toEqual({ passed: 0, judged: 0, low: 0, high: 1 })
  })

  test('holds the true rate about as often as it says', () => {
    const random = new Random(7)
    for (const truth of [0.1, 0.5, 0.9]) {
      let held = 0
      for (let round = 0; round < 4000; round++) {
        let passed = 0
        for (let attempt = 0; attempt < 25; attempt++) passed += random.share() < truth ? 1 : 0
        const { low, high } = rateOf(passed, 25)
        if (low <= truth && truth <= high) held++
      }
      expect(held / 4000).toBeGreaterThan(0.925)
      expect(held / 4000).toBeLessThan(0.985)
    }
  })
})

describe('the interval of a difference', () => {
  // Newcombe, Statistics in Medicine 17 (1998) 873-890, table II, method 10; there p1 - p2.
  test.each([
    [56, 70, 48, 80, 0.0524, 0.3339],
    [9, 10, 3, 10, 0.1705, 0.809],
    [6, 7, 2, 7, 0.0582, 0.8062],
    [5, 56, 0, 29, -0.0381, 0.1926],
    [0, 10, 0, 20, -0.1611, 0.2775],
    [10, 10, 0, 20, 0.6791, 1],
  ])('%d of %d against %d of %d is as published', (passed, judged, others, of, low, high) => {
    const interval = differenceInterval(rateOf(others, of), rateOf(passed, judged))
    expect(interval.low).toBeCloseTo(low, 4)
    expect(interval.high).toBeCloseTo(high, 4)
  })

  test('without a judged attempt anything is possible', () => {
    expect(differenceInterval(rateOf(0, 0), rateOf(1, 1))).toEqual({ low: -1, high: 1 })
  })
})
