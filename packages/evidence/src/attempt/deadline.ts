// The deadline of an attempt: how much time is left, and the moment from which it counts.
// Loads Node built-ins only.
import path from 'node:path'
import { parseRfc3339, rfc3339 } from '@zee/core/clock'
import { withLock } from '@zee/core/lock'
import { readAttemptFile } from './file.ts'
import type { AttemptContext } from './attempt.ts'
import { artifactName } from '../layout/layout.ts'

export type TimeoutStart = 'attempt_start' | 'first_tool_call'

export interface DeadlineClocks {
  /** The wall clock that wrote `startedAt`; it may be a fixed one. */
  recorded: Date
  /** The real time of this action. */
  real: Date
}

/** Where the time of an attempt starts to count when nobody said. */
export function defaultTimeoutStart(mode: 'discovery' | 'ci'): TimeoutStart {
  return mode === 'ci' ? 'attempt_start' : 'first_tool_call'
}

/**
 * Milliseconds until the deadline, 0 or less when it has passed, undefined without one. The first
 * action of an attempt whose time counts from there writes `timeoutStartedAt`.
 */
export async function timeLeft(
  context: AttemptContext,
  clocks: DeadlineClocks,
): Promise<number | undefined> {
  const { timeoutMs } = context.file
  if (typeof timeoutMs !== 'number' || !(timeoutMs > 0)) return undefined
  const anchor = context.file.timeoutStart ?? defaultTimeoutStart(context.mode)
  if (anchor === 'attempt_start') {
    const startedAt = epochMs(context.file.startedAt)
    return startedAt === undefined ? timeoutMs : timeoutMs - (+clocks.recorded - startedAt)
  }
  const known = epochMs(context.file.timeoutStartedAt)
  const from = known ?? (await recordTimeoutStart(context.folder, clocks.real))
  return timeoutMs - (+clocks.real - from)
}

/** Writes the moment once, whichever of several first actions comes first. */
async function recordTimeoutStart(folder: string, now: Date): Promise<number> {
  const file = path.join(folder, artifactName.attempt)
  return withLock(`${file}.lock`, {}, async () => {
    const attempt = readAttemptFile(folder)
    const known = epochMs(attempt.timeoutStartedAt)
    if (known !== undefined) return known
    const { writeJsonAtomic } = await import('@zee/core/atomic-file')
    await writeJsonAtomic(file, withTimeoutStartedAt(attempt, rfc3339(now)))
    return now.getTime()
  })
}

/** The key stands behind those that it belongs to; all others stay as they are. */
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
