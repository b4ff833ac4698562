// Decides whose answer counts after the runner ends: the agent's own feedback, else the result in its
// channel. Without either, the harness diagnoses why, and whether the agent or the infrastructure failed.
import { ZeeError } from '@zee/core/errors'
import type { Redactor } from '@zee/core/redact'
import { readJsonArtifact } from '@zee/evidence/artifact'
import type { AttemptContext } from '@zee/evidence/attempt'
import { hasAction, openCallsOf } from '@zee/evidence/events'
import { infraFailureKind, writeFeedback } from '@zee/evidence/outcome'
import { artifactName } from '@zee/evidence/layout'
import type { ErrorCode } from '../../codes/codes.ts'
import type { Grade } from '../grading/grading.ts'
import { readMissionResult, type MissionResult, type ResultProblem } from './mission-result.ts'
import type { RunProfile } from '../profile.ts'
import type { RunnerEnd } from './runner.ts'

/** Why the agent gave no answer. */
export interface MissingAnswer {
  code: ErrorCode
  message: string
  /** The infrastructure failed, so the attempt says nothing about the agent. */
  isInfra: boolean
  /** The agent ran and gave no answer: a verifier can still grade its work. */
  isSilent?: boolean
}

export interface FeedbackTarget {
  context: AttemptContext
  profile: RunProfile
  redactor: Redactor
  /** RFC 3339. */
  createdAt: string
}

export interface FinaliseRequest extends FeedbackTarget {
  end: RunnerEnd
  scratch: string
  /** The runner changed its workspace. */
  hasChanges: boolean
  /** The runner is part of zcl: its last line names its failure. */
  isNative: boolean
}

/** Undefined when feedback.json has the agent's answer. */
export async function takeAnswer(request: FinaliseRequest): Promise<MissingAnswer | undefined> {
  const { context, end, profile } = request
  if (hasFeedback(context.folder)) return undefined
  let problem: ResultProblem | undefined
  if (profile.finalizationMode === 'auto_from_result_json') {
    const folders = [context.folder, request.scratch]
    const read = readMissionResult(profile.resultChannel, end.results, folders)
    problem = 'problem' in read ? read.problem : await writeResult(request, read.result)
    if (problem === undefined) return undefined
  }
  const policy = fallbackPolicy(profile)
  const { hasChanges, isNative } = request
  const hasActed = hasChanges || hasActions(context.folder)
  return diagnose(end, { hasActed, isNative, policy, problem })
}

/** Records why there is no answer, unless the policy leaves the attempt without an outcome. */
export async function writeMissingAnswer(
  request: FeedbackTarget,
  missing: MissingAnswer,
): Promise<void> {
  if (fallbackPolicy(request.profile) === 'auto_fail') await writeFailureFeedback(request, missing)
}

/** Writes the outcome of a verifier for an agent that gave no answer. */
export async function writeGradedFeedback(request: FinaliseRequest, grade: Grade): Promise<void> {
  const { context, redactor, createdAt } = request
  const { ok, code, message, isInfra } = grade
  const kind = isInfra === true ? infraFailureKind : 'verified'
  await writeFeedback(
    context,
    {
      ok,
      resultJson: JSON.stringify({ kind, code, message }),
      isHypothesis: false,
      decisionTags: [ok ? 'success' : 'blocked'],
      createdAt,
      byHarness: true,
    },
    redactor,
  )
}

/** The policy for attempts without an answer; `auto_from_result_json` defers to the feedback policy. */
function fallbackPolicy({
  finalizationMode,
  feedbackPolicy,
}: RunProfile): RunProfile['feedbackPolicy'] {
  return finalizationMode === 'auto_from_result_json' ? feedbackPolicy : finalizationMode
}

function hasFeedback(folder: string): boolean {
  const read = readJsonArtifact({ path: folder, within: folder }, artifactName.feedback)
  return read.failure === undefined && typeof read.value.ok === 'boolean'
}

/** Whether the agent acted. A call that its recorder did not survive is an action, too. */
function hasActions(folder: string): boolean {
  const from = { path: folder, within: folder }
  return hasAction(from) || openCallsOf(from).length > 0
}

async function writeResult(
  { context, redactor, createdAt }: FinaliseRequest,
  result: MissionResult,
): Promise<ResultProblem | undefined> {
  try {
    const request = { ...result, isHypothesis: false, decisionTags: [], createdAt }
    await writeFeedback(context, request, redactor)
    return undefined
  } catch (error) {
    if (!(error instanceof ZeeError) || error.exitCode === 1) throw error
    return { code: error.code as ErrorCode, message: error.message }
  }
}

