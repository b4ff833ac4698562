import { describe, expect, test } from 'vitest'
import { Random } from '../random.ts'
import { sequentialTest, type SequentialMission, type SequentialOutcome } from './sequential.ts'

const design = { maxRounds: 40, alpha: 0.05, margin: 0.05 }

describe('sequentialTest', () => {
  test('decides early for a clear gain and a clear loss', () => {
    const good = missions(10, 40, () => 'passed')
    const bad = missions(10, 40, () => 'failed')
    const mixed = (a: SequentialMission[], b: SequentialMission[]) =>
      a.map((mission, index) => ({ a: mission.a, b: b[index]?.b ?? [] }))
    expect(sequentialTest(mixed(bad, good), design)).toMatchObject({
      decision: 'better',
      rounds: 1,
    })
    expect(sequentialTest(mixed(good, bad), design)).toMatchObject({ decision: 'worse', rounds: 1 })
  })

  test('decides equal if every attempt of both sides passes often enough', () => {
    const { decision, rounds } = sequentialTest(
      missions(10, 40, () => 'passed'),
      design,
    )
    expect(decision).toBe('equal')
    expect(rounds).toBeLessThan(20)
  })

  test('stays undecided before the first complete round', () => {
    const [first] = missions(1, 5, () => 'passed')
    expect(sequentialTest([{ a: first?.a ?? [], b: [] }], design)).toMatchObject({
      decision: 'undecided',
      rounds: 0,
      eValues: { better: 1, worse: 1 },
    })
  })

  test('counts a lost attempt against every claim', () => {
    const lost = missions(10, 40, (side) => (side === 'b' ? 'lost' : 'passed'))
    expect(sequentialTest(lost, design).decision).toBe('undecided')
  })

  test('uses a baseline with fewer attempts than rounds', () => {
    const short = missions(10, 40, (side) => (side === 'b' ? 'failed' : 'passed')).map(
      ({ a, b }) => ({ a: a.slice(0, 4), b }),
    )
    expect(sequentialTest(short, design)).toMatchObject({ decision: 'worse', rounds: 10 })
  })

  test('gives the evidence of every step', () => {
    const short: SequentialMission[] = [
      { a: outcomesOf('++-+'), b: outcomesOf('+-?+--') },
      { a: outcomesOf('-?+'), b: outcomesOf('--+++-') },
    ]
    const at = (rounds: number, more = {}) => {
      const seen = short.map(({ a, b }) => ({ a, b: b.slice(0, rounds) }))
      const { eValues, ...rest } = sequentialTest(seen, { ...design, maxRounds: 6, ...more })
      const values = [eValues.better, eValues.worse, eValues.equal]
      return [rest.decision, rest.rounds, ...values.map((value) => Number(value.toFixed(9)))]
    }
    expect([0, 1, 2, 3, 4, 5, 6].map((rounds) => at(rounds))).toEqual([
      ['undecided', 0, 1, 1, 1],
      ['undecided', 1, 1, 1, 1],
      ['undecided', 2, 0.833125, 1.166875, 0.854556406],
      ['undecided', 3, 0.833125, 1.166875, 0.854556406],
      ['undecided', 4, 0.715559375, 0.73450625, 0.747116679],
      ['undecided', 5, 0.715559375, 0.73450625, 0.747116679],
      ['undecided', 6, 0.564593398, 0.91676197, 0.590115116],
    ])
    expect(at(6, { maxRounds: 8 })).toEqual(['undecided', 6, 0.676370833, 0.789323271, 0.702505896])
    expect(at(6, { maxRounds: 2 })).toEqual(['undecided', 6, 0.59799375, 1.383059375, 0.613284328])
    expect(at(6, { margin: 0.4, alpha: 0.9 })).toEqual([
      'equal',
      2,
      0.833125,
      1.166875,
      1.144959722,
    ])
  })

  test('decides at the threshold of each claim', () => {
    const { thresholds } = sequentialTest([], { ...design, alpha: 0.1 })
    expect(thresholds).toEqual({ better: 20, worse: 20, equal: 10 })
    expect(sequentialTest([], design)).toEqual({
      decision: 'undecided',
      rounds: 0,
      eValues: { better: 1, worse: 1, equal: 1 },
      thresholds: { better: 40, worse: 40, equal: 20 },
    })
    const won: SequentialMission[] = [{ a: ['failed'], b: ['passed'] }]
    const claim = (alpha: number) => sequentialTest(won, { maxRounds: 1, margin: 0, alpha })
    const { better } = claim(1).eValues
    expect([claim(2 / better).decision, claim(2 / (better + 1e-6)).decision]).toEqual([
      'better',
      'undecided',
    ])
    const lost: SequentialMission[] = [{ a: ['passed'], b: ['failed'] }]
    expect(sequentialTest(lost, { maxRounds: 1, margin: 0, alpha: 2 / better }).decision).toBe(
      'worse',
    )
  })

  test('decides wrongly in at most 5 % of runs without a difference, looking every round', () => {
    const random = new Random(5)
    let wrong = 0
    for (let round = 0; round < 300; round++) {
      const drawn = missions(10, 20, () => (random.share() < 0.6 ? 'passed' : 'failed'))
      const { decision } = sequentialTest(drawn, { ...design, maxRounds: 20 })
      if (decision === 'better' || decision === 'worse') wrong++
    }
    expect(wrong).toBeLessThanOrEqual(15)
  })
})

/** Passed, failed and lost attempts, written as `+`, `-` and `?`. */
function outcomesOf(marks: string): SequentialOutcome[] {
  return [...marks].map((mark) => (mark === '+' ? 'passed' : mark === '-' ? 'failed' : 'lost'))
}

function missions(
  count: number,
  attempts: number,
  outcome: (side: 'a' | 'b') => SequentialOutcome,
): SequentialMission[] {
  const side = (name: 'a' | 'b') => Array.from({ length: attempts }, () => outcome(name))
  return Array.from({ length: count }, () => ({ a: side('a'), b: side('b') }))
}
