import { describe, expect, it } from 'vitest'
import { stratifiedTest, type MissionCounts } from '../permutation.ts'
import { Random } from '../random.ts'
import { verdictOnLikeThese, verdictOnThese } from './verdict.ts'

const options = { alpha: 0.05, margin: 0.05, seed: 1, resamples: 100 }

function counts(aPassed: number, aJudged: number, bPassed: number, bJudged: number): MissionCounts {
  return { a: { passed: aPassed, judged: aJudged }, b: { passed: bPassed, judged: bJudged } }
}

function repeated(times: number, each: MissionCounts): MissionCounts[] {
  return Array.from({ length: times }, () => each)
}

describe('verdictOnThese', () => {
  it('is a difference for less than 7 % of the comparisons without one', () => {
    const random = new Random(77)
    const passed = () =>
      Array.from({ length: 4 }, () => random.share()).filter((x) => x < 0.6).length
    const mission = () => counts(passed(), 4, passed(), 4)
    const verdicts = Array.from({ length: 400 }, () => {
      const missions = Array.from({ length: 10 }, mission)
      return verdictOnThese(missions, options)
    })
    expect(verdicts.every(({ exact }) => exact)).toBe(true)
    const alarms = verdicts.filter(({ verdict }) => ['better', 'worse'].includes(verdict)).length
    expect(alarms / 400).toBeLessThan(0.07)
    expect(alarms / 400).toBeGreaterThan(0.01)
  })

  it('states the test, its p-value and both intervals', () => {
    expect(verdictOnThese([counts(9, 10, 2, 10), counts(4, 8, 3, 8)], options)).toEqual({
      difference: -0.4125,
      equivalence: { high: -0.133106, low: -0.631309, margin: 0.05 },
      exact: true,
      high: -0.07747,
      low: -0.664009,
      missions: 2,
      name: 'on these missions',
      p: 0.019382,
      test: 'stratified permutation',
      verdict: 'worse',
    })
    expect(verdictOnThese([counts(2, 10, 9, 10)], options)).toEqual({
      difference: 0.7,
      equivalence: { high: 0.879142, low: 0.350563, margin: 0.05 },
      exact: true,
      high: 0.897587,
      low: 0.271484,
      missions: 1,
      name: 'on these missions',
      p: 0.005477,
      test: 'stratified permutation',
      verdict: 'better',
    })
  })

  it('gives no verdict without missions', () => {
    expect(verdictOnThese([], options)).toEqual({
      name: 'on these missions',
      verdict: 'undecided',
      reason: 'no judged attempts',
      test: 'stratified permutation',
      p: null,
      exact: false,
      missions: 0,
      difference: null,
      low: null,
      high: null,
      equivalence: { margin: 0.05, low: null, high: null },
    })
  })

  it.each([
    ['one attempt of each side', [counts(1, 1, 0, 1)], false],
    ['one attempt of A', [counts(1, 1, 0, 2)], false],
    ['one attempt of B', [counts(1, 2, 0, 1)], false],
    ['two attempts of each side', [counts(1, 2, 0, 2)], true],
    ['two missions with one attempt', repeated(2, counts(1, 1, 0, 1)), true],
  ])('with %s has an interval: %s', (_, missions, hasInterval) => {
    const { low, high, equivalence } = verdictOnThese(missions, options)
    const limits = [low, high, equivalence.low, equivalence.high]
    expect(limits.map((each) => each !== null)).toEqual(limits.map(() => hasInterval))
  })

  it('is undecided at a p-value equal to alpha', () => {
    const missions = [counts(3, 3, 0, 3)]
    const { p } = stratifiedTest(missions, 10, new Random(1))
    const words = [p, p + 1e-9].map((alpha) => verdictOnThese(missions, { ...options, alpha }))
    expect(words.map(({ verdict }) => verdict)).toEqual(['undecided', 'worse'])
  })

  it('is equal only if the interval at 1 - 2 alpha is inside the margin on both sides', () => {
    const lower = [counts(50, 100, 48, 100)]
    const upper = [counts(48, 100, 50, 100)]
    const limits = verdictOnThese(lower, options).equivalence
    expect(verdictOnThese(upper, options).equivalence).toEqual({
      high: 0.135503,
      low: -0.096039,
      margin: 0.05,
    })
    expect(limits).toEqual({ high: 0.096039, low: -0.135503, margin: 0.05 })
    const at = (missions: MissionCounts[], margin: number) =>
      verdictOnThese(missions, { ...options, margin }).verdict
    expect([0.13, 0.14].map((margin) => at(lower, margin))).toEqual(['undecided', 'equal'])
    expect([0.13, 0.14].map((margin) => at(upper, margin))).toEqual(['undecided', 'equal'])
  })
})

describe('verdictOnLikeThese', () => {
  it('states the test, its p-value and both intervals', () => {
    const missions = [1, 2, 3, 4, 5, 6].map((passed) => counts(7, 8, passed, 8))
    expect(verdictOnLikeThese(missions, options)).toEqual({
      difference: -0.4375,
      equivalence: { high: -0.245123, low: -0.629877, margin: 0.05 },
      exact: true,
      high: -0.192086,
      low: -0.682914,
      missions: 6,
      name: 'on missions like these',
      p: 0.03125,
      test: 'sign flip by mission',
      verdict: 'worse',
    })
    const fewer = missions.slice(0, 5)
    expect(verdictOnLikeThese([...fewer, counts(4, 4, 4, 4)], options)).toEqual({
      difference: -0.416667,
      equivalence: { high: -0.194528, low: -0.638805, margin: 0.05 },
      exact: true,
      high: -0.133287,
      low: -0.700047,
      missions: 6,
      name: 'on missions like these',
      p: 0.0625,
      test: 'sign flip by mission',
      verdict: 'undecided',
    })
  })

  it('needs six missions', () => {
    const refusal = {
      name: 'on missions like these',
      verdict: 'undecided',
      reason: 'too few missions to generalise',
      test: 'sign flip by mission',
      p: null,
      exact: false,
      low: null,
      high: null,
      equivalence: { margin: 0.05, low: null, high: null },
    }
    expect(verdictOnLikeThese([], options)).toEqual({ ...refusal, missions: 0, difference: null })
    expect(verdictOnLikeThese(repeated(5, counts(1, 3, 2, 3)), options)).toEqual({
      ...refusal,
      missions: 5,
      difference: 0.333333,
    })
  })

  it('keeps the interval within -1 and 1', () => {
    const missions = [...repeated(5, counts(1, 1, 0, 1)), counts(0, 1, 1, 1)]
    const turned = missions.map(({ a, b }) => ({ a: b, b: a }))
    const limits = [missions, turned].map((each) => verdictOnLikeThese(each, options))
    expect(limits.map(({ low, high }) => [low, high])).toEqual([
      [-1, 0.190194],
      [-0.190194, 1],
    ])
  })

  it('bounds the differences of other missions if all missions agree', () => {
    const limits = [0, 1, 2].map((passed) => {
      const missions = repeated(6 + passed, counts(1, 2, passed, 2))
      const { low, high, equivalence } = verdictOnLikeThese(missions, options)
      return [low, high, equivalence.low, equivalence.high]
    })
    expect(limits).toEqual([
      [-0.729629, 0.188887, -0.696519, 0.089557],
      [-0.409616, 0.409616, -0.348164, 0.348164],
      [-0.054125, 0.684708, 0.031484, 0.656172],
    ])
  })
})
