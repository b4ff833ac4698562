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

function missions(
  count: number,
  attempts: number,
  outcome: (side: 'a' | 'b') => SequentialOutcome,
): SequentialMission[] {
  const side = (name: 'a' | 'b') => Array.from({ length: attempts }, () => outcome(name))
  return Array.from({ length: count }, () => ({ a: side('a'), b: side('b') }))
}
