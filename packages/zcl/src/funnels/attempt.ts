// Opens the attempt for a proxy: checks that its trace is writable and computes the time left.
import { maxTimerMs } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import { attemptFromEnvironment, timeLeft, type AttemptContext } from '@zee/evidence/attempt'
import { checkTraceWritable } from '@zee/evidence/trace'
import { recordedNow } from '../clock/clock.ts'
import { redactorFor } from '../redaction/redaction.ts'

/** Exit code after the deadline or an idle timeout. */
export const timedOutExitCode = 124

export interface FunnelAttempt {
  context: AttemptContext
  /** Milliseconds until the deadline, 0 or less when it has passed; undefined without one. */
  leftMs: number | undefined
}

/**
 * The attempt in `folder`, or else of the environment. Throws when there is none or its trace cannot
 * be written.
 */
export async function openFunnelAttempt(
  host: Host,
  folder: string | undefined,
): Promise<FunnelAttempt> {
  const context = attemptFromEnvironment(host.env, host.cwd, folder)
  // The trace thread uses the same rules; report an invalid one before the server starts.
  redactorFor(host)
  checkTraceWritable(context.folder)
  const leftMs = await timeLeft(context, { recorded: recordedNow(host), real: host.clock.now() })
  return { context, leftMs }
}

/** Calls `expire` at the deadline; never without one or beyond the range of a timer. Returns a disarm function. */
export function armDeadline(leftMs: number | undefined, expire: () => void): () => void {
  if (leftMs === undefined || leftMs > maxTimerMs) return () => {}
  const timer = setTimeout(expire, Math.max(0, leftMs))
  return () => clearTimeout(timer)
}
