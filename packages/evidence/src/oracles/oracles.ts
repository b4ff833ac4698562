// Judges a result by the rules of an oracle. A verdict names the failed rules and the kind of
// mismatch, never the expected value, because a later agent may read it.
import type { FeedbackFile } from '../schema/schema.ts'
import type { Oracle } from './file.ts'
import { checkNode, type MismatchClass, type Reading, type RuleFinding } from './rules.ts'

export { comparisonFor } from './comparisons.ts'
export { readOracle } from './file.ts'
export { runOracleScript } from './script.ts'
export { parseNumber } from './values.ts'

export const oracleModes = ['strict', 'normalized', 'semantic'] as const
export const formatPolicies = ['fail', 'warn', 'ignore'] as const

export interface OraclePolicy {
  mode: (typeof oracleModes)[number]
  /** How a result counts that is correct in another form. */
  formatMismatch: (typeof formatPolicies)[number]
}

export interface OracleMismatch {
  field: string
  op: string
  class: MismatchClass
  message: string
}

export interface OracleVerdict {
  ok: boolean
  mismatches: OracleMismatch[]
  /** Mismatches of format that the policy accepts with a warning. */
  warnings: OracleMismatch[]
}

/** The readings that each mode accepts. */
const acceptedReadings: Record<OraclePolicy['mode'], readonly Reading[]> = {
  strict: ['exact'],
  normalized: ['exact', 'normalized'],
  semantic: ['exact', 'normalized', 'loose'],
}

export function judgeByRules(
  oracle: Oracle,
  feedback: Pick<FeedbackFile, 'result' | 'resultJson'>,
  policy: OraclePolicy,
): OracleVerdict {
  const result = parsedResult(feedback)
  const missed = oracle.rules
    .flatMap((node) => checkNode(node, result))
    .filter(
      ({ holdsAs }) => holdsAs === undefined || !acceptedReadings[policy.mode].includes(holdsAs),
    )
    .map(mismatchOf)
  const isForm = (each: OracleMismatch) => each.class === 'format'
  const lenient = policy.formatMismatch !== 'fail'
  const mismatches = missed.filter((each) => !(lenient && isForm(each)))
  const warnings = policy.formatMismatch === 'warn' ? missed.filter(isForm) : []
  return { ok: mismatches.length === 0, mismatches, warnings }
}

/** The result; text that contains a JSON object or list is parsed. */
export function parsedResult({
  result,
  resultJson,
}: Pick<FeedbackFile, 'result' | 'resultJson'>): unknown {
  if (resultJson !== undefined) return resultJson
  try {
    const value: unknown = JSON.parse(result ?? '')
    return typeof value === 'object' && value !== null ? value : result
  } catch {
    return result
  }
}

const mismatchTexts: Record<MismatchClass, string> = {
  format: 'is right in another form only',
  type: 'is missing or of another type',
  semantic: 'is something else',
}

function mismatchOf({ field, op, class: kind }: RuleFinding): OracleMismatch {
  const subject = field === '' ? 'the result' : field
  return { field, op, class: kind, message: `${subject} ${mismatchTexts[kind]} (${op})` }
}
