// The renderer for people: the answer goes to stdout as it arrives, everything else to stderr.
import type { AgentEvent } from '@zee/agent'
import type { Host } from '@zee/core/exit'
import type { AnswerOutput } from './answer-output.ts'
import { openAnswerOutput } from './answer-output.ts'
import { streamWriter } from '@zee/core/lossless'
import type { Renderer } from './render.ts'
import type { TurnOutcome } from './turn-outcome.ts'
import { updateOutcome, trackOutcome } from './turn-outcome.ts'
import { createStatusLines, retryLine } from './status-lines.ts'
import type { Spinner } from './spinner.ts'
import { createSpinner } from './spinner.ts'
import type { StatusLines } from './status-lines.ts'

export function openTextRenderer(host: Host): Renderer {
  const spinner = createSpinner(host)
  return {
    open: async () => {},
    openFailed: async () => {},
    turn: (events, abort) => showTurn(host, spinner, events, abort),
    retry: (wait) => {
      spinner.stop()
      host.stderr.write(`${retryLine(wait)}\n`)
      spinner.start()
    },
    close: async () => {},
  }
}

async function showTurn(
  host: Host,
  spinner: Spinner,
  events: AsyncIterable<AgentEvent>,
  abort: () => void,
): Promise<TurnOutcome> {
  const answer = await openAnswerOutput(host)
  const status = createStatusLines(host)
  spinner.start()
  return trackOutcome(host, abort, async (outcome) => {
    for await (const event of events) {
      updateOutcome(outcome, event)
      // A closed stdout also aborts the turn, but it is not an interrupt by the user.
      if (outcome.isStdoutClosed && event.type === 'interrupted') continue
      await showEvent(host, { answer, status, spinner }, event)
    }
    spinner.stop()
    await answer.endLine()
    await streamWriter(host.stderr)(status.summaryLine())
  }).finally(spinner.stop)
}

interface TurnOutputs {
  answer: AnswerOutput
  status: StatusLines
  spinner: Spinner
}

async function showEvent(host: Host, outputs: TurnOutputs, event: AgentEvent): Promise<void> {
  const { answer, status, spinner } = outputs
  if (event.type === 'assistant_delta') {
    // A redirected answer leaves the terminal unchanged, so the spinner may go on.
    if (host.stdout.isTTY === true) spinner.stop()
    const ended = status.endThinking()
    if (ended !== '') host.stderr.write(ended)
    return answer.write(event.text)
  }
  const line = status.textFor(event)
  if (line !== '') {
    spinner.stop()
    await answer.endLine()
    await streamWriter(host.stderr)(line)
  }
  const canSpin = status.isAtLineStart() && (answer.isAtLineStart() || host.stdout.isTTY !== true)
  if (canSpin && event.type !== 'tool_started') spinner.start()
}
