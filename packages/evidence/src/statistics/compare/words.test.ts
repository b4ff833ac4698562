import { describe, expect, it } from 'vitest'
import type { Comparison } from './compare.ts'
import type { MeasureComparison } from './measures.ts'
import type { Verdict } from './verdict.ts'
import { lostText, measureTitle, percentText, planText, pointsText } from './words.ts'
import { pValueText, reasonLabels, verdictText } from './words.ts'

it.each([
  [0, '< 0.001'],
  [0.00099, '< 0.001'],
  [0.001, '0.001'],
  [0.0504, '0.050'],
  [1, '1.000'],
])('writes the p-value %f as %s, never as 0.000', (p, text) => {
  expect(pValueText(p)).toBe(text)
})

it.each([
  [0, '0.0'],
  [0.0004, '0.0'],
  [-0.0004, '0.0'],
  [0.0006, '+0.1'],
  [-0.0006, '-0.1'],
  [0.25, '+25.0'],
  [-1, '-100.0'],
])('writes the difference %f as %s points', (share, text) => {
  expect(pointsText(share)).toBe(text)
})

it('writes a share in percent with one decimal', () => {
  expect([0, 0.12345, 1].map(percentText)).toEqual(['0.0%', '12.3%', '100.0%'])
})

const verdict: Verdict = {
  name: 'on these missions',
  verdict: 'worse',
  test: 'stratified permutation',
  p: 0.0123,
  exact: true,
  missions: 2,
  difference: -0.25,
  low: -0.5,
  high: -0.01,
  equivalence: { margin: 0.05, low: -0.4, high: -0.1 },
}

describe('verdictText', () => {
  it.each<[string, Partial<Verdict>, string]>([
    [
      'a worse verdict',
      {},
      'on these missions: worse; B minus A -25.0 points (95% interval -50.0 to -1.0), p 0.012 (stratified permutation test, exact, 2 missions)',
    ],
    [
      'a sampled test of one mission',
      { exact: false, missions: 1 },
      'on these missions: worse; B minus A -25.0 points (95% interval -50.0 to -1.0), p 0.012 (stratified permutation test, sampled, 1 mission)',
    ],
    [
      'a verdict without a lower limit',
      { low: null },
      'on these missions: worse; B minus A -25.0 points (no interval from one attempt), p 0.012 (stratified permutation test, exact, 2 missions)',
    ],
    [
      'a verdict without an upper limit',
      { high: null },
      'on these missions: worse; B minus A -25.0 points (no interval from one attempt), p 0.012 (stratified permutation test, exact, 2 missions)',
    ],
    [
      'an equal verdict',
      { verdict: 'equal', p: 1 },
      'on these missions: equal within 5.0 points; B minus A -25.0 points (95% interval -50.0 to -1.0), p 1.000 (stratified permutation test, exact, 2 missions)',
    ],
    [
      'an equal verdict without an interval',
      { verdict: 'equal', low: null },
      'on these missions: equal; B minus A -25.0 points (no interval from one attempt), p 0.012 (stratified permutation test, exact, 2 missions)',
    ],
    [
      'too few missions',
      { verdict: 'undecided', reason: 'too few missions to generalise', p: null },
      'on these missions: undecided, too few missions to generalise (2 of at least 6); B minus A -25.0 points',
    ],
    [
      'no attempts',
      { verdict: 'undecided', reason: 'no judged attempts', difference: null },
      'on these missions: undecided, no judged attempts',
    ],
  ])('describes %s', (_, over, text) => {
    expect(verdictText({ ...verdict, ...over }, 0.05)).toBe(text)
  })

  it('writes the confidence without needless decimals', () => {
    const confidence = (alpha: number) => /\((\S+) interval/.exec(verdictText(verdict, alpha))?.[1]
    expect([0.1, 0.05, 0.001, 0.00001].map(confidence)).toEqual(['90%', '95%', '99.9%', '99.999%'])
  })
})

describe('lostText', () => {
  const lost: Comparison['lost'] = {
    a: { infra: 1, missing: 2, share: 0.3, rate: { allFailed: 0, allPassed: 1 } },
    b: { infra: 3, missing: 0, share: 0.35, rate: { allFailed: 0, allPassed: 1 } },
    pMoreInB: 0.5,
    bounds: { worst: -0.4, best: 0.1 },
    onTheseMissions: { allFailed: 'worse', allPassed: 'undecided' },
  }
  const text = (over: Partial<typeof lost>) =>
    lostText({ lost: { ...lost, ...over } } as Comparison)

  it('describes both sides, the bounds and the verdicts', () => {
    expect(text({})).toBe(
      'lost attempts: A 1 infra failure, 2 without outcome (30.0%); B 3 infra failures, 0 without outcome (35.0%); ' +
        'B minus A lies between -40.0 and +10.0 points; all failed: worse, all passed: undecided; more in B: p 0.500',
    )
  })

  it('is absent without bounds or verdicts', () => {
    expect(text({ bounds: null })).toBeUndefined()
    expect(text({ onTheseMissions: null })).toBeUndefined()
  })
})

it.each([
  [
    3,
    1,
    'a difference of 10 points at power 0.8 needs 3 attempts on each side for each of 1 mission',
  ],
  [
    1,
    4,
    'a difference of 10 points at power 0.8 needs 1 attempt on each side for each of 4 missions',
  ],
  [null, 4, 'a difference of 10 points at power 0.8 needs more than 100,000 attempts per mission'],
])('describes a plan of %s attempts for %d missions', (attemptsPerMission, missions, text) => {
  const plan = { effect: 0.1, power: 0.8, alpha: 0.05, expectedPower: 0.8 }
  expect(planText({ ...plan, attemptsPerMission, missions })).toBe(text)
})

it('describes why a mission was not compared', () => {
  expect(reasonLabels).toEqual({
    only_in_a: 'only in A',
    only_in_b: 'only in B',
    content_differs: 'prompt or expectations differ',
    no_outcome: 'no outcome on one side',
  })
})

it.each([
  ['toolCalls', undefined, 'calls'],
  ['failures', undefined, 'failed calls'],
  ['bytes', undefined, 'output bytes'],
  ['wallTimeMs', undefined, 'wall time ms'],
  ['tokens', 'estimated', 'tokens (estimated)'],
  ['costUsd', 'reported', 'cost USD (reported)'],
] as const)('the title of %s from the source %s is %s', (name, source, title) => {
  expect(measureTitle({ name, source } as MeasureComparison)).toBe(title)
})
