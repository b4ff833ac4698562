// Grades an attempt after its agent ended: verifiers, then scorers, then the judge model. Each writes
// its result into the folder of the attempt.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { writeFileAtomic } from '@zee/core/atomic-file'
import { oneLine, reasonOf } from '@zee/core/errors'
import { artifactText } from '@zee/evidence/artifact'
import { labArtifactName } from '@zee/evidence/layout'
import { isProvenByScore, scoreAnswer, type ScoreFinding } from '@zee/evidence/scorers'
import type { Exam, JudgeSpec } from '@zee/evidence/suite'
import type { ErrorCode } from '../../codes/codes.ts'
import { judgeWork, type JudgedWork, type JudgeResult } from '../judge/judge.ts'
import type { GradingRoom } from './room.ts'
import { runVerifier, verifyWork, type VerifyStep } from './verify.ts'

export { gradingEnvironment, type GradingRoom, type GradingSubject } from './room.ts'
export { isFileChanged, placeVerifierFiles, verifierFiles, watchFile } from './verifier-files.ts'
export type { VerifierFile, WatchedFile } from './verifier-files.ts'

/** The first reason why the work is not accepted. */
export interface Grade {
  ok: boolean
  code?: ErrorCode
  message?: string
  /** The grader failed, so the attempt says nothing about the agent. */
  isInfra?: boolean
}

const accepted: Grade = { ok: true }
const scoreTimeoutMs = 600_000

/** Whether the exam looks at the work itself, so that a pass needs no recorded action. */
export function isProvenByExam({ verify, score }: Exam): boolean {
  return (verify ?? []).length > 0 || isProvenByScore(score)
}

export function isGraded({ verify, score, judge }: Exam): boolean {
  return (verify ?? []).length > 0 || score !== undefined || judge !== undefined
}

/** Whether the exam decides, even if the agent claims a failure or says nothing. */
export function isDecidedByExam({ verify }: Exam): boolean {
  return (verify ?? []).length > 0
}

export async function gradeWork(exam: Exam, folder: string, room: GradingRoom): Promise<Grade> {
  const verified = exam.verify === undefined ? accepted : await gradeByVerifier(exam, folder, room)
  if (!verified.ok) return verified
  const scored = exam.score === undefined ? accepted : await gradeByScore(exam.score, folder, room)
  if (!scored.ok || exam.judge === undefined) return scored
  return gradeByJudge(exam.judge, folder, room)
}

async function gradeByJudge(spec: JudgeSpec, folder: string, room: GradingRoom): Promise<Grade> {
  const { subject, judge } = room
  const { result, resultJson, prompt } = subject
  const answer = result ?? JSON.stringify(resultJson ?? null)
  const work = { rubric: judge.rubric, prompt, answer, diff: readDiff(folder) }
  const judged = await askJudge(spec, work, room)
  if ('code' in judged) return judged
  await writeResult(folder, labArtifactName.judge, room, judged)
  const { ok, yes, no, invalid, votes } = judged
  if (ok === true) return accepted
  const counts = `${yes} yes, ${no} no, ${invalid} invalid`
  if (ok === null) {
    const reason = votes.find(({ message }) => message !== undefined)?.message ?? 'no usable vote'
    const message = `the judge gave no verdict (${counts}): ${reason}`
    return { ok: false, code: 'ZCL_E_JUDGE_ERROR', message, isInfra: true }
  }
  const reason = votes.find((vote) => vote.ok === false)?.reason ?? 'no reason given'
  return {
    ok: false,
    code: 'ZCL_E_JUDGE_FAILED',
    message: `the judge says no (${counts}): ${reason}`,
  }
}

/** A judge that cannot be asked at all, such as one with an invalid address, is no fault of the agent. */
async function askJudge(
  spec: JudgeSpec,
  work: JudgedWork,
  { judge, redactor, signal }: GradingRoom,
): Promise<JudgeResult | (Grade & { code: ErrorCode })> {
  try {
    return await judgeWork({ ...judge, spec, work, redactor, signal })
  } catch (error) {
    signal.throwIfAborted()
    const message = redactor.text(oneLine(reasonOf(error))).text
    return { ok: false, code: 'ZCL_E_JUDGE_ERROR', message, isInfra: true }
  }
}

/** What the agent changed; empty without a workspace. */
function readDiff(folder: string): string {
  try {
    return readFileSync(path.join(folder, labArtifactName.workspaceDiff), 'utf8')
  } catch {
    return ''
  }
}

async function gradeByVerifier(exam: Exam, folder: string, room: GradingRoom): Promise<Grade> {
  const steps = await verifyWork(exam.verify ?? [], room)
  const failed = steps.find(({ ok }) => !ok)
  await writeResult(folder, labArtifactName.verification, room, { ok: failed === undefined, steps })
  return failed === undefined ? accepted : rejection(failed)
}

function rejection({ isError, message = 'no reason given' }: VerifyStep): Grade {
  const code = isError === true ? 'ZCL_E_VERIFY_ERROR' : 'ZCL_E_VERIFY_FAILED'
  return { ok: false, code, message: `the verifier says no: ${message}`, isInfra: isError === true }
}

async function gradeByScore(
  score: NonNullable<Exam['score']>,
  folder: string,
  room: GradingRoom,
): Promise<Grade> {
  const { workspace, subject } = room
  let broken: VerifyStep | undefined
  const findings = await scoreAnswer(score, {
    answer: subject.resultJson === undefined ? subject.result : subject.resultJson,
    workspace,
    runCommand: async (command) => {
      const step = await runVerifier(command, scoreTimeoutMs, room)
      if (step.isError === true) broken = step
      return step.ok ? undefined : (step.message ?? 'the command rejected it')
    },
  })
  const failed = findings.find(({ ok }: ScoreFinding) => !ok)
  await writeResult(folder, labArtifactName.score, room, { ok: failed === undefined, findings })
  if (failed === undefined) return accepted
  if (broken !== undefined) return rejection(broken)
  const message = `${failed.scorer}: ${failed.message ?? ''}`
  return { ok: false, code: 'ZCL_E_SCORE_FAILED', message }
}

async function writeResult(
  folder: string,
  name: string,
  { identity }: GradingRoom,
  result: object,
): Promise<void> {
  const { runId, suiteId, missionId, attemptId } = identity
  const file = { schemaVersion: 1, runId, suiteId, missionId, attemptId, ...result }
  await writeFileAtomic(path.join(folder, name), artifactText(file))
}
