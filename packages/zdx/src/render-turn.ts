// Shows the events of a turn: the answer on stdout exactly as it arrives, everything else on stderr.
import type { AgentEvent } from '@zee/agent'
import type { Host } from '@zee/core/exit'
import { openAnswerOutput } from './answer-output.ts'
import { lossless } from './lossless.ts'
import { createSpinner } from './spinner.ts'
import { createStatusLines } from './status-lines.ts'

/** How the turn went, for the exit code and the next prompt. */
export interface TurnOutcome {
  error?: { message: string }
  interrupted: boolean
  /** Nobody reads the answer any more. */
  readerGone: boolean
}

export interface RenderOptions {
  host: Host
  /** Stops the turn when the reader of stdout has left. */
  abort: () => void
}

export async function renderTurn(
  events: AsyncIterable<AgentEvent>,
  { host, abort }: RenderOptions,
): Promise<TurnOutcome> {
  const outcome: TurnOutcome = { interrupted: false, readerGone: false }
  const answer = await openAnswerOutput(host)
  const writeStatus = lossless(host.stderr)
  const status = createStatusLines(host)
  const spinner = createSpinner(host)
  const onClosed = () => {
    outcome.readerGone = true
    abort()
  }
  host.stdout.on('error', onClosed)
  spinner.start()
  try {
    for await (const event of events) {
      spinner.stop()
      if (event.type === 'assistant_delta') {
        await answer.write(event.text)
        continue
      }
      if (event.type === 'error') outcome.error = { message: event.message }
      if (event.type === 'interrupted') outcome.interrupted = true
      const line = status.line(event)
      if (line !== '') {
        await answer.endLine()
        await writeStatus(line)
      }
      if (event.type === 'tool_finished') spinner.start()
    }
    await answer.endLine()
    await writeStatus(status.closing())
  } finally {
    spinner.stop()
    host.stdout.removeListener('error', onClosed)
  }
  return outcome
}
