import { describe, expect, it } from 'vitest'
import type { Comparison } from './compare.ts'
import { gateOf } from './gate.ts'

const gate = { failOn: 'worse' as const, maxInfra: 0.1, eachMission: false }

function comparison(
  over: { verdict?: string; levels?: string[]; pMoreInB?: number; share?: number } = {},
): Comparison {
  const { verdict = 'undecided', levels = [], pMoreInB = 1, share = 0 } = over
  const missions = levels.map((level, index) => ({ level, missionId: `m${index}` }))
  const lost = { pMoreInB, b: { share } }
  return { onTheseMissions: { verdict }, missions, lost } as unknown as Comparison
}

describe('gateOf', () => {
  it('is null without a gate', () => {
    expect(
      gateOf(comparison({ verdict: 'worse' }), { ...gate, failOn: undefined }, 0.05),
    ).toBeNull()
  })

  it.each([
    ['nothing', comparison(), {}, []],
    ['a better verdict', comparison({ verdict: 'better' }), {}, []],
    ['a worse verdict', comparison({ verdict: 'worse' }), {}, ['B is worse on these missions']],
    ['worse missions that may be worse', comparison({ levels: ['worse'] }), {}, []],
    [
      'worse missions',
      comparison({ levels: ['worse', 'better', 'worse'] }),
      { eachMission: true },
      ['B is worse on m0, m2'],
    ],
    ['no worse mission', comparison({ levels: ['better'] }), { eachMission: true }, []],
    ['as many failures as chance allows', comparison({ pMoreInB: 0.05 }), {}, []],
    [
      'more failures',
      comparison({ pMoreInB: 0.049 }),
      {},
      ['B has more infra failures than A (p 0.049, one-sided)'],
    ],
    ['lost attempts at the limit', comparison({ share: 0.1 }), {}, []],
    [
      'lost attempts above the limit',
      comparison({ share: 0.1001 }),
      {},
      ['B lost 10.0% of its attempts to infra failures (limit 10.0%)'],
    ],
    [
      'everything',
      comparison({ verdict: 'worse', levels: ['worse'], pMoreInB: 0, share: 0.5 }),
      { eachMission: true, maxInfra: 0.25 },
      [
        'B is worse on these missions',
        'B is worse on m0',
        'B has more infra failures than A (p < 0.001, one-sided)',
        'B lost 50.0% of its attempts to infra failures (limit 25.0%)',
      ],
    ],
  ])('gives the reasons for %s', (_, compared, options, reasons) => {
    const { maxInfra } = { ...gate, ...options }
    expect(gateOf(compared, { ...gate, ...options }, 0.05)).toEqual({
      failOn: 'worse',
      maxInfra,
      failed: reasons.length > 0,
      reasons,
    })
  })
})
