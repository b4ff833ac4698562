// What every proxy needs before it starts: an attempt, a trace that can be written, the time left.
import { maxTimerMs } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import { attemptFromEnvironment, timeLeft, type AttemptContext } from '@zee/evidence/attempt'
import { checkTraceWritable } from '@zee/evidence/trace'
import { recordedNow } from '../clock/clock.ts'
import { redactorFor } from '../redaction/redaction.ts'

/** The exit code of what the deadline, or silence, has ended. */
export const timedOutExitCode = 124

export interface FunnelAttempt {
  context: AttemptContext
  /** Milliseconds until the deadline, 0 or less when it has passed; undefined without one. */
  leftMs: number | undefined
}

/** Throws a typed error when there is no attempt, or none that can be recorded. */
export async function openFunnelAttempt(host: Host): Promise<FunnelAttempt> {
  const context = attemptFromEnvironment(host.env, host.cwd)
  // The thread that writes will want the same rules; a bad one must be told before anything runs.
  redactorFor(host)
  checkTraceWritable(context.folder)
  const leftMs = await timeLeft(context, { recorded: recordedNow(host), real: host.clock.now() })
  return { context, leftMs }
}

/** Calls `expire` when the time is over; without a deadline, or with one weeks away, never. */
export function armDeadline(leftMs: number | undefined, expire: () => void): () => void {
  if (leftMs === undefined || leftMs > maxTimerMs) return () => {}
  const timer = setTimeout(expire, Math.max(0, leftMs))
  return () => clearTimeout(timer)
}
