// How a turn went, for the exit code and the next prompt.
import type { AgentEvent, TurnEnd } from '@zee/agent'
import { errnoOf, reasonOf } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'

export interface TurnOutcome {
  end: TurnEnd
  /** The whole text of the last answer. */
  text?: string
  error?: { message: string }
  /** Nobody reads the answer any more. */
  readerGone: boolean
}

/** Shows a turn with `show`; `abort` stops it when the reader of stdout has left. */
export async function watchTurn(
  { stdout }: Host,
  abort: () => void,
  show: (outcome: TurnOutcome) => Promise<void>,
): Promise<TurnOutcome> {
  const outcome: TurnOutcome = { end: 'done', readerGone: false }
  const onClosed = (error: Error) => {
    noteClosed(outcome, error)
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

/** A reader that left is no failure; an answer that could not be written is one. */
function noteClosed(outcome: TurnOutcome, error: Error): void {
  outcome.readerGone = true
  if (errnoOf(error) === 'EPIPE') return
  outcome.error = { message: `cannot write the answer: ${reasonOf(error)}` }
}

/** Keeps what an event says about it. */
export function noteOutcome(outcome: TurnOutcome, event: AgentEvent): void {
  if (event.type === 'error') outcome.error = { message: event.message }
  if (event.type === 'turn_end') outcome.end = event.reason
  if (event.type === 'assistant_final') outcome.text = event.text
}
