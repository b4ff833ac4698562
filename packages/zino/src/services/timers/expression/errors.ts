// The error of a time expression, with examples of what is understood.
import { ZeeError } from '@zee/core/errors'
import { requestError } from '../../../fields/fields.ts'

const momentExamples = 'in 10 minutes; tomorrow 9:00; mon 14:30; 2026-12-01 08:00; 1 dec 8am'
const ruleExamples = 'daily 7:00; mon..fri 08:30; 1st of month 9:00; last day 18:00; 15 minutes'

export function notUnderstood(reason: string): ZeeError {
  return requestError(reason)
}

/** The expression is clear, but cannot be used. */
export function unusable(reason: string): ZeeError {
  return new ZeeError('unusable_time', reason)
}

/** Adds examples to an error of the parser. */
export function withExamples(text: string, error: ZeeError, kind: 'moment' | 'rule'): ZeeError {
  if (error.code === 'unusable_time')
    return requestError(`${JSON.stringify(text)}: ${error.message}`)
  const examples = kind === 'moment' ? momentExamples : ruleExamples
  return requestError(
    `cannot understand ${JSON.stringify(text)}: ${error.message} (examples: ${examples})`,
  )
}
