// Checks an attempt against what its suite expected of the mission: outcome, result, trace.
import { canonicalInput, resolvePointer } from '../json/json.ts'
import { failure, missingCommands } from './failure.ts'
import type { ExpectationFailure, ObservedAttempt } from './failure.ts'
import { artifactName } from '../layout/layout.ts'
import type { MetricsPass } from '../summary/summary.ts'
import type { FeedbackFile } from '../schema/schema.ts'
import { semanticFailures } from './semantic.ts'
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
  const got = feedback === undefined ? 'there is no feedback' : `it is ${feedback.ok}`
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
    const wanted = isJson ? canonicalInput(expected.equals) : expected.equals
    if (wanted !== text) {
      const message = 'the result differs from the expected one'
      found.push(failure('ZCL_E_EXPECT_RESULT_EQUALS', message, artifactName.feedback))
    }
  }
  if (expected.pattern !== undefined) found.push(...patternFailures(expected.pattern, text))
  return [...found, ...shape]
}

/** The part that `feedback` itself refuses: wrong kind of result, or a required place missing. */
export function resultShapeFailures(
  expected: ResultExpectations,
  feedback: Pick<FeedbackFile, 'result' | 'resultJson'> | undefined,
): ExpectationFailure[] {
  const isJson = expected.type === 'json'
  const given = isJson ? feedback?.resultJson : feedback?.result
  if (given === undefined) {
    const flag = isJson ? '--result-json' : '--result'
    const message = `the result should be of type ${expected.type} (${flag})`
    return [failure('ZCL_E_EXPECT_RESULT_TYPE', message, artifactName.feedback)]
  }
  return (expected.requiredJsonPointers ?? [])
    .filter((pointer) => resolvePointer(given, pointer) === undefined)
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

/** Strict syntax first, so that `\\u{...}` works; then what older patterns get away with. */
function compilePattern(pattern: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags)
    } catch {
      continue
    }
  }
  return undefined
}

function traceFailures(
  expected: TraceExpectations | undefined,
  trace: MetricsPass | undefined,
): ExpectationFailure[] {
  if (expected === undefined) return []
  const prefixes = expected.requireCommandPrefix ?? []
  const caps = capsOf(expected)
  if (prefixes.length === 0 && caps.every(({ most }) => most === 0)) return []
  if (trace === undefined) {
    const message = 'the trace is missing or empty'
    return [failure('ZCL_E_EXPECT_TRACE_MISSING', message, artifactName.trace)]
  }
  const over = caps.flatMap(({ code, what, most, of }) => {
    const value = of(trace)
    if (most === 0 || value <= most) return []
    return [failure(code, `${value} ${what}, at most ${most} expected`, artifactName.trace)]
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

/** 0 switches a cap off. */
function capsOf(expected: TraceExpectations) {
  return [
    {
      code: 'ZCL_E_EXPECT_MAX_TOOL_CALLS',
      what: 'calls',
      most: expected.maxToolCallsTotal ?? 0,
      of: (trace: MetricsPass) => trace.total,
    },
    {
      code: 'ZCL_E_EXPECT_MAX_FAILURES',
      what: 'failed calls',
      most: expected.maxFailuresTotal ?? 0,
      of: (trace: MetricsPass) => trace.failures,
    },
    {
      code: 'ZCL_E_EXPECT_MAX_TIMEOUTS',
      what: 'timeouts',
      most: expected.maxTimeoutsTotal ?? 0,
      of: (trace: MetricsPass) => trace.timeouts,
    },
    {
      code: 'ZCL_E_EXPECT_MAX_REPEAT_STREAK',
      what: 'identical calls in a row',
      most: expected.maxRepeatStreak ?? 0,
      of: (trace: MetricsPass) => trace.signals().repeatMaxStreak,
    },
  ] as const
}
