import { describe, expect, it } from 'vitest'
import { comparedRun } from '../../test/compared-runs.ts'
import type { AttemptFacts } from './read-run.ts'
import { basisOf, measureNames, missionGroups, roundedRate } from './statistics.ts'
import { statisticsOf, totalCost } from './statistics.ts'

const settings = { ks: [1, 2, 4], seed: 1, resamples: 50 }

describe('statisticsOf', () => {
  it('gives all numbers of a suite and its missions', () => {
    const { attempts } = comparedRun({ two: '++-+', one: '+-i', dead: '?' }, (index) => ({
      toolCalls: 3 + index,
      failures: index,
      bytes: 100 * (index + 1),
      wallTimeMs: 1000 - index,
      tokens: 50 + index,
      tokenSource: 'trace-heuristic',
      costUsd: 0.25,
    }))
    const [suite] = statisticsOf(attempts, settings)
    expect({ ...suite, missions: [] }).toEqual({
      attempts: 8,
      costUsd: 2,
      failed: 2,
      infra: 1,
      measures: {
        bytes: { count: 6, max: 400, mean: 216.666667, min: 100, p50: 200, p90: 350, p95: 375 },
        costUsd: { count: 6, max: 0.25, mean: 0.25, min: 0.25, p50: 0.25, p90: 0.25, p95: 0.25 },
        failures: { count: 6, max: 3, mean: 1.166667, min: 0, p50: 1, p90: 2.5, p95: 2.75 },
        tokens: { count: 6, max: 53, mean: 51.166667, min: 50, p50: 51, p90: 52.5, p95: 52.75 },
        toolCalls: { count: 6, max: 6, mean: 4.166667, min: 3, p50: 4, p90: 5.5, p95: 5.75 },
        wallTimeMs: {
          count: 6,
          max: 1000,
          mean: 998.833333,
          min: 997,
          p50: 999,
          p90: 1000,
          p95: 1000,
        },
      },
      missing: 1,
      missionMean: { high: 1, low: 0.125, rate: 0.625 },
      missions: [],
      passAt: [
        { k: 1, passAtK: null, passHatK: null },
        { k: 2, passAtK: null, passHatK: null },
        { k: 4, passAtK: null, passHatK: null },
      ],
      passed: 4,
      rate: { high: 0.903229, judged: 6, low: 0.299993, passed: 4, rate: 0.666667 },
      suiteId: 'smoke',
      tokenSource: 'estimated',
      unproven: 0,
    })
    expect(suite?.missions.map(({ measures, ...rest }) => [measures.bytes, rest])).toEqual([
      [
        null,
        {
          attempts: 1,
          contentHash: 'hash-dead',
          failed: 0,
          infra: 0,
          missing: 1,
          missionId: 'dead',
          passAt: [
            { k: 1, passAtK: null, passHatK: null },
            { k: 2, passAtK: null, passHatK: null },
            { k: 4, passAtK: null, passHatK: null },
          ],
          passed: 0,
          rate: { high: undefined, judged: 0, low: undefined, passed: 0, rate: undefined },
          unproven: 0,
        },
      ],
      [
        { count: 2, max: 200, mean: 150, min: 100, p50: 150, p90: 190, p95: 195 },
        {
          attempts: 3,
          contentHash: 'hash-one',
          failed: 1,
          infra: 1,
          missing: 0,
          missionId: 'one',
          passAt: [
            { k: 1, passAtK: 0.5, passHatK: 0.5 },
            { k: 2, passAtK: 1, passHatK: 0 },
            { k: 4, passAtK: null, passHatK: null },
          ],
          passed: 1,
          rate: { high: 0.905469, judged: 2, low: 0.094531, passed: 1, rate: 0.5 },
          unproven: 0,
        },
      ],
      [
        { count: 4, max: 400, mean: 250, min: 100, p50: 250, p90: 370, p95: 385 },
        {
          attempts: 4,
          contentHash: 'hash-two',
          failed: 1,
          infra: 0,
          missing: 0,
          missionId: 'two',
          passAt: [
            { k: 1, passAtK: 0.75, passHatK: 0.75 },
            { k: 2, passAtK: 1, passHatK: 0.5 },
            { k: 4, passAtK: 1, passHatK: 0 },
          ],
          passed: 3,
          rate: { high: 0.954413, judged: 4, low: 0.300642, passed: 3, rate: 0.75 },
          unproven: 0,
        },
      ],
    ])
  })

  it('lists suites and missions by name', () => {
    const attempts = [
      ...comparedRun({ z: '+', a: '+' }, () => ({ suiteId: 'second' })).attempts,
      ...comparedRun({ m: '+' }, () => ({ suiteId: 'first' })).attempts,
    ]
    const names = statisticsOf(attempts, settings).map(({ suiteId, missions }) => [
      suiteId,
      ...missions.map(({ missionId }) => missionId),
    ])
    expect(names).toEqual([
      ['first', 'm'],
      ['second', 'a', 'z'],
    ])
  })

  it('gives the mean of the missions an interval from two missions on', () => {
    const runs: Record<string, string>[] = [
      { one: '+-' },
      { one: '++', two: '++' },
      { one: '--', two: '--', three: '-' },
      { one: '++', two: '--' },
      { one: '++', two: 'i' },
      { one: '+-+', two: '-+', three: '+' },
    ]
    const means = runs.map(
      (missions) => statisticsOf(comparedRun(missions).attempts, settings)[0]?.missionMean,
    )
    expect(means).toEqual([
      { rate: 0.5 },
      { high: 1, low: 0.34238, rate: 1 },
      { high: 0.561497, low: 0, rate: 0 },
      { high: 1, low: 0, rate: 0.5 },
      { rate: 1 },
      { high: 1, low: 0.345833, rate: 0.722222 },
    ])
  })

  it('draws the interval of a suite from fewer resamples if it has many attempts', () => {
    const { attempts } = comparedRun({ one: '++-'.repeat(4000), two: '+-'.repeat(4000) })
    const interval = (resamples: number) =>
      statisticsOf(attempts, { ...settings, resamples })[0]?.missionMean
    expect(interval(5000)).toEqual(interval(2999))
  })

  it.each([
    [['trace-heuristic', undefined], 'estimated'],
    [['runner.metrics', 'runner.metrics'], 'reported'],
    [['runner.metrics', 'trace-heuristic'], 'mixed'],
    [[undefined, undefined], undefined],
  ] as const)('the source of tokens from %j is %s', (sources, expected) => {
    const { attempts } = comparedRun({ one: '++' }, (index) => ({ tokenSource: sources[index] }))
    expect(statisticsOf(attempts, settings)[0]?.tokenSource).toBe(expected)
  })
})

