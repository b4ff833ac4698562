// What every proxy needs before it starts: an attempt, a trace that can be written, the time left.
import { closeSync, constants, openSync } from 'node:fs'
import path from 'node:path'
import { reasonOf } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { attemptFromEnvironment, type AttemptContext } from '@zee/evidence/attempt-context'
import { timeLeft } from '@zee/evidence/deadline'
import { zclError } from '@zee/evidence/errors'
import { artifactName } from '@zee/evidence/layout'
import { refuseForeignStream } from '@zee/evidence/trace'
import { recordedNow } from '../clocks.ts'
import { redactorFor } from '../redaction.ts'

export interface FunnelAttempt {
  context: AttemptContext
  /** Milliseconds until the deadline, 0 or less when it has passed; undefined without one. */
  left: number | undefined
}

/** Throws a typed error when there is no attempt, or none that can be recorded. */
export async function openFunnelAttempt(host: Host): Promise<FunnelAttempt> {
  const context = attemptFromEnvironment(host.env, host.cwd)
  // The thread that writes will want the same rules; a bad one must be told before anything runs.
  redactorFor(host)
  checkTraceWritable(context.folder)
  const left = await timeLeft(context, { recorded: recordedNow(host), real: host.clock.now() })
  return { context, left }
}

/** An action that could not be recorded must not happen. */
function checkTraceWritable(folder: string): void {
  refuseForeignStream(folder, artifactName.trace)
  const file = path.join(folder, artifactName.trace)
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants
  try {
    closeSync(openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600))
  } catch (error) {
    throw zclError('ZCL_E_IO', `cannot append to ${file}: ${reasonOf(error)}`, error)
  }
}

/** The longest time that a timer of Node can wait. */
const longestTimerMs = 2 ** 31 - 1

/** Calls `expire` when the time is over; without a deadline, or with one weeks away, never. */
export function armDeadline(left: number | undefined, expire: () => void): () => void {
  if (left === undefined || left > longestTimerMs) return () => {}
  const timer = setTimeout(expire, Math.max(0, left))
  return () => clearTimeout(timer)
}
