// Every code that a zcl command can print, with its meaning and whether a retry can help. `zcl contract`
// and the docs are generated from this table.

import type * as evidence from '@zee/evidence/errors'
import { funnelErrors, funnelWarnings } from './funnel.ts'
import { labErrors, labWarnings } from './lab.ts'

export type { FunnelWarningCode } from './funnel.ts'

export interface CodeDescription {
  code: string
  summary: string
  retryable: boolean
}

/** A summary for every code that evidence uses, and for those that zcl adds. */
type Described<Code extends string> = Record<Code | `ZCL_${string}`, string>

const errors = {
  ZCL_E_USAGE: 'the command line, the environment or the target is not what the command needs',
  ZCL_E_IO: 'a file or folder could not be read or written',
  ZCL_E_MISSING_ARTIFACT: 'a required artifact is not there',
  ZCL_E_MISSING_EVIDENCE: 'the trace holds no action',
  ZCL_E_INVALID_JSON: 'a JSON file does not parse or is not an object',
  ZCL_E_INVALID_JSONL: 'a JSONL line is not an object',
  ZCL_E_SCHEMA_UNSUPPORTED: 'a schema or layout version that this zcl does not know',
  ZCL_E_ID_MISMATCH: 'an id differs from its folder, its attempt or its run',
  ZCL_E_BOUNDS: 'a stored value is larger than its cap',
  ZCL_E_CONTRACT: 'a field is missing, of the wrong type or has a value outside the contract',
  ZCL_E_CONTAINMENT: 'an artifact or a pointer leaves the run',
  ZCL_E_UNSAFE_EVIDENCE: 'stored evidence looks like a secret, or raw capture is not allowed here',
  ZCL_E_FUNNEL_BYPASS: 'an outcome without any traced action',
  ZCL_E_UNPROVEN: 'an attempt claims success without a recorded action',
  ZCL_E_OPEN_CALL: 'a call began and has no event: it still runs, or it ended its recorder',
  ZCL_E_CLOCK: 'the clock is ahead of all evidence by more than the retention; nothing was deleted',
  ZCL_E_CHAIN_BROKEN: 'a trace line that a report had sealed was edited, removed or inserted',
  ZCL_E_SPAWN: 'the wrapped command could not be started',
  ZCL_E_TOOL_FAILED: 'the wrapped command failed',
  ZCL_E_TIMEOUT: 'the deadline of the attempt passed',
  ZCL_E_CONTAMINATED_PROMPT: 'a blind prompt names the harness',
  ZCL_E_EXPECTATION_FAILED: 'an expectation of the suite was not met',
  ZCL_E_EXPECT_OK: 'the outcome differs from the expected one',
  ZCL_E_EXPECT_RESULT_TYPE: 'the result is of another type than expected',
  ZCL_E_EXPECT_RESULT_EQUALS: 'the result differs from the expected one',
  ZCL_E_EXPECT_RESULT_PATTERN: 'the result does not match the expected pattern',
  ZCL_E_EXPECT_PATTERN_INVALID: 'the expected pattern is not a regular expression',
  ZCL_E_EXPECT_RESULT_JSON: 'the result is not the JSON that was expected',
  ZCL_E_EXPECT_RESULT_JSON_POINTER: 'a required place in the result is missing',
  ZCL_E_EXPECT_TRACE_MISSING: 'a trace expectation without a trace',
  ZCL_E_EXPECT_MAX_TOOL_CALLS: 'more calls than expected',
  ZCL_E_EXPECT_MAX_FAILURES: 'more failed calls than expected',
  ZCL_E_EXPECT_MAX_TIMEOUTS: 'more timeouts than expected',
  ZCL_E_EXPECT_MAX_REPEAT_STREAK: 'more identical calls in a row than expected',
  ZCL_E_EXPECT_REQUIRED_COMMAND: 'no call of a required command',
  ZCL_E_EXPECT_SEMANTIC_POINTER:
    'a place that must carry meaning is missing, empty or a placeholder',
  ZCL_E_EXPECT_SEMANTIC_MEANINGFUL: 'too few meaningful fields in the result',
  ZCL_E_EXPECT_SEMANTIC_TOOL: 'no call of a required operation, command or MCP tool',
  ZCL_E_VERSION_FLOOR: 'this zcl is older than ZCL_MIN_VERSION',
  ZCL_E_SHIM: 'a wrapper for a tool could not be made',
  ZCL_E_REGRESSION: 'the gate of a comparison stops: B is worse, or lost too many attempts',
  ZCL_E_NOT_COMPARABLE: 'a comparison: the runs have nothing in common that could be compared',
  ZCL_E_QUERY: 'the SQL cannot be answered, or the database that answers it is not installed',
  ...funnelErrors,
  ...labErrors,
} as const satisfies Described<evidence.ErrorCode>

const warnings = {
  ZCL_W_CONTRACT: 'a field outside the envelope does not follow the contract',
  ZCL_W_ID_MISMATCH: 'the suite or agent id of an event differs',
  ZCL_W_MISSING_ARTIFACT: 'an expected artifact is not there',
  ZCL_W_MISSING_EVIDENCE: 'the trace holds no action',
  ZCL_W_FUNNEL_BYPASS_SUSPECTED: 'an outcome without any traced action',
  ZCL_W_UNTRUSTED_CONFIG:
    'a key of a zcl.config.json that is not trusted has no effect (zcl trust)',
  ZCL_W_SHIM_UNUSED: 'a shim that was asked for was never called',
  ZCL_W_OPEN_CALL: 'a call began and has no event',
  ZCL_W_UNSAFE_EVIDENCE: 'stored evidence looks like a secret, or holds a raw capture',
  ZCL_W_REPORT_STALE: 'lines were appended after the report was made',
  ZCL_W_INPUT_TRUNCATED: 'the input of a call was cut to its cap',
  ZCL_W_INPUT_NOT_CANONICAL: 'the input of a call could not be written as canonical JSON',
  ZCL_W_ENRICHMENT_TRUNCATED: 'the enrichment of a call was dropped because of its size',
  ...funnelWarnings,
  ...labWarnings,
} as const satisfies Described<evidence.WarningCode>

const retryable: ReadonlySet<string> = new Set([
  'ZCL_E_IO',
  'ZCL_E_SPAWN',
  'ZCL_E_TIMEOUT',
  'ZCL_E_INTERRUPTED',
  'ZCL_E_QUEUE',
  'ZCL_E_RUNTIME_RATE_LIMIT',
  'ZCL_E_RUNTIME_CRASH',
  'ZCL_E_CAMPAIGN_LOCK_TIMEOUT',
])

export type ErrorCode = keyof typeof errors
export type WarningCode = keyof typeof warnings
export type Code = ErrorCode | WarningCode

/** The meaning of a code; the code itself if it is unknown. */
export function codeSummary(code: string): string {
  const summaries: Readonly<Record<string, string>> = { ...errors, ...warnings }
  return summaries[code] ?? code
}

export function everyCode(): CodeDescription[] {
  return Object.entries({ ...errors, ...warnings }).map(([code, summary]) => ({
    code,
    summary,
    retryable: retryable.has(code),
  }))
}
