import { describe, expect, it } from 'vitest'
import { comparedRun } from '../../../test/compared-runs.ts'
import type { AttemptFacts } from '../read-run.ts'
import { Random } from '../random.ts'
import { compareMeasures } from './measures.ts'
import { pairMissions } from './pairs.ts'

type Vary = (index: number, missionId: string) => Partial<AttemptFacts>

const missions = { one: '++--+', two: '+-+-+' }

function measures(a: Vary, b: Vary, options = { alpha: 0.05, resamples: 200 }, of = missions) {
  const side = (vary: Vary) => ({ runs: [comparedRun(of, vary)] })
  const { pairs } = pairMissions(side(a), side(b), { anyProfile: true })
  return compareMeasures(pairs, options, new Random(1))
}

describe('compareMeasures', () => {
  it('compares each measure with its unit', () => {
    const a: Vary = (index) => ({
      toolCalls: 3 + index,
      failures: index % 2,
      wallTimeMs: 900 + 10 * index,
      bytes: 100,
      tokens: 50 + index,
      tokenSource: 'runner.metrics',
      costUsd: 0.001 * index,
    })
    const b: Vary = (index) => ({
      toolCalls: 13 + 2 * index,
      failures: 1 - (index % 2),
      wallTimeMs: 450 + 7 * index,
      bytes: 100,
      tokens: 50 - index,
      tokenSource: 'runner.metrics',
      costUsd: 0.002 * index,
    })
    expect(measures(a, b)).toEqual([
      {
        a: 5,
        b: 17,
        high: 4.51572,
        level: 'undecided',
        low: 2.761381,
        name: 'toolCalls',
        p: 0.00995,
        pAdjusted: 0.059701,
        ratio: 3.499542,
        source: undefined,
        unit: 'count',
      },
      {
        a: 0.4,
        b: 0.6,
        high: 1.681793,
        level: 'undecided',
        low: 0.793701,
        name: 'failures',
        p: 0.666667,
        pAdjusted: 1,
        ratio: 1.148698,
        source: undefined,
        unit: 'count',
      },
      {
        a: 100,
        b: 100,
        high: null,
        level: 'undecided',
        low: null,
        name: 'bytes',
        p: 1,
        pAdjusted: 1,
        ratio: 1,
        source: undefined,
        unit: 'bytes',
      },
      {
        a: 920,
        b: 464,
        high: 0.515622,
        level: 'undecided',
        low: 0.496535,
        name: 'wallTimeMs',
        p: 0.00995,
        pAdjusted: 0.059701,
        ratio: 0.504293,
        source: undefined,
        unit: 'ms',
      },
      {
        a: 52,
        b: 48,
        high: 0.950819,
        level: 'undecided',
        low: 0.890707,
        name: 'tokens',
        p: 0.00995,
        pAdjusted: 0.059701,
        ratio: 0.923018,
        source: 'reported',
        unit: 'tokens',
      },
      {
        a: 0.002,
        b: 0.004,
        high: 92.117508,
        level: 'undecided',
        low: 0.044696,
        name: 'costUsd',
        p: 0.487562,
        pAdjusted: 1,
        ratio: 1.740739,
        source: 'reported',
        unit: 'USD',
      },
    ])
  })

  it('calls a measure better or worse if its adjusted p-value is below alpha', () => {
    const a: Vary = (index) => ({ toolCalls: 10 + index, failures: 40 - index })
    const b: Vary = (index) => ({ toolCalls: 16 + index, failures: 28 - index })
    // No arrangement is as extreme, and four measures are adjusted together.
    const adjusted = 4 * (2 / 201)
    const levels = [adjusted, adjusted + 1e-9].map((alpha) =>
      measures(a, b, { alpha, resamples: 200 })
        .slice(0, 4)
        .map(({ level }) => level),
    )
    expect(levels).toEqual([
      ['undecided', 'undecided', 'undecided', 'undecided'],
      ['worse', 'better', 'undecided', 'undecided'],
    ])
  })

  it('compares nothing without pairs', () => {
    const unmeasured = { a: null, b: null, ratio: null, low: null, high: null }
    const rest = { ...unmeasured, p: null, pAdjusted: null, level: 'not measured' }
    expect(compareMeasures([], { alpha: 0.05, resamples: 200 }, new Random(1))).toEqual([
      { name: 'toolCalls', unit: 'count', ...rest },
      { name: 'failures', unit: 'count', ...rest },
      { name: 'bytes', unit: 'bytes', ...rest },
      { name: 'wallTimeMs', unit: 'ms', ...rest },
      { name: 'tokens', unit: 'tokens', ...rest },
      { name: 'costUsd', unit: 'USD', ...rest },
    ])
  })

  it.each([
    ['without tokens', {}, {}],
    ['with tokens of one side', { tokens: 5 }, {}],
    [
      'with another source on each side',
      { tokens: 5, tokenSource: 'runner.metrics' as const },
      { tokens: 5, tokenSource: 'trace-heuristic' as const },
    ],
  ])('does not compare tokens %s', (_, a, b) => {
    const levels = measures(
      () => a,
      () => b,
    ).map(({ name, level }) => [name, level])
    expect(levels.slice(3)).toEqual([
      ['wallTimeMs', 'undecided'],
      ['tokens', 'not measured'],
      ['costUsd', 'not measured'],
    ])
  })

  it.each([
    ['trace-heuristic', 'estimated'],
    ['runner.metrics', 'reported'],
    [undefined, 'estimated'],
  ] as const)('calls tokens from %s %s', (tokenSource, source) => {
    const vary: Vary = () => ({ tokens: 5, costUsd: 0.5, tokenSource })
    const sources = measures(vary, vary).map((each) => each.source)
    expect(sources).toEqual([undefined, undefined, undefined, undefined, source, source])
  })

  it('is too few if even the most extreme arrangement is not below alpha', () => {
    const vary: Vary = (index) => ({ toolCalls: 1 + index })
    const of = { one: '++', two: '++' }
    // 36 arrangements, so 2 / 36 must be below alpha.
    const levels = [2 / 36 - 1e-9, 2 / 36, 2 / 36 + 1e-9].map(
      (alpha) => measures(vary, vary, { alpha, resamples: 50 }, of as typeof missions)[0]?.level,
    )
    expect(levels).toEqual(['too few', 'too few', 'undecided'])
  })
})
