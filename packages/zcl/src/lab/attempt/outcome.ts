// Decides the outcome of a try after its runner ended: the agent's answer, the grades of the exam, the
// evidence and the expectations of the mission.
import path from 'node:path'
import { writeFileAtomic } from '@zee/core/atomic-file'
import { rfc3339 } from '@zee/core/clock'
import { ZeeError } from '@zee/core/errors'
import { artifactText } from '@zee/evidence/artifact'
import type { AttemptContext } from '@zee/evidence/attempt'
import { labArtifactName, runFolder } from '@zee/evidence/layout'
import type { Outcome } from '@zee/evidence/outcome'
import type { StartedAttempt } from '@zee/evidence/runs'
import { examOf } from '@zee/evidence/suite'
import type { Code, ErrorCode } from '../../codes/codes.ts'
import { isDecidedByExam, type Grade } from '../grading/grading.ts'
import { describeForgery, isForged } from '../witness/witness.ts'
import type { Witness, WitnessRecord } from '../witness/witness.ts'
import type { Lab } from './attempt.ts'
import type { ExamRoom } from './exam-room.ts'
import { takeAnswer, writeGradedFeedback, writeMissingAnswer } from './feedback.ts'
import type { FinaliseRequest, MissingAnswer } from './feedback.ts'
import type { RunnerEnd } from './runner.ts'
import type { Scratch } from './scratch.ts'
import { judgeAttempt, type Verdict } from './verdict.ts'
import { isNativeRunner } from '../native/native.ts'

export interface OutcomeFields {
  outcome: Outcome
  code?: Code | undefined
  message?: string | undefined
}

export interface EndedTry {
  lab: Lab
  started: StartedAttempt
  context: AttemptContext
  scratch: Scratch
  room: ExamRoom
  witness: Witness
  end: RunnerEnd
  signal: AbortSignal
}

export async function judgeOutcome(ended: EndedTry): Promise<OutcomeFields> {
  const { lab, context, room, end, signal } = ended
  if (end.isStopped) return { outcome: 'abandoned', message: 'the harness was stopped' }
  const { missionId } = context.identity
  const exam = examOf(lab.suite, missionId)
  const overLimit = await room.runnerEnded()
  const request: FinaliseRequest = {
    context,
    end,
    profile: lab.profile,
    scratch: ended.scratch.scratch,
    redactor: lab.redactor,
    createdAt: rfc3339(lab.now()),
    hasChanges: room.hasChanges,
    isNative: isNativeRunner(lab.runner),
  }
  const missing = await takeAnswer(request)
  if (overLimit) return recordOverLimit(request, missing)
  const isDecided = isDecidedByExam(exam)
  const canGrade = missing === undefined || (isDecided && missing.isSilent === true)
  const grade = canGrade ? await room.grade(signal) : undefined
  if (isStopped(signal)) return { outcome: 'abandoned', message: 'the harness was stopped' }
  if (missing !== undefined) {
    if (grade === undefined) await writeMissingAnswer(request, missing)
    else await writeGradedFeedback(request, grade)
  }
  const record = await ended.witness.compare()
  await writeHarnessRecord(ended, record)
  if (isForged(record) && lab.profile.trustTrace !== true) {
    return { outcome: 'failed', code: 'ZCL_E_FORGED_EVIDENCE', message: describeForgery(record) }
  }
  const verdict = await judgeEvidence(ended, grade, isDecided)
  return outcomeFields(grade === undefined ? missing : undefined, grade, verdict)
}

async function writeHarnessRecord(
  { lab, started, context }: EndedTry,
  record: WitnessRecord,
): Promise<void> {
  const { runId, suiteId, missionId, attemptId } = context.identity
  const ids = { runId, suiteId, missionId, attemptId }
  const trusted = lab.profile.trustTrace === true ? { trusted: true } : {}
  const file = { schemaVersion: 1, ...ids, ...trusted, ...record }
  const target = path.join(started.folder, labArtifactName.harnessRecord)
  await writeFileAtomic(target, artifactText(file))
}

/** An abort with a typed reason is a limit of the campaign, and becomes the outcome. */
function isStopped({ aborted, reason }: AbortSignal): boolean {
  return aborted && !(reason instanceof ZeeError)
}

function judgeEvidence(
  { lab, started }: EndedTry,
  grade: Grade | undefined,
  isDecided: boolean,
): Promise<Verdict> {
  const { folder, attemptId: name } = started
  const location = { folder, name, runFolder: runFolder(lab.outRoot, lab.runId) }
  const { strict, strictExpect, env } = lab
  const computedAt = rfc3339(lab.now())
  const { requireShim } = lab.profile
  const settings = { computedAt, env, strict, strictExpect, requireShim }
  return judgeAttempt(location, { ...settings, grade, isDecidedByExam: isDecided })
}

function outcomeFields(
  missing: MissingAnswer | undefined,
  grade: Grade | undefined,
  verdict: Verdict,
): OutcomeFields {
  if (missing !== undefined) {
    const { code, message, isInfra } = missing
    return { outcome: isInfra ? 'infra' : 'failed', code, message }
  }
  if (verdict.ok) return { outcome: 'passed' }
  const { code, message } = verdict
  if (code === undefined) return { outcome: 'failed', message: 'the agent reported a failure' }
  const isInfra = grade?.isInfra === true && code === grade.code
  return { outcome: isInfra ? 'infra' : 'failed', code, message }
}

/** The agent filled the disk: its own failure, whatever it answered. */
async function recordOverLimit(
  request: FinaliseRequest,
  missing: MissingAnswer | undefined,
): Promise<OutcomeFields> {
  const code = 'ZCL_E_DISK_LIMIT'
  const message = 'the attempt wrote more than its workspace may hold'
  if (missing !== undefined) await writeMissingAnswer(request, { code, message, isInfra: false })
  return { outcome: 'failed', code, message }
}

/** The attempt could not be set up: its workspace or its isolation is not available. */
export async function recordRoomFailure(
  { lab, context }: Pick<EndedTry, 'lab' | 'started' | 'context'>,
  error: ZeeError,
): Promise<OutcomeFields> {
  const code = error.code as ErrorCode
  const { message } = error
  const { redactor, profile } = lab
  const createdAt = rfc3339(lab.now())
  const missing = { code, message, isInfra: true }
  await writeMissingAnswer({ context, profile, redactor, createdAt }, missing)
  return { outcome: 'infra', code, message }
}
