// The pass-rate rule: passed attempts divided by judged attempts. An attempt is judged if it passed
// or failed. Infrastructure failures and missing outcomes are counted separately, never as failures.
import { isAnswer } from '../outcome/outcome.ts'
import type { JudgedOutcome } from '../judgement/judgement.ts'
import { rateOf, type Rate } from './rate.ts'

export interface OutcomeCounts {
  attempts: number
  passed: number
  failed: number
  /** Of the failed attempts, those that claim success without a recorded action. */
  unproven: number
  infra: number
  missing: number
}

interface WithOutcome {
  outcome: JudgedOutcome
  unproven?: boolean | undefined
}

export function isJudged({ outcome }: WithOutcome): boolean {
  return isAnswer(outcome)
}

/** The pass rate of some attempts, with Wilson's interval. */
export function passRateOf(attempts: readonly WithOutcome[], confidence?: number): Rate {
  const judged = attempts.filter(isJudged)
  const passed = judged.filter(({ outcome }) => outcome === 'passed')
  return rateOf(passed.length, judged.length, confidence)
}

export function countOutcomes(attempts: readonly WithOutcome[]): OutcomeCounts {
  const count = (counted: JudgedOutcome) =>
    attempts.filter(({ outcome }) => outcome === counted).length
  return {
    attempts: attempts.length,
    passed: count('passed'),
    failed: count('failed'),
    unproven: attempts.filter(({ unproven }) => unproven === true).length,
    infra: count('infra'),
    missing: count('missing'),
  }
}
