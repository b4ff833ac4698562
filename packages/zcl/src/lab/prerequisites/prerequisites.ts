// Refuses a suite whose attempts could not be set up or graded, before the first attempt starts: sources
// of workspaces, files of verifiers, exposed paths and keys of judges.
import { statSync } from 'node:fs'
import path from 'node:path'
import { ZeeError } from '@zee/core/errors'
import { examOf, type Exam, type Suite } from '@zee/evidence/suite'
import { zclError } from '../../errors/errors.ts'
import { verifierFiles } from '../grading/grading.ts'
import { requireJudgeKey } from '../judge/judge.ts'
import { requireSource } from '../workspace/workspace.ts'

export interface PrerequisiteRequest {
  suite: Suite
  /** The suite file, as errors name it. */
  file: string
  /** The folder of the suite file; absolute. */
  baseFolder: string
  env: Readonly<Record<string, string | undefined>>
  /** False if attempts may run on another machine, which has the keys. */
  needsKeys: boolean
}

/** Throws a typed error for the first mission that cannot run. */
export async function requirePrerequisites(request: PrerequisiteRequest): Promise<void> {
  const { suite, file } = request
  const checked = new Set<string>()
  for (const { missionId } of suite.missions) {
    const { workspace, verify, judge, expose } = examOf(suite, missionId)
    const exam: Exam = { workspace, verify, judge, expose }
    const key = JSON.stringify(exam)
    if (checked.has(key)) continue
    checked.add(key)
    try {
      await requireExam(exam, request)
    } catch (error) {
      if (!(error instanceof ZeeError)) throw error
      const { code, message, exitCode } = error
      throw new ZeeError(code, `${file}: ${missionId}: ${message}`, { exitCode, cause: error })
    }
  }
}

async function requireExam(
  { workspace, verify, judge, expose }: Exam,
  { baseFolder, env, needsKeys }: PrerequisiteRequest,
): Promise<void> {
  const { signal } = new AbortController()
  if (workspace !== undefined) await requireSource(workspace, { baseFolder, env, signal })
  verifierFiles(verify ?? [], baseFolder)
  for (const each of expose ?? []) {
    if (statSync(path.resolve(baseFolder, each), { throwIfNoEntry: false }) !== undefined) continue
    throw zclError('ZCL_E_CONTRACT', `expose names ${each}, which does not exist`)
  }
  if (judge !== undefined && needsKeys) await requireJudgeKey(judge, env)
}
