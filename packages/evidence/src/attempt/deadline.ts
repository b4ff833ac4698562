// The deadline of an attempt: the remaining time and the start it is counted from. Loads Node
// built-ins only.
import path from 'node:path'
import { parseRfc3339, rfc3339 } from '@zee/core/clock'
import { withLock } from '@zee/core/lock'
import { anchorName, deadlineAnchor, elapsedSince } from './deadline-anchor.ts'
import { readAttemptFile } from './file.ts'
import type { AttemptContext } from './attempt.ts'
import { artifactName } from '../layout/layout.ts'

export type TimeoutStart = 'attempt_start' | 'first_tool_call'

export interface DeadlineClocks {
  /** Now, on the clock that wrote `startedAt`; `ZCL_NOW` may fix it. */
  recorded: Date
  /** Now, in real time. */
  real: Date
}

/** The start of the deadline if neither a flag nor the suite sets one. */
export function defaultTimeoutStart(mode: 'discovery' | 'ci'): TimeoutStart {
  return mode === 'ci' ? 'attempt_start' : 'first_tool_call'
}

/**
 * Milliseconds until the deadline: 0 or less if it has passed, undefined without a deadline. If the
 * time counts from the first action, that action writes `timeoutStartedAt`.
 */
export async function timeLeft(
  context: AttemptContext,
  clocks: DeadlineClocks,
): Promise<number | undefined> {
  const { timeoutMs } = context.file
  if (typeof timeoutMs !== 'number' || !(timeoutMs > 0)) return undefined
  const anchor = context.file.timeoutStart ?? defaultTimeoutStart(context.mode)
  if (anchor === 'attempt_start') {
    const { startedAt } = context.file
    const isRealTime = +clocks.recorded === +clocks.real
    const elapsedMs = isRealTime
      ? timeSince(startedAt, clocks.real, context.folder)
      : wallTimeSince(startedAt, clocks.recorded)
    return timeoutMs - (elapsedMs ?? 0)
  }
  const recorded = timeSince(context.file.timeoutStartedAt, clocks.real, context.folder)
  if (recorded !== undefined) return timeoutMs - recorded
  const startedAt = await recordTimeoutStart(context.folder, clocks.real)
  return timeoutMs - (timeSince(startedAt, clocks.real, context.folder) ?? 0)
}

/** Milliseconds since a start that attempt.json records; undefined if the value is no time. */
export function timeSince(startedAt: unknown, now: Date, folder: string): number | undefined {
  const elapsedMs = wallTimeSince(startedAt, now)
  return elapsedMs === undefined
    ? undefined
    : (elapsedSince(String(startedAt), folder) ?? elapsedMs)
}

function wallTimeSince(startedAt: unknown, now: Date): number | undefined {
  const startMs = epochMs(startedAt)
  return startMs === undefined ? undefined : +now - startMs
}

/** Writes `timeoutStartedAt` once; concurrent first actions agree on one value. */
async function recordTimeoutStart(folder: string, now: Date): Promise<string> {
  const file = path.join(folder, artifactName.attempt)
  return withLock(`${file}.lock`, {}, async () => {
    const attempt = readAttemptFile(folder)
    const { timeoutStartedAt } = attempt
    if (epochMs(timeoutStartedAt) !== undefined) return String(timeoutStartedAt)
    const { writeFileAtomic, writeJsonAtomic } = await import('@zee/core/atomic-file')
    const startedAt = rfc3339(now)
    const anchor = deadlineAnchor(now, startedAt)
    if (anchor !== undefined) await writeFileAtomic(path.join(folder, anchorName), anchor)
    await writeJsonAtomic(file, withTimeoutStartedAt(attempt, startedAt))
    return startedAt
  })
}

/** Inserts the key after `timeoutStart` or `timeoutMs`; other keys keep their order. */
function withTimeoutStartedAt(
  attempt: Record<string, unknown>,
  timeoutStartedAt: string,
): Record<string, unknown> {
  const entries = Object.entries(attempt).filter(([key]) => key !== 'timeoutStartedAt')
  const before = Math.max(
    ...['timeoutStart', 'timeoutMs'].map((name) => entries.findIndex(([key]) => key === name)),
  )
  entries.splice(before + 1, 0, ['timeoutStartedAt', timeoutStartedAt])
  return Object.fromEntries(entries)
}

function epochMs(value: unknown): number | undefined {
  return typeof value === 'string' ? parseRfc3339(value)?.getTime() : undefined
}
