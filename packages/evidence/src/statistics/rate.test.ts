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
  ])('normalCdf(%d) is %d, as tabulated', (x, p) => {
    expect(normalCdf(x)).toBeCloseTo(p, 14)
  })

  test.each([
    [0.975, 1.959963984540054],
    [0.8, 0.8416212335729143],
    [0.995, 2.5758293035489004],
    [0.5, 0],
    [1e-9, -5.9978070150076865],
  ])('normalQuantile(%d) is %d', (p, z) => {
    expect(normalQuantile(p)).toBeCloseTo(z, 9)
  })

  test('normalQuantile throws for 0 and 1', () => {
    const error = new RangeError('a quantile needs a probability between 0 and 1')
    expect(() => normalQuantile(0)).toThrow(error)
    expect(() => normalQuantile(1)).toThrow(error)
  })

  // The series around 0 has fewer correct digits here.
  test.each([
    [-4.5, 3.3976731247300535e-6],
    [-5, 2.8665157187919391e-7],
    [-8, 6.220960574271784e-16],
    [-12, 1.776482112077676e-33],
  ])('normalCdf(%d) is %d to twelve digits', (x, p) => {
    expect(normalCdf(x) / p).toBeCloseTo(1, 12)
  })
})

describe('rateOf', () => {
  // Newcombe, Statistics in Medicine 17 (1998) 857-872, table I, method 3.
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('gives %d of %d the published interval from %d to %d', (passed, judged, low, high) => {
    const rate = rateOf(passed, judged)
    expect(rate.rate).toBe(passed / judged)
    expect(rate.low).toBeCloseTo(low, 4)
    expect(rate.high).toBeCloseTo(high, 4)
  })

  test('gives an interval within 0 and 1 that contains the rate, for all counts up to 40', () => {
    for (let judged = 2; judged <= 40; judged++) {
      for (let passed = 0; passed <= judged; passed++) {
        const { low = -1, high = 2, rate = -1 } = rateOf(passed, judged)
        expect(low >= 0 && low <= rate && rate <= high && high <= 1).toBe(true)
      }
    }
  })

  test('gives no interval for fewer than two judged attempts', () => {
    expect(rateOf(0, 0)).toEqual({ passed: 0, judged: 0 })
    expect(rateOf(1, 1)).toEqual({ passed: 1, judged: 1, rate: 1 })
    expect(rateOf(0, 1)).toEqual({ passed: 0, judged: 1, rate: 0 })
  })

  test.each([2, 3, 7, 29, 1000])(
    'starts at 0 for 0 of %d and ends at 1 for all of them',
    (judged) => {
      expect(rateOf(0, judged).low).toBe(0)
      expect(rateOf(judged, judged).high).toBe(1)
    },
  )

  test('covers the true rate in 92.5 to 98.5 % of intervals of 95 %', () => {
    const random = new Random(7)
    for (const truth of [0.1, 0.5, 0.9]) {
      let held = 0
      for (let round = 0; round < 4000; round++) {
        let passed = 0
        for (let attempt = 0; attempt < 25; attempt++) passed += random.share() < truth ? 1 : 0
        const { low = 1, high = 0 } = rateOf(passed, 25)
        if (low <= truth && truth <= high) held++
      }
      expect(held / 4000).toBeGreaterThan(0.925)
      expect(held / 4000).toBeLessThan(0.985)
    }
  })
})

describe('differenceInterval', () => {
  // Newcombe, Statistics in Medicine 17 (1998) 873-890, table II, method 10; there p1 - p2.
  test.each([
    [56, 70, 48, 80, 0.0524, 0.3339],
    [9, 10, 3, 10, 0.1705, 0.809],
    [6, 7, 2, 7, 0.0582, 0.8062],
    [5, 56, 0, 29, -0.0381, 0.1926],
    [0, 10, 0, 20, -0.1611, 0.2775],
    [10, 10, 0, 20, 0.6791, 1],
  ])(
    'gives %d of %d against %d of %d the published interval',
    (passed, judged, others, of, low, high) => {
      const interval = differenceInterval(rateOf(others, of), rateOf(passed, judged))
      expect(interval?.low).toBeCloseTo(low, 4)
      expect(interval?.high).toBeCloseTo(high, 4)
    },
  )

  test('is undefined if one side has fewer than two judged attempts', () => {
    expect(differenceInterval(rateOf(0, 1), rateOf(2, 2))).toBeUndefined()
  })

  test.each(['rate', 'low', 'high'] as const)('is undefined without the %s of a side', (name) => {
    const whole = rateOf(3, 7)
    const part = { ...whole, [name]: undefined }
    expect(differenceInterval(part, whole)).toBeUndefined()
    expect(differenceInterval(whole, part)).toBeUndefined()
  })
})
