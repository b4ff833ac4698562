// Checks an attempt against the expectations of its mission: outcome, result, trace, meaning.
import { canonicalInput, resolvePointer } from '../json/json.ts'
import { failure, missingCommands } from './failure.ts'
import type { ExpectationFailure, ObservedAttempt } from './failure.ts'
import { artifactName } from '../layout/layout.ts'
import type { MetricsPass } from '../summary/summary.ts'
import type { FeedbackFile } from '../schema/schema.ts'
import { semanticFailures } from './semantic.ts'
import { compilePattern } from '../suite/suite.ts'
import type { Expectations, ResultExpectations, TraceExpectations } from '../suite/suite.ts'

export { failure, type ExpectationFailure } from './failure.ts'
export { semanticFailures } from './semantic.ts'

export interface ExpectationResult {
  /** Whether the mission had any expectation to check. */
  evaluated: boolean
  ok: boolean
  failures: ExpectationFailure[]
}

export function checkExpectations(
  expects: Expectations | undefined,
  observed: ObservedAttempt,
): ExpectationResult {
  if (expects === undefined) return { evaluated: false, ok: true, failures: [] }
  const failures = [
    ...okFailures(expects.ok, observed.feedback),
    ...resultFailures(expects.result, observed.feedback),
    ...traceFailures(expects.trace, observed.trace),
    ...semanticFailures(expects.semantic, observed),
  ]
  return { evaluated: true, ok: failures.length === 0, failures }
}

function okFailures(
  expected: boolean | undefined,
  feedback: FeedbackFile | undefined,
): ExpectationFailure[] {
  if (expected === undefined || feedback?.ok === expected) return []
  const got = feedback === undefined ? 'there is no feedback' : `it is ${feedback.ok === true}`
  return [failure('ZCL_E_EXPECT_OK', `ok should be ${expected}, ${got}`, artifactName.feedback)]
}

function resultFailures(
  expected: ResultExpectations | undefined,
  feedback: FeedbackFile | undefined,
): ExpectationFailure[] {
  if (expected === undefined) return []
  const shape = resultShapeFailures(expected, feedback)
  if (shape.some(({ code }) => code === 'ZCL_E_EXPECT_RESULT_TYPE')) return shape
  const isJson = expected.type === 'json'
  const text = isJson ? canonicalInput(feedback?.resultJson) : (feedback?.result ?? '')
  const found: ExpectationFailure[] = []
  if (expected.equals !== undefined) {
    const expectedText = isJson ? canonicalInput(expected.equals) : expected.equals
    if (expectedText !== text) {
      const message = 'the result differs from the expected one'
      found.push(failure('ZCL_E_EXPECT_RESULT_EQUALS', message, artifactName.feedback))
    }
  }
  if (expected.pattern !== undefined) found.push(...patternFailures(expected.pattern, text))
  return [...found, ...shape]
}

/** Failures that `zcl feedback` refuses: a result of the wrong type, or a missing pointer. */
export function resultShapeFailures(
  expected: ResultExpectations,
  feedback: Pick<FeedbackFile, 'result' | 'resultJson'> | undefined,
): ExpectationFailure[] {
  const isJson = expected.type === 'json'
  const result = isJson ? feedback?.resultJson : feedback?.result
  if (result === undefined || (!isJson && typeof result !== 'string')) {
    const flag = isJson ? '--result-json' : '--result'
    const message = `the result should be of type ${expected.type} (${flag})`
    return [failure('ZCL_E_EXPECT_RESULT_TYPE', message, artifactName.feedback)]
  }
  return (expected.requiredJsonPointers ?? [])
    .filter((pointer) => resolvePointer(result, pointer) === undefined)
    .map((pointer) =>
      failure(
        'ZCL_E_EXPECT_RESULT_JSON_POINTER',
        `the result has nothing at ${JSON.stringify(pointer)}`,
        artifactName.feedback,
      ),
    )
}

function patternFailures(pattern: string, text: string): ExpectationFailure[] {
  const expression = compilePattern(pattern)
  if (expression === undefined) {
    const message = `${JSON.stringify(pattern)} is not a regular expression`
    return [failure('ZCL_E_EXPECT_PATTERN_INVALID', message, artifactName.suite)]
  }
  if (expression.test(text)) return []
  const message = `the result does not match ${JSON.stringify(pattern)}`
  return [failure('ZCL_E_EXPECT_RESULT_PATTERN', message, artifactName.feedback)]
}

function traceFailures(
  expected: TraceExpectations | undefined,
  trace: MetricsPass | undefined,
): ExpectationFailure[] {
  if (expected === undefined) return []
  const prefixes = expected.requireCommandPrefix ?? []
  const caps = capsOf(expected)
  if (prefixes.length === 0 && caps.every(({ max }) => max === undefined)) return []
  // Without a trace, "none allowed" holds.
  const needsTrace = prefixes.length > 0 || caps.some(({ max }) => max !== undefined && max > 0)
  if (trace === undefined && !needsTrace) return []
  if (trace === undefined) {
    const message = 'the trace is missing or empty'
    return [failure('ZCL_E_EXPECT_TRACE_MISSING', message, artifactName.trace)]
  }
  const over = caps.flatMap(({ code, what, max, measure }) => {
    const value = measure(trace)
    if (max === undefined || value <= max) return []
    return [failure(code, `${value} ${what}, at most ${max} expected`, artifactName.trace)]
  })
  const missing = missingCommands(prefixes, trace).map((prefix) =>
    failure(
      'ZCL_E_EXPECT_REQUIRED_COMMAND',
      `no call starts with ${JSON.stringify(prefix)}`,
      artifactName.trace,
    ),
  )
  return [...over, ...missing]
}

/** The caps on trace metrics; 0 allows none, and an absent cap allows any number. */
function capsOf(expected: TraceExpectations) {
  return [
    {
      code: 'ZCL_E_EXPECT_MAX_TOOL_CALLS',
      what: 'calls',
      max: expected.maxToolCallsTotal,
      measure: (trace: MetricsPass) => trace.total,
    },
    {
      code: 'ZCL_E_EXPECT_MAX_FAILURES',
      what: 'failed calls',
      max: expected.maxFailuresTotal,
      measure: (trace: MetricsPass) => trace.failures,
    },
    {
      code: 'ZCL_E_EXPECT_MAX_TIMEOUTS',
      what: 'timeouts',
      max: expected.maxTimeoutsTotal,
      measure: (trace: MetricsPass) => trace.timeouts,
    },
    {
      code: 'ZCL_E_EXPECT_MAX_REPEAT_STREAK',
      what: 'identical calls in a row',
      max: expected.maxRepeatStreak,
      measure: (trace: MetricsPass) => trace.signals().repeatMaxStreak,
    },
  ] as const
}