const rateLimitFailure =
  /\b429\b|\b529\b|rate[ _-]?limit|too many requests|overloaded|quota exceeded|resource exhausted/i
/** The last line of a native runner names its failure. */
const nativeFailure = /^(ZCL_E_RUNTIME_[A-Z_]+): ([^\n]*)\n?$/m
const lockFailure =
  /database is locked|SQLITE_BUSY|lock_timeout|(?:could not|cannot|failed to|unable to) (?:acquire|obtain|get|take) (?:the |a )?(?:\S+ )?lock|resource temporarily unavailable/i

const printedFailures: readonly { pattern: RegExp; code: ErrorCode; what: string }[] = [
  { pattern: rateLimitFailure, code: 'ZCL_E_RUNTIME_RATE_LIMIT', what: 'hit a rate limit' },
  { pattern: lockFailure, code: 'ZCL_E_IO', what: 'could not acquire a lock' },
]

interface DiagnosisInput {
  /** At least one call was traced, or the workspace changed. */
  hasActed: boolean
  isNative: boolean
  policy: RunProfile['feedbackPolicy']
  /** Why the result in the channel cannot be used. */
  problem: ResultProblem | undefined
}

/**
 * No answer counts as an infrastructure failure, unless the policy is strict. An invalid result and a
 * timeout after the first action count against the agent under every policy.
 */
function diagnose(end: RunnerEnd, input: DiagnosisInput): MissingAnswer {
  const { hasActed, policy, problem } = input
  const { process: result } = end
  if (result.outcome !== 'exited' && result.outcome !== 'signalled') {
    return infraFailure('ZCL_E_SPAWN', result.error ?? 'the runner could not be started')
  }
  if (end.abortError !== undefined) {
    return infraFailure(end.abortError.code as ErrorCode, end.abortError.message)
  }
  if (end.hasTimedOut) {
    const when = hasActed ? 'after its first action' : 'before its first action'
    const message = `the deadline of the attempt passed ${when}`
    return { code: 'ZCL_E_TIMEOUT', message, isInfra: !hasActed, isSilent: true }
  }
  const how =
    result.outcome === 'signalled' ? `by ${result.signal}` : `with exit code ${result.exitCode}`
  if (result.exitCode !== 0) {
    const printed = printedFailure(result, input, how)
    if (printed !== undefined) return printed
  }
  const isSilent = problem === undefined || problem.code === 'ZCL_E_MISSION_RESULT_MISSING'
  if (!hasActed && isSilent && result.exitCode !== 0) {
    const message = `the runner ended ${how} before its first action`
    return { ...infraFailure('ZCL_E_RUNTIME_CRASH', message), isSilent: true }
  }
  const code = problem?.code ?? 'ZCL_E_MISSION_RESULT_MISSING'
  const message = problem?.message ?? `the runner ended ${how} without an outcome`
  return { code, message, isInfra: isSilent && policy === 'auto_fail', isSilent }
}

/**
 * The failure that the output names. An agent can print anything: after its first action such a text
 * excuses nothing, and the work is judged like that of any agent without an answer.
 */
function printedFailure(
  result: RunnerEnd['process'],
  { hasActed, isNative, policy }: DiagnosisInput,
  how: string,
): MissingAnswer | undefined {
  const native = isNative ? nativeFailure.exec(result.stderr.text()) : null
  if (native !== null) return infraFailure(native[1] as ErrorCode, native[2] ?? '')
  const output = result.stderr.text() + result.stdout.text()
  const found = printedFailures.find(({ pattern }) => pattern.test(output))
  if (found === undefined) return undefined
  const message = `the runner ${found.what} and ended ${how}`
  const isInfra = !hasActed || policy === 'auto_fail'
  return { code: found.code, message, isInfra, isSilent: hasActed }
}

function infraFailure(code: ErrorCode, message: string): MissingAnswer {
  return { code, message, isInfra: true }
}

async function writeFailureFeedback(
  request: FeedbackTarget,
  missing: MissingAnswer,
): Promise<void> {
  const { context, redactor, createdAt } = request
  const { code, message, isInfra } = missing
  const kind = isInfra ? infraFailureKind : 'auto_fail'
  const hasActed = hasActions(context.folder)
  await writeFeedback(
    context,
    {
      ok: false,
      resultJson: JSON.stringify({ kind, code, message }),
      isHypothesis: false,
      decisionTags: [
        'blocked',
        ...(code === 'ZCL_E_TIMEOUT' ? (['timeout'] as const) : []),
        ...(hasActed ? [] : (['missing_evidence'] as const)),
      ],
      createdAt,
      byHarness: true,
    },
    redactor,
  )
}
