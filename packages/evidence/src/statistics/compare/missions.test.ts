import { describe, expect, it } from 'vitest'
import { comparedRun } from '../../../test/compared-runs.ts'
import { stratifiedTest } from '../permutation.ts'
import { Random } from '../random.ts'
import { compareMissions } from './missions.ts'
import { pairMissions } from './pairs.ts'

function compared(a: Record<string, string>, b: Record<string, string>, alpha: number) {
  const sides = [a, b].map((each) => ({ runs: [comparedRun(each)] })) as [never, never]
  const { pairs } = pairMissions(...sides, { anyProfile: true })
  return compareMissions(pairs, { alpha, resamples: 10 }, new Random(1))
}

describe('compareMissions', () => {
  it('compares each mission and adjusts the p-values over all of them', () => {
    const a = { down: '++++++', even: '+-+-i?', single: '+', up: '------i' }
    const b = { down: '------', even: '-+-+', single: '-?', up: '++++++' }
    expect(compared(a, b, 0.05)).toEqual([
      {
        a: {
          infra: 0,
          missing: 0,
          rate: { high: 1, judged: 6, low: 0.609666, passed: 6, rate: 1 },
        },
        b: {
          infra: 0,
          missing: 0,
          rate: { high: 0.390334, judged: 6, low: 0, passed: 0, rate: 0 },
        },
        contentHash: 'hash-down',
        difference: -1,
        high: -0.447984,
        level: 'worse',
        low: -1,
        missionId: 'down',
        p: 0.002165,
        pAdjusted: 0.008658,
      },
      {
        a: {
          infra: 1,
          missing: 1,
          rate: { high: 0.849961, judged: 4, low: 0.150039, passed: 2, rate: 0.5 },
        },
        b: {
          infra: 0,
          missing: 0,
          rate: { high: 0.849961, judged: 4, low: 0.150039, passed: 2, rate: 0.5 },
        },
        contentHash: 'hash-even',
        difference: 0,
        high: 0.49492,
        level: 'undecided',
        low: -0.49492,
        missionId: 'even',
        p: 1,
        pAdjusted: 1,
      },
      {
        a: {
          infra: 0,
          missing: 0,
          rate: { high: undefined, judged: 1, low: undefined, passed: 1, rate: 1 },
        },
        b: {
          infra: 0,
          missing: 1,
          rate: { high: undefined, judged: 1, low: undefined, passed: 0, rate: 0 },
        },
        contentHash: 'hash-single',
        difference: -1,
        high: null,
        level: 'undecided',
        low: null,
        missionId: 'single',
        p: 1,
        pAdjusted: 1,
      },
      {
        a: {
          infra: 1,
          missing: 0,
          rate: { high: 0.390334, judged: 6, low: 0, passed: 0, rate: 0 },
        },
        b: {
          infra: 0,
          missing: 0,
          rate: { high: 1, judged: 6, low: 0.609666, passed: 6, rate: 1 },
        },
        contentHash: 'hash-up',
        difference: 1,
        high: 1,
        level: 'better',
        low: 0.447984,
        missionId: 'up',
        p: 0.002165,
        pAdjusted: 0.008658,
      },
    ])
  })

  it('is undecided at a p-value equal to alpha', () => {
    const counts = { a: { passed: 3, judged: 3 }, b: { passed: 0, judged: 3 } }
    const { p } = stratifiedTest([counts], 10, new Random(1))
    const levels = [p, p + 1e-9].map((alpha) => compared({ one: '+++' }, { one: '---' }, alpha))
    expect(levels.map(([first]) => [first?.p, first?.level])).toEqual([
      [0.1, 'undecided'],
      [0.1, 'worse'],
    ])
  })
})
