import { describe, expect, test } from 'vitest'
import type { JudgedOutcome } from '../judgement/judgement.ts'
import { countOutcomes, isJudged, passRateOf } from './pass-rate.ts'

const attempts = (...outcomes: JudgedOutcome[]) => outcomes.map((outcome) => ({ outcome }))

describe('the pass rate', () => {
  test('counts attempts that passed or failed, and no others', () => {
    const mixed = attempts('passed', 'failed', 'infra', 'missing', 'passed')
    expect(mixed.map(isJudged)).toEqual([true, true, false, false, true])
    expect(passRateOf(mixed)).toMatchObject({ passed: 2, judged: 3, rate: 2 / 3 })
    expect(passRateOf(mixed)).toEqual(passRateOf(attempts('passed', 'failed', 'passed')))
  })

  test('is absent without judged attempts', () => {
    const unjudged = attempts('infra', 'missing')
    expect(passRateOf(unjudged)).toEqual({ passed: 0, judged: 0 })
  })

  test('has a narrower interval with a lower confidence', () => {
    const some = attempts('passed', 'failed', 'passed')
    expect(passRateOf(some, 0.5).low).toBeGreaterThan(passRateOf(some).low ?? 1)
  })

  test('is given beside the number of attempts of each outcome', () => {
    const counts = { attempts: 4, passed: 1, failed: 1, unproven: 0, infra: 1, missing: 1 }
    expect(countOutcomes(attempts('infra', 'passed', 'missing', 'failed'))).toEqual(counts)
    const unproven = [true, false, true, undefined].map((each) => ({
      outcome: 'failed' as const,
      unproven: each,
    }))
    const none = { passed: 0, infra: 0, missing: 0 }
    expect(countOutcomes(unproven)).toEqual({ attempts: 4, failed: 4, unproven: 2, ...none })
  })
})
