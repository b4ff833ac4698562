import { describe, expect, test } from 'vitest'
import { bootstrapDifferences, percentileInterval, resamplesFor } from './bootstrap.ts'
import { distributionOf, quantile, rounded } from './distribution.ts'
import { Random } from './random.ts'

describe('Random', () => {
  test('reproduces the published numbers of xoshiro128**', () => {
    const random = Random.ofState(1, 2, 3, 4)
    const numbers = Array.from({ length: 4 }, () => random.next())
    expect(numbers).toEqual([11_520, 0, 5_927_040, 70_819_200])
  })

  test('gives the same numbers for the same seed and others for another, also above 2^32', () => {
    const numbers = (seed: number) => {
      const random = new Random(seed)
      return Array.from({ length: 5 }, () => random.next())
    }
    expect(numbers(1)).toEqual(numbers(1))
    expect(numbers(1)).not.toEqual(numbers(2))
    expect(numbers(1)).not.toEqual(numbers(2 ** 32 + 1))
  })

  test('keeps the numbers of a seed', () => {
    const seeds = [0, 1, 2 ** 32 - 1, 2 ** 32 + 1, 2 ** 53 - 1]
    const numbers = seeds.map((seed) => {
      const random = new Random(seed)
      return [seed, random.next(), random.next(), random.below(1000), random.share().toFixed(8)]
    })
    expect(numbers).toEqual([
      [0, 1789933344, 44971166, 587, '0.89610405'],
      [1, 393288148, 2174103013, 888, '0.48725518'],
      [4294967295, 4104197751, 1825856343, 268, '0.56520510'],
      [4294967297, 2113752136, 1120643331, 352, '0.19542510'],
      [9007199254740991, 1843362042, 985676716, 142, '0.56747124'],
    ])
  })

  test('draws every number below n about equally often', () => {
    const random = new Random(5)
    const seen = Array.from({ length: 7 }, () => 0)
    for (let draw = 0; draw < 70_000; draw++) {
      const at = random.below(7)
      seen[at] = (seen[at] ?? 0) + 1
    }
    for (const count of seen) expect(Math.abs(count - 10_000)).toBeLessThan(400)
  })
})

describe('distribution', () => {
  test('quantile interpolates linearly at q * (n - 1)', () => {
    expect(quantile([1, 2, 3, 4], 0.5)).toBe(2.5)
    expect(quantile([15, 20, 35, 40, 50], 0.4)).toBeCloseTo(29, 12)
    expect(quantile([7], 0.95)).toBe(7)
  })

  test('distributionOf computes all numbers, and is undefined without values', () => {
    expect(distributionOf([4, 1, 3, 2])).toEqual({
      count: 4,
      mean: 2.5,
      min: 1,
      p50: 2.5,
      p90: 3.7,
      p95: 3.85,
      max: 4,
    })
    expect(distributionOf([])).toBeUndefined()
    expect(Object.is(rounded(-1e-12), 0)).toBe(true)
    expect(rounded(0.123_456_51)).toBe(0.123_457)
  })
})

describe('bootstrapDifferences', () => {
  test('gives an interval of width 0 for one attempt per side', () => {
    const missions = [{ a: Float64Array.of(1), b: Float64Array.of(0) }]
    const [all] = bootstrapDifferences(missions, { width: 1, resamples: 100 }, new Random(1))
    expect(percentileInterval(all as Float64Array, 0.95)).toEqual({ low: -1, high: -1 })
  })

  test('approximates the exact distribution of its resamples', () => {
    // Two missions with differences 0 and 1: the mean of two drawn ones is 0, 1/2, 1 with 1/4, 1/2,
    // 1/4.
    const missions = [
      { a: Float64Array.of(0), b: Float64Array.of(0) },
      { a: Float64Array.of(0), b: Float64Array.of(1) },
    ]
    const resamples = 40_000
    const [all] = bootstrapDifferences(missions, { width: 1, resamples }, new Random(2))
    const share = (value: number) => (all?.filter((each) => each === value).length ?? 0) / resamples
    expect(share(0)).toBeCloseTo(0.25, 1)
    expect(share(0.5)).toBeCloseTo(0.5, 1)
    expect(share(1)).toBeCloseTo(0.25, 1)
  })

  test('resamples the measures of an attempt together', () => {
    const missions = [{ a: Float64Array.of(0, 0), b: Float64Array.of(1, 10, 2, 20, 5, 50) }]
    const [first, second] = bootstrapDifferences(
      missions,
      { width: 2, resamples: 500 },
      new Random(1),
    )
    expect([...(second ?? [])].map((each) => rounded(each / 10))).toEqual(
      [...(first ?? [])].map(rounded),
    )
  })

  test('gives the same resamples for the same seed', () => {
    const missions = [
      { a: Float64Array.of(1, 10, 2, 20, 4, 40), b: Float64Array.of(8, 80, 16, 160) },
      { a: Float64Array.of(0, 5), b: Float64Array.of(3, 7, 9, 11, 1, 2) },
      { a: Float64Array.of(32, 3, 64, 6), b: Float64Array.of(128, 1) },
    ]
    const all = bootstrapDifferences(missions, { width: 2, resamples: 8 }, new Random(3))
    expect(all.map((each) => [...each].map(rounded))).toEqual([
      [8.111111, 29.777778, 30.888889, 37.888889, 56.555556, 59.888889, 63.222222, 90.666667],
      [-2.5, -1.833333, 0.5, 28.833333, 29.888889, 33, 43.722222, 48.888889],
    ])
    const [first = new Float64Array(0), second = new Float64Array(0)] = all
    expect(percentileInterval(first, 0.95)).toEqual({
      high: 85.8638888888889,
      low: 11.902777777777782,
    })
    expect(percentileInterval(second, 0.5)).toEqual({
      high: 35.68055555555556,
      low: -0.08333333333333348,
    })
  })

  test('covers the true difference in over 92 % of intervals of 95 %', () => {
    const random = new Random(23)
    let held = 0
    const rounds = 300
    for (let round = 0; round < rounds; round++) {
      // Missions of different difficulty, and a true difference of -0.15 on the average.
      const missions = Array.from({ length: 25 }, () => {
        const rate = 0.3 + 0.6 * random.share()
        const change = -0.3 * random.share()
        return { a: attempts(random, 5, rate), b: attempts(random, 5, rate + change) }
      })
      const [all] = bootstrapDifferences(missions, { width: 1, resamples: 400 }, random)
      const { low, high } = percentileInterval(all as Float64Array, 0.95)
      if (low <= -0.15 && -0.15 <= high) held++
    }
    expect(held / rounds).toBeGreaterThan(0.92)
  })

  test('resamplesFor returns fewer resamples for large runs, but at least 1,000', () => {
    expect(resamplesFor(2000, 10_000)).toBe(10_000)
    expect(resamplesFor(20_000, 10_000)).toBe(3000)
    expect(resamplesFor(10_000_000, 10_000)).toBe(1000)
    expect(resamplesFor(10_000_000, 200)).toBe(200)
    expect(resamplesFor(1, 1e9)).toBe(60_000_000)
    expect(resamplesFor(0, 1e9)).toBe(60_000_000)
    expect(resamplesFor(59_940, 5000)).toBe(1001)
    expect(resamplesFor(59_941, 5000)).toBe(1000)
  })
})

function attempts(random: Random, count: number, rate: number): Float64Array {
  return Float64Array.from({ length: count }, () => (random.share() < rate ? 1 : 0))
}
