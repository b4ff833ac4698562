// Finds and runs the next try of a slot. A slot that has an answer returns it again. A try of a dead
// worker is marked as abandoned; its evidence stays.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { rfc3339 } from '@zee/core/clock'
import { artifactName, attemptIdOf, attemptsFolder, runFolder } from '@zee/evidence/layout'
import { isAnswer, readOutcome, recordOutcome } from '@zee/evidence/outcome'
import type { Code } from '../../codes/codes.ts'
import { endOrphans, runAttempt, type Lab, type Try, type TryResult } from '../attempt/attempt.ts'
import type { Slot } from '../plan.ts'

export interface SlotState {
  /** The number of the next try. */
  next: number
  /** The result of the latest try, when it has ended. */
  latest?: TryResult
}

/** Bounds the retries of a slot whose every try kills its worker. */
const maxTries = 20

/** Reads the tries of one slot in order, starting at number `first`. */
export function slotState(
  outRoot: string,
  runId: string,
  { slot, missionId }: Slot,
  first = 1,
): SlotState {
  const attempts = attemptsFolder(runFolder(outRoot, runId))
  const folderOf = (retry: number) => path.join(attempts, attemptIdFor(slot, missionId, retry))
  let next = first
  while (existsSync(path.join(folderOf(next), artifactName.attempt))) next++
  const retry = next - 1
  if (retry < first) return { next }
  const folder = folderOf(retry)
  const stored = readOutcome({ path: folder, within: folder })
  if (stored === undefined) return { next }
  const { code, durationMs = 0, ...outcome } = stored
  const attemptId = attemptIdFor(slot, missionId, retry)
  const ids = { attemptId, missionId, retry, folder }
  return { next, latest: { ...ids, ...outcome, code: code as Code | undefined, durationMs } }
}

/** Returns the answer that the slot has, or else the result of a new try. */
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
    const abandoned = await markAbandoned(lab, slot, next - 1)
    if (abandoned) await endOrphans(lab.runId, attemptIdFor(slot.slot, slot.missionId, next - 1))
    // An outcome that is there and cannot be read is no answer: the slot gets another try.
    const now: SlotState = abandoned ? { next } : slotState(lab.outRoot, lab.runId, slot, first)
    if (now.next > next || now.latest !== undefined) return runSlot(lab, slot, signal, extra)
  }
  if (next - first >= maxTries) return exhaustedResult(lab, slot, next - 1)
  const supersedes = next === first ? undefined : attemptIdFor(slot.slot, slot.missionId, next - 1)
  return runAttempt(lab, { ...extra, ...slot, retry: next, supersedes }, signal)
}

/** False when another worker recorded an outcome first. */
async function markAbandoned(lab: Lab, { slot, missionId }: Slot, retry: number): Promise<boolean> {
  const attemptId = attemptIdFor(slot, missionId, retry)
  const folder = path.join(attemptsFolder(runFolder(lab.outRoot, lab.runId)), attemptId)
  return recordOutcome(folder, {
    schemaVersion: 1,
    runId: lab.runId,
    suiteId: lab.suite.suiteId,
    missionId,
    attemptId,
    slot,
    outcome: 'abandoned',
    message: 'the worker died before the attempt ended',
    endedAt: rfc3339(lab.now()),
  })
}

function exhaustedResult(lab: Lab, { slot, missionId }: Slot, tries: number): TryResult {
  const attemptId = attemptIdFor(slot, missionId, tries)
  return {
    attemptId,
    missionId,
    slot,
    retry: tries,
    folder: path.join(attemptsFolder(runFolder(lab.outRoot, lab.runId)), attemptId),
    outcome: 'infra',
    code: 'ZCL_E_RUNTIME_CRASH',
    message: `gave up after ${tries} tries`,
    durationMs: 0,
  }
}

function attemptIdFor(index: number, missionId: string, retry: number): string {
  return attemptIdOf({ index, missionId, retry })
}
