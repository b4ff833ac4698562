// The outcome of a turn, which decides the exit code and whether the chat goes on.
import type { AgentEvent, TurnEnd } from '@zee/agent'
import { errnoOf, reasonOf } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'

export interface TurnOutcome {
  end: TurnEnd
  /** The complete text of the last answer. */
  text?: string
  error?: { message: string }
  /** stdout failed: its reader closed the pipe, or a write failed. */
  isStdoutClosed: boolean
}

/** Runs `show` and returns its outcome; calls `abort` when stdout fails. */
export async function trackOutcome(
  { stdout }: Host,
  abort: () => void,
  show: (outcome: TurnOutcome) => Promise<void>,
): Promise<TurnOutcome> {
  const outcome: TurnOutcome = { end: 'done', isStdoutClosed: false }
  const onClosed = (error: Error) => {
    recordStdoutError(outcome, error)
    abort()
  }
  stdout.on('error', onClosed)
  try {
    await show(outcome)
  } finally {
    stdout.removeListener('error', onClosed)
  }
  return outcome
}

/** A closed pipe is not an error; any other failed write is. */
function recordStdoutError(outcome: TurnOutcome, error: Error): void {
  outcome.isStdoutClosed = true
  if (errnoOf(error) === 'EPIPE') return
  outcome.error = { message: `cannot write the answer: ${reasonOf(error)}` }
}

/** Copies error, end and final text from `event` into `outcome`. */
export function updateOutcome(outcome: TurnOutcome, event: AgentEvent): void {
  if (event.type === 'error') outcome.error = { message: event.message }
  if (event.type === 'turn_end') outcome.end = event.reason
  if (event.type === 'assistant_final') outcome.text = event.text
}