it('basisOf calls only the estimate from the trace estimated', () => {
  expect([basisOf('trace-heuristic'), basisOf('runner.metrics')]).toEqual(['estimated', 'reported'])
})

it('totalCost is the sum of all costs, or undefined if one is unknown', () => {
  const costs = (...all: (number | undefined)[]) =>
    totalCost(all.map((costUsd) => ({ costUsd }) as AttemptFacts))
  expect([costs(0.1, 0.2), costs(0), costs(0.1, undefined), costs()]).toEqual([
    0.3,
    0,
    undefined,
    undefined,
  ])
})

it('roundedRate rounds to six decimals and keeps absent limits', () => {
  const rate = { passed: 1, judged: 3, rate: 1 / 3, low: 0.061_490_1, high: undefined }
  expect(roundedRate(rate)).toEqual({ ...rate, rate: 0.333333, low: 0.06149 })
})

it('missionGroups separates the same mission id with other content, in the order of the keys', () => {
  const { attempts } = comparedRun({ b: '+-', a: '+' }, (index) => ({ contentHash: `h${index}` }))
  const groups = [...missionGroups(attempts)].map(([key, group]) => [key, group.length])
  expect(groups).toEqual([
    ['a h0', 1],
    ['b h0', 1],
    ['b h1', 1],
  ])
})

it('lists the measures in the order of the documents', () => {
  expect(measureNames).toEqual([
    'toolCalls',
    'failures',
    'bytes',
    'wallTimeMs',
    'tokens',
    'costUsd',
  ])
})
