// Job files: one planned attempt each, self-contained, for machines that see neither the output root
// nor the suite.
import { isRunId } from '@zee/core/ids'
import { parseAttemptId } from '@zee/evidence/layout'
import { normaliseSuite, type Suite } from '@zee/evidence/suite'
import { zclError } from '../../errors/errors.ts'
import type { RunPlan } from '../plan.ts'
import { readText } from '../../input/input.ts'

export { packAttempt, readPacked } from './packed-attempt.ts'
export type { PackedFile } from './packed-attempt.ts'

export const jobKind = 'zcl.job'

export interface JobFile {
  schemaVersion: 1
  kind: typeof jobKind
  runId: string
  /** The id of the first try. */
  attemptId: string
  slot: number
  missionId: string
  retry: number
  plan: RunPlan
  suite: Suite
}

export async function readJob(file: string, cwd: string): Promise<JobFile> {
  const text = await readText(file, cwd)
  let value: Partial<JobFile> | null
  try {
    value = JSON.parse(text) as Partial<JobFile> | null
  } catch {
    throw zclError('ZCL_E_INVALID_JSON', `${file} is not JSON`)
  }
  if (value?.kind !== jobKind || value.schemaVersion !== 1) {
    throw zclError('ZCL_E_CONTRACT', `${file} is not a job of zcl suite plan --jobs`)
  }
  const parts = parseAttemptId(String(value.attemptId))
  const isConsistent =
    isRunId(String(value.runId)) &&
    parts !== undefined &&
    parts.index === value.slot &&
    parts.missionId === value.missionId &&
    parts.retry === value.retry &&
    value.plan?.runId === value.runId &&
    Array.isArray(value.plan?.runner)
  if (!isConsistent) throw zclError('ZCL_E_CONTRACT', `${file}: its ids do not match`)
  return { ...(value as JobFile), suite: normaliseSuite(value.suite, file) }
}
