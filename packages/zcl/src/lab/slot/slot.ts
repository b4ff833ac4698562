// Which try of a slot is due. Asked again for a slot that has its answer, it gives that answer back; a
// try that a dead worker left is marked as abandoned, and its evidence stays.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { rfc3339 } from '@zee/core/clock'
import { artifactName, attemptIdOf, attemptsFolder, runFolder } from '@zee/evidence/layout'
import { isAnswer, readOutcome, recordOutcome, type OutcomeFile } from '@zee/evidence/outcome'
import type { Code } from '../../codes/codes.ts'
import { endOrphans } from './orphan-runner.ts'
import { runAttempt, type Lab, type Try, type TryResult } from '../attempt/attempt.ts'
import type { Slot } from '../plan.ts'

export interface SlotState {
  /** The number of the next try. */
  next: number
  /** The latest try's, when it has ended. */
  latest?: TryResult
}

/** A worker that is killed by every try of a slot must not go on for ever. */
const mostTries = 20

/** Looks at a slot's tries one after another, from number `first` on; never at the rest of the run. */
export function slotState(outRoot: string, runId: string, at: Slot, first = 1): SlotState {
  const attempts = attemptsFolder(runFolder(outRoot, runId))
  const folderOf = (retry: number) => path.join(attempts, nameOf(at.slot, at.missionId, retry))
  let next = first
  while (existsSync(path.join(folderOf(next), artifactName.attempt))) next++
  if (next === first) return { next }
  const folder = folderOf(next - 1)
  const outcome = readOutcome({ path: folder, within: folder })
  return outcome === undefined ? { next } : { next, latest: resultOf(outcome, folder, next - 1) }
}

/** The answer of a slot: the one that it has, or that of a new try. */
export async function runSlot(
  lab: Lab,
  slot: Slot,
  signal: AbortSignal,
  extra: Partial<Try> = {},
): Promise<TryResult> {
  const first = extra.retry ?? 1
  const { next, latest } = slotState(lab.outRoot, lab.runId, slot, first)
  if (latest !== undefined && isAnswer(latest.outcome)) return latest
  if (next > first && latest === undefined) {
    const abandoned = await abandon(lab, slot, next - 1)
    if (abandoned) await endOrphans(lab.runId, nameOf(slot.slot, slot.missionId, next - 1))
    if (!abandoned) return runSlot(lab, slot, signal, extra)
  }
  if (next - first >= mostTries) return exhausted(lab, slot, next - 1)
  return runAttempt(lab, { ...extra, ...slot, retry: next }, signal)
}

/** False when the try got an outcome meanwhile. */
async function abandon(lab: Lab, { slot, missionId }: Slot, retry: number): Promise<boolean> {
  const attemptId = nameOf(slot, missionId, retry)
  const folder = path.join(attemptsFolder(runFolder(lab.outRoot, lab.runId)), attemptId)
  return recordOutcome(folder, {
    schemaVersion: 1,
    runId: lab.runId,
    suiteId: lab.suite.suiteId,
    missionId,
    attemptId,
    slot,
    outcome: 'abandoned',
    message: 'its worker was gone before it ended',
    endedAt: rfc3339(lab.now()),
  })
}

function exhausted(lab: Lab, { slot, missionId }: Slot, tries: number): TryResult {
  const attemptId = nameOf(slot, missionId, tries)
  return {
    attemptId,
    missionId,
    slot,
    retry: tries,
    folder: path.join(attemptsFolder(runFolder(lab.outRoot, lab.runId)), attemptId),
    outcome: 'infra',
    code: 'ZCL_E_RUNTIME_CRASH',
    message: `given up after ${tries} tries`,
    durationMs: 0,
  }
}

function nameOf(index: number, missionId: string, retry: number): string {
  return attemptIdOf({ index, missionId, retry })
}

function resultOf(file: OutcomeFile, folder: string, retry: number): TryResult {
  const { attemptId, missionId, slot, outcome, code, message, exitCode, durationMs = 0 } = file
  return {
    attemptId,
    missionId,
    slot,
    retry,
    folder,
    outcome,
    ...(code === undefined ? {} : { code: code as Code }),
    ...(message === undefined ? {} : { message }),
    ...(exitCode === undefined ? {} : { exitCode }),
    durationMs,
  }
}
