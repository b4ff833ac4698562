import { describe, expect, it } from 'vitest'
import { comparedRun } from '../../../test/compared-runs.ts'
import { lostAttempts, survivingVerdict } from './lost.ts'
import { pairMissions } from './pairs.ts'
import { verdictOnThese, type Verdict } from './verdict.ts'

const options = { alpha: 0.05, margin: 0.05, seed: 1, resamples: 100 }

function pairsOf(a: Record<string, string>, b: Record<string, string>) {
  const side = (missions: Record<string, string>) => ({ runs: [comparedRun(missions)] })
  const { pairs, unjudged } = pairMissions(side(a), side(b), { anyProfile: true })
  return [...pairs, ...unjudged]
}

const lost = (a: Record<string, string>, b: Record<string, string>) =>
  lostAttempts(pairsOf(a, b), options, verdictOnThese)

describe('lostAttempts', () => {
  it('counts lost attempts on both sides and bounds the difference', () => {
    expect(lost({ one: '++-i', two: '+-' }, { one: '+ii?', two: '++-?' })).toEqual({
      a: { infra: 1, missing: 0, rate: { allFailed: 0.5, allPassed: 0.625 }, share: 0.166667 },
      b: { infra: 2, missing: 2, rate: { allFailed: 0.375, allPassed: 0.875 }, share: 0.5 },
      bounds: { best: 0.375, worst: -0.25 },
      onTheseMissions: { allFailed: 'undecided', allPassed: 'undecided' },
      pMoreInB: 0.161905,
    })
  })

  it('has bounds and verdicts if only one side lost attempts', () => {
    expect(lost({ one: '++++++++' }, { one: '--------i' })).toEqual({
      a: { infra: 0, missing: 0, rate: { allFailed: 1, allPassed: 1 }, share: 0 },
      b: { infra: 1, missing: 0, rate: { allFailed: 0, allPassed: 0.111111 }, share: 0.111111 },
      bounds: { best: -0.888889, worst: -1 },
      onTheseMissions: { allFailed: 'worse', allPassed: 'worse' },
      pMoreInB: 0.529412,
    })
    expect(lost({ one: '?--------' }, { one: '++++++++' })).toEqual({
      a: { infra: 0, missing: 1, rate: { allFailed: 0, allPassed: 0.111111 }, share: 0.111111 },
      b: { infra: 0, missing: 0, rate: { allFailed: 1, allPassed: 1 }, share: 0 },
      bounds: { best: 1, worst: 0.888889 },
      onTheseMissions: { allFailed: 'better', allPassed: 'better' },
      pMoreInB: 1,
    })
  })

  it('has neither without lost attempts', () => {
    const side = {
      infra: 0,
      missing: 0,
      share: 0,
      rate: { allFailed: 0.5, allPassed: 0.5 },
    }
    const nothing = { pMoreInB: 1, bounds: null, onTheseMissions: null }
    expect(lost({ one: '+-' }, { one: '-+' })).toEqual({ a: side, b: side, ...nothing })
  })
})

describe('survivingVerdict', () => {
  const survives = (a: string, b: string, verdict: Verdict['verdict']) => {
    const given = { verdict, p: 0.01 } as Verdict
    return survivingVerdict(given, pairsOf({ one: a }, { one: b }), options, verdictOnThese)
  }

  it.each([
    ['no attempt was lost', '++++++', '------', 'equal', 'equal'],
    ['both cases agree', '++++++++', '--------i', 'worse', 'worse'],
    ['both cases agree for A', 'i++++++++', '--------', 'worse', 'worse'],
    ['one case differs', '++++++++', 'iiiiiiii', 'worse', 'undecided: infra'],
    ['the other case differs', '--------', 'iiiiiiii', 'better', 'undecided: infra'],
    ['the only case of A differs', 'iiiiiiii', '--------', 'worse', 'undecided: infra'],
    ['as many were lost on both sides', '+++ii', '---ii', 'worse', 'undecided: infra'],
  ] as const)('if %s, from %s to %s, a verdict of %s becomes %s', (_, a, b, verdict, expected) => {
    expect(survives(a, b, verdict)).toEqual({ verdict: expected, p: 0.01 })
  })
})
