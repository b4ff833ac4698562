import { ZeeError } from '@zee/core/errors'
import { describe, expect, it } from 'vitest'
import { comparedRun } from '../../../test/compared-runs.ts'
import type { RunFacts } from '../read-run.ts'
import { pairMissions } from './pairs.ts'

const strict = { anyProfile: false }
const pair = (a: RunFacts[], b: RunFacts[], options = strict) =>
  pairMissions({ runs: a }, { runs: b }, options)

function refusal(a: RunFacts[], b: RunFacts[], options = strict) {
  try {
    pair(a, b, options)
  } catch (error) {
    if (error instanceof ZeeError) return [error.code, error.exitCode, error.message]
  }
  return undefined
}

/** The same run with other content of its missions. */
function edited(run: RunFacts): RunFacts {
  return { ...run, attempts: run.attempts.map((each) => ({ ...each, contentHash: 'other' })) }
}

describe('pairMissions', () => {
  it('pairs judged missions and keeps missions without a judged attempt apart', () => {
    const a = comparedRun({ both: '+-i', deadA: 'i?', deadB: '+', dead: 'i' })
    const b = comparedRun({ both: '?-+', deadA: '-', deadB: 'i', dead: '?' })
    const { suiteId, pairs, unjudged, notCompared, warnings } = pair([a], [b])
    expect([suiteId, warnings]).toEqual(['smoke', []])
    const shape = (all: typeof pairs) =>
      all.map((each) => [
        each.missionId,
        each.contentHash,
        each.a.length,
        each.b.length,
        each.judged.a.length,
        each.judged.b.length,
      ])
    expect(shape(pairs)).toEqual([['both', 'hash-both', 3, 3, 2, 2]])
    expect(shape(unjudged)).toEqual([
      ['dead', 'hash-dead', 1, 1, 0, 0],
      ['deadA', 'hash-deadA', 2, 1, 0, 1],
      ['deadB', 'hash-deadB', 1, 1, 1, 0],
    ])
    expect(notCompared).toEqual([
      { missionId: 'dead', reason: 'no_outcome' },
      { missionId: 'deadA', reason: 'no_outcome' },
      { missionId: 'deadB', reason: 'no_outcome' },
    ])
  })

  it.each([
    ['no attempts', [comparedRun({})], [comparedRun({})], 'there are no attempts'],
    [
      'other missions',
      [comparedRun({ one: '+', two: '+' })],
      [comparedRun({ three: '+' })],
      '2 only in A, 1 only in B',
    ],
    [
      'other content',
      [comparedRun({ one: '+' })],
      [edited(comparedRun({ one: '+' }))],
      '1 with another prompt or other expectations',
    ],
  ])('refuses runs with %s', (_, a, b, details) => {
    expect(refusal(a, b)).toEqual([
      'ZCL_E_NOT_COMPARABLE',
      1,
      `no mission is on both sides with the same content (${details})`,
    ])
  })

  it('pairs runs of which no attempt was judged', () => {
    const lost = comparedRun({ one: 'i' })
    expect(pair([lost], [lost]).unjudged).toHaveLength(1)
  })

  it('refuses runs of different suites and names them in order', () => {
    const a = { ...comparedRun({ one: '+' }), suiteId: 'z' }
    const b = { ...comparedRun({ one: '+' }), suiteId: '' }
    expect(refusal([a], [b])).toEqual([
      'ZCL_E_NOT_COMPARABLE',
      1,
      'the runs are of different suites: smoke, z',
    ])
  })

  it('has no suite id if neither the runs nor the attempts have one', () => {
    const run = comparedRun({ one: '+' }, () => ({ suiteId: '' }))
    expect(pair([{ ...run, suiteId: '' }], [{ ...run, suiteId: '' }]).suiteId).toBe('')
  })

  it('refuses different settings, or warns on request', () => {
    const run = (comparabilityKey: string) => ({ ...comparedRun({ one: '+' }), comparabilityKey })
    const what = 'the runs were made under different settings (their comparabilityKey differs)'
    expect(refusal([run('x')], [run('y')])).toEqual([
      'ZCL_E_NOT_COMPARABLE',
      1,
      `${what}; use --any-profile to compare them anyway`,
    ])
    expect(pair([run('x')], [run('y')], { anyProfile: true }).warnings).toEqual([what])
    expect(pair([run('x')], [run('x')], { anyProfile: true }).warnings).toEqual([])
  })

  it('warns of runs with unknown settings beside runs with known ones', () => {
    const known = { ...comparedRun({ one: '+' }), comparabilityKey: 'x' }
    const unknown = (runId: string) => ({ ...comparedRun({ one: '+' }), runId })
    expect(pair([unknown('u'), known], [known, unknown('v')]).warnings).toEqual([
      'it is not known under which settings u, v was made',
    ])
    expect(pair([unknown('u')], [unknown('v')]).warnings).toEqual([])
  })
})
