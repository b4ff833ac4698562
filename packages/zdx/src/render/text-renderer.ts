// Shows a run to people: the answer on stdout exactly as it arrives, everything else on stderr.
import type { AgentEvent } from '@zee/agent'
import type { Host } from '@zee/core/exit'
import type { AnswerOutput } from './answer-output.ts'
import { openAnswerOutput } from './answer-output.ts'
import { streamWriter } from '@zee/core/lossless'
import type { Renderer } from './render.ts'
import type { TurnOutcome } from './turn-outcome.ts'
import { noteOutcome, watchTurn } from './turn-outcome.ts'
import { createStatusLines, retryLine } from './status-lines.ts'
import type { Spinner } from './spinner.ts'
import { createSpinner } from './spinner.ts'
import type { StatusLines } from './status-lines.ts'

export function openTextRenderer(host: Host): Renderer {
  const spinner = createSpinner(host)
  return {
    open: async () => {},
    failed: async () => {},
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
  return watchTurn(host, abort, async (outcome) => {
    for await (const event of events) {
      noteOutcome(outcome, event)
      // A reader that left did not press Ctrl+C, and nobody needs to be told.
      if (outcome.readerGone && event.type === 'interrupted') continue
      await showEvent(host, { answer, status, spinner }, event)
    }
    spinner.stop()
    await answer.endLine()
    await streamWriter(host.stderr)(status.closing())
  }).finally(spinner.stop)
}

interface Screen {
  answer: AnswerOutput
  status: StatusLines
  spinner: Spinner
}

async function showEvent(host: Host, screen: Screen, event: AgentEvent): Promise<void> {
  const { answer, status, spinner } = screen
  if (event.type === 'assistant_delta') {
    // Text that goes elsewhere moves nothing on the terminal, so the spinner turns on.
    if (host.stdout.isTTY === true) spinner.stop()
    const ended = status.endThinking()
    if (ended !== '') host.stderr.write(ended)
    return answer.write(event.text)
  }
  const line = status.line(event)
  if (line !== '') {
    spinner.stop()
    await answer.endLine()
    await streamWriter(host.stderr)(line)
  }
  const isFree = status.atLineStart() && (answer.atLineStart() || host.stdout.isTTY !== true)
  if (isFree && event.type !== 'tool_started') spinner.start()
}
