// Compares the statistics with values of scipy and statsmodels; test/reference/make.py made them.
import { describe, expect, test } from 'vitest'
import reference from '../../test/reference/statistics.json' with { type: 'json' }
import { holm, signFlipTest, stratifiedTest, type MissionCounts } from './permutation.ts'
import { Random } from './random.ts'
import { rateOf } from './rate.ts'
import { scoreInterval } from './score-interval.ts'
import { tQuantile } from './student-t.ts'
import { verdictOnLikeThese } from './compare/verdict.ts'

const options = { alpha: 0.05, margin: 0.05, seed: 1, resamples: 10_000 }

describe('reference values of an independent implementation', () => {
  test.each(reference.comparisons)('$name', ({ table, these, like, score95, score90, t95 }) => {
    const missions = table.map(([a = 0, na = 0, b = 0, nb = 0]): MissionCounts => ({
      a: { passed: a, judged: na },
      b: { passed: b, judged: nb },
    }))
    const stratified = stratifiedTest(missions, 1, new Random(1))
    expect(stratified.exact).toBe(true)
    expect(stratified.p).toBeCloseTo(these, 8)
    if (like !== null) expect(signFlipTest(missions, 1, new Random(1)).p).toBeCloseTo(like, 8)
    for (const [confidence, limits] of [
      [0.95, score95],
      [0.9, score90],
    ] as const) {
      const { low, high } = scoreInterval(missions, confidence)
      expect(low).toBeCloseTo(limits[0] ?? 0, 5)
      expect(high).toBeCloseTo(limits[1] ?? 0, 5)
    }
    if (t95 === null) return
    const verdict = verdictOnLikeThese(missions, options)
    expect(verdict.low).toBeCloseTo(t95[0] ?? 0, 5)
    expect(verdict.high).toBeCloseTo(t95[1] ?? 0, 5)
  })

  test('covers at least 60 tables', () => {
    expect(reference.comparisons.length).toBeGreaterThanOrEqual(60)
  })

  test.each(reference.rates)('Wilson interval of $passed of $judged', (rate) => {
    const { low, high } = rateOf(rate.passed, rate.judged)
    expect(low).toBeCloseTo(rate.low, 8)
    expect(high).toBeCloseTo(rate.high, 8)
  })

  test.each(reference.holm)('Holm adjustment of $p', ({ p, adjusted }) => {
    for (const [index, value] of holm(p).entries()) {
      expect(value).toBeCloseTo(adjusted[index] ?? 0, 10)
    }
  })

  test.each(reference.tQuantiles)('t quantile $p with $degrees degrees', ({ degrees, p, t }) => {
    expect(tQuantile(p, degrees) / t).toBeCloseTo(1, 7)
  })
})
