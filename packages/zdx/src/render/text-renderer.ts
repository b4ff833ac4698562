// The renderer for people where stderr is not a terminal: the answer goes to stdout as it arrives,
// status lines go to stderr.
import type { AgentEvent } from '@zee/agent'
import type { Host } from '@zee/core/exit'
import { streamWriter } from '@zee/core/lossless'
import type { AnswerOutput } from './answer-output.ts'
import { openPlainAnswer } from './answer-output.ts'
import type { Renderer, RenderOptions } from './render.ts'
import { createStatusLines, retryLine } from './status-lines.ts'
import { updateOutcome, trackOutcome } from './turn-outcome.ts'

/** `answer` replaces the plain output on stdout, for a stdout that is a terminal. */
export function openTextRenderer(
  host: Host,
  options: RenderOptions,
  answer: AnswerOutput = openPlainAnswer(host, options.interrupted),
): Renderer {
  const showTurn: Renderer['turn'] = async (events, abort, info) => {
    const status = createStatusLines(host, info)
    const write = streamWriter(host.stderr, options.interrupted)
    const details = await detailsFor(host, options)
    return trackOutcome(host, abort, async (outcome) => {
      for await (const event of events) {
        updateOutcome(outcome, event)
        // A closed stdout also aborts the turn, but it is not an interrupt by the user.
        if (outcome.isStdoutClosed && event.type === 'interrupted') continue
        if (event.type === 'assistant_delta') {
          await answer.write(event.text)
          continue
        }
        const text = await status.textFor(event)
        const line = isShown(event, options) ? text + details(event) : ''
        if (line === '') continue
        await answer.endLine()
        await write(line)
      }
      await answer.endLine()
      if (!options.quiet) await write(status.summaryLine())
    })
  }
  return {
    open: async () => {},
    openFailed: async () => {},
    turn: showTurn,
    toolOutput: undefined,
    retry: (wait) => {
      if (!options.quiet) host.stderr.write(`${retryLine(wait)}\n`)
    },
    close: async () => {},
  }
}

/** `--quiet` shows only errors. */
function isShown({ type }: AgentEvent, { quiet }: RenderOptions): boolean {
  return !quiet || type === 'error' || type === 'interrupted'
}

/** Loaded only for `--verbose`. */
export async function detailsFor(
  host: Host,
  { verbose }: RenderOptions,
): Promise<(event: AgentEvent) => string> {
  return verbose ? (await import('./details.ts')).openDetails(host) : () => ''
}
