// After the runner: whose word counts as the outcome. The agent's own feedback, else the result in
// its channel, else the harness says typed what went wrong, and whether that says anything about the
// agent at all.
import path from 'node:path'
import { ZeeError } from '@zee/core/errors'
import { readLastLine } from '@zee/core/journal'
import type { Redactor } from '@zee/core/redact'
import { readJsonArtifact } from '@zee/evidence/artifact'
import type { AttemptContext } from '@zee/evidence/attempt'
import { infraFailureKind, writeFeedback } from '@zee/evidence/outcome'
import { artifactName } from '@zee/evidence/layout'
import type { ErrorCode } from '../../codes/codes.ts'
import { readMissionResult, type MissionResult, type ResultProblem } from './mission-result.ts'
import type { RunProfile } from '../profile.ts'
import type { RunnerEnd } from './runner.ts'

/** Why there is no word of the agent. */
export interface Shortfall {
  code: ErrorCode
  message: string
  /** The surroundings failed: nothing was learned about the agent. */
  isInfra: boolean
}

export interface FinaliseRequest {
  context: AttemptContext
  end: RunnerEnd
  profile: RunProfile
  scratch: string
  redactor: Redactor
  /** RFC 3339. */
  createdAt: string
}

/** Undefined when the agent's word is in feedback.json. */
export async function finaliseFeedback(request: FinaliseRequest): Promise<Shortfall | undefined> {
  const { context, end, profile } = request
  if (hasFeedback(context.folder)) return undefined
  let problem: ResultProblem | undefined
  if (profile.finalizationMode === 'auto_from_result_json') {
    const folders = [context.folder, request.scratch]
    const read = readMissionResult(profile.resultChannel, end.results, folders)
    problem = 'problem' in read ? read.problem : await keepResult(request, read.result)
    if (problem === undefined) return undefined
  }
  const policy = policyOf(profile)
  const shortfall = diagnose(end, { acted: hasActions(context.folder), policy, problem })
  if (policy === 'auto_fail') await writeShortfall(request, shortfall)
  return shortfall
}

/** What happens without any word of the agent; a result in a channel leaves that to the policy. */
function policyOf({ finalizationMode, feedbackPolicy }: RunProfile): RunProfile['feedbackPolicy'] {
  return finalizationMode === 'auto_from_result_json' ? feedbackPolicy : finalizationMode
}

function hasFeedback(folder: string): boolean {
  const read = readJsonArtifact({ path: folder, within: folder }, artifactName.feedback)
  return read.failure === undefined && typeof read.value.ok === 'boolean'
}

function hasActions(folder: string): boolean {
  return readLastLine(path.join(folder, artifactName.trace)) !== undefined
}

async function keepResult(
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

const rateLimited =
  /\b429\b|\b529\b|rate[ _-]?limit|too many requests|overloaded|quota exceeded|resource exhausted/i
const locked =
  /database is locked|SQLITE_BUSY|lock_timeout|(?:could not|cannot|failed to|unable to) (?:acquire|obtain|get|take) (?:the |a )?(?:\S+ )?lock|resource temporarily unavailable/i

interface Silence {
  /** Some call was traced. */
  acted: boolean
  policy: RunProfile['feedbackPolicy']
  /** What is wrong with the result in the channel. */
  problem: ResultProblem | undefined
}

/**
 * Saying nothing at all is a matter of infrastructure, unless the policy is strict. A bad result and
 * the use of all the time after the first action are the agent's own doing under every policy.
 */
function diagnose(end: RunnerEnd, { acted, policy, problem }: Silence): Shortfall {
  const { process: result } = end
  if (result.outcome !== 'exited' && result.outcome !== 'signalled') {
    return infra('ZCL_E_SPAWN', result.error ?? 'the runner could not be started')
  }
  if (end.endedFor !== undefined) {
    return infra(end.endedFor.code as ErrorCode, end.endedFor.message)
  }
  if (end.timedOut) {
    const when = acted ? 'after its first action' : 'before its first action'
    const message = `the deadline of the attempt passed ${when}`
    return { code: 'ZCL_E_TIMEOUT', message, isInfra: !acted }
  }
  const how =
    result.outcome === 'signalled' ? `by ${result.signal}` : `with exit code ${result.exitCode}`
  if (result.exitCode !== 0) {
    const said = result.stderr.text() + result.stdout.text()
    if (rateLimited.test(said)) {
      return infra('ZCL_E_RUNTIME_RATE_LIMIT', `the runner met a rate limit and ended ${how}`)
    }
    if (locked.test(said)) {
      return infra('ZCL_E_IO', `the runner could not get a lock and ended ${how}`)
    }
  }
  const isSilent = problem === undefined || problem.code === 'ZCL_E_MISSION_RESULT_MISSING'
  if (!acted && isSilent && result.exitCode !== 0) {
    return infra('ZCL_E_RUNTIME_CRASH', `the runner ended ${how} before it did anything`)
  }
  const code = problem?.code ?? 'ZCL_E_MISSION_RESULT_MISSING'
  const message = problem?.message ?? `the runner ended ${how} without an outcome`
  return { code, message, isInfra: isSilent && policy === 'auto_fail' }
}

function infra(code: ErrorCode, message: string): Shortfall {
  return { code, message, isInfra: true }
}

async function writeShortfall(request: FinaliseRequest, shortfall: Shortfall): Promise<void> {
  const { context, redactor, createdAt } = request
  const { code, message, isInfra } = shortfall
  const kind = isInfra ? infraFailureKind : 'auto_fail'
  const acted = hasActions(context.folder)
  await writeFeedback(
    context,
    {
      ok: false,
      resultJson: JSON.stringify({ kind, code, message }),
      isHypothesis: false,
      decisionTags: [
        'blocked',
        ...(code === 'ZCL_E_TIMEOUT' ? (['timeout'] as const) : []),
        ...(acted ? [] : (['missing_evidence'] as const)),
      ],
      createdAt,
      byHarness: true,
    },
    redactor,
  )
}
