// Adds a packed attempt to its run. Each slot has one answer, so an attempt that arrives twice or after
// the slot was answered is reported as a duplicate.
import path from 'node:path'
import { ZeeError } from '@zee/core/errors'
import { isRunId } from '@zee/core/ids'
import { withLock } from '@zee/core/lock'
import { artifactName, attemptsFolder, parseAttemptId, runFolder } from '@zee/evidence/layout'
import { maxLockWaitMs } from '@zee/evidence/limits'
import { isAnswer } from '@zee/evidence/outcome'
import { createFolderAtomically } from '@zee/evidence/artifact'
import type { ErrorCode } from '../../codes/codes.ts'
import { zclError } from '../../errors/errors.ts'
import { readPacked, type PackedFile } from '../jobs/jobs.ts'
import { readPlannedRun, slotOf } from '../plan.ts'
import { slotState } from '../slot/slot.ts'

export interface Collected {
  file: string
  status: 'collected' | 'duplicate' | 'refused'
  runId?: string
  attemptId?: string
  code?: ErrorCode
  message?: string
}

export async function collectOne(file: string, outRoot: string, cwd: string): Promise<Collected> {
  try {
    const files = await readPacked(path.resolve(cwd, file))
    const { runId, attemptId, parts, inner } = checkNames(files)
    checkIds(inner, runId, attemptId)
    const { plan } = readPlannedRun(outRoot, runId)
    const { index, missionId, retry } = parts
    if (slotOf(plan, index).missionId !== missionId || index > plan.total) {
      throw zclError('ZCL_E_ID_MISMATCH', `${attemptId} is not planned in ${runId}`)
    }
    const folder = runFolder(outRoot, runId)
    const status = await withLock(
      path.join(folder, 'run.lock'),
      { waitMs: maxLockWaitMs },
      async () => {
        const { next, latest } = slotState(outRoot, runId, { slot: index, missionId })
        if (retry < next || (latest !== undefined && isAnswer(latest.outcome))) return 'duplicate'
        return (await installAttempt(attemptId, folder, inner)) ? 'collected' : 'duplicate'
      },
    )
    return { file, status, runId, attemptId }
  } catch (error) {
    if (!(error instanceof ZeeError) || error.exitCode === 1) throw error
    const { code, message } = error
    return { file, status: 'refused', code: code as ErrorCode, message }
  }
}

/** Throws unless every name is below one `<runId>/<attemptId>/` and cannot escape it. */
function checkNames(files: readonly PackedFile[]) {
  const [runId = '', attemptId = ''] = files[0]?.name.split('/') ?? []
  const parts = parseAttemptId(attemptId)
  if (!isRunId(runId) || parts === undefined) {
    throw zclError('ZCL_E_CONTRACT', 'the archive does not contain an attempt')
  }
  const prefix = `${runId}/${attemptId}/`
  const inner = files.map(({ name, content }) => {
    const rest = name.startsWith(prefix) ? name.slice(prefix.length) : ''
    if (rest === '' || !/^[\w-][\w.-]*(?:\/[\w-][\w.-]*){0,4}$/.test(rest)) {
      throw zclError(
        'ZCL_E_CONTAINMENT',
        `the name ${JSON.stringify(name.slice(0, 80))} is refused`,
      )
    }
    return { name: rest, content }
  })
  return { runId, attemptId, parts, inner }
}

function checkIds(files: readonly PackedFile[], runId: string, attemptId: string): void {
  const attemptFile = files.find(({ name }) => name === artifactName.attempt)
  let value: Record<string, unknown>
  try {
    value = JSON.parse(attemptFile?.content.toString('utf8') ?? '') as Record<string, unknown>
  } catch {
    throw zclError('ZCL_E_INVALID_JSON', `${artifactName.attempt} is missing or does not parse`)
  }
  if (value?.runId === runId && value.attemptId === attemptId) return
  throw zclError('ZCL_E_ID_MISMATCH', `${artifactName.attempt} belongs to another attempt`)
}

/** Creates the attempt folder atomically; false when it already exists. */
function installAttempt(
  attemptId: string,
  run: string,
  files: readonly PackedFile[],
): Promise<boolean> {
  return createFolderAtomically({
    target: path.join(attemptsFolder(run), attemptId),
    files: Object.fromEntries(files.map(({ name, content }) => [name, content])),
    stagingParent: run,
    prefix: '.starting-',
  })
}
