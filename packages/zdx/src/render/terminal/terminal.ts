// The renderer for people on a terminal: the answer as rendered Markdown, one line per tool call with its
// outcome, and the running work in the live region.
import type { Host } from '@zee/core/exit'
import { isScreen, type Screen } from '../../terminal/terminal.ts'
import { openPlainAnswer } from '../answer-output.ts'
import type { Renderer, RenderOptions } from '../render.ts'
import { retryLine } from '../status-lines.ts'
import { detailsFor, openTextRenderer } from '../text-renderer.ts'
import { trackOutcome, updateOutcome } from '../turn-outcome.ts'
import { MarkdownAnswer } from './markdown-answer.ts'
import { TurnStatus } from './turn-status.ts'

export function openTerminalRenderer(host: Host, options: RenderOptions, screen: Screen): Renderer {
  const answer = isScreen(host.stdout, host.env)
    ? new MarkdownAnswer(host, screen)
    : openPlainAnswer(host)
  if (!isScreen(host.stderr, host.env)) return openTextRenderer(host, options, answer)
  let status: TurnStatus | undefined
  const showTurn: Renderer['turn'] = async (events, abort, info) => {
    const details = await detailsFor(host, options)
    const current = new TurnStatus(host, screen, options, info)
    status = current
    return trackOutcome(host, abort, async (outcome) => {
      for await (const event of events) {
        updateOutcome(outcome, event)
        if (outcome.isStdoutClosed && event.type === 'interrupted') continue
        if (event.type === 'assistant_delta') {
          current.startAnswer()
          await answer.write(event.text)
          continue
        }
        const text = (await current.textFor(event)) + details(event)
        if (text === '') continue
        await answer.endLine()
        screen.print(text)
      }
      await answer.endLine()
      screen.print(current.summaryLine())
    }).finally(() => {
      current.close()
      status = undefined
      screen.draw()
    })
  }
  return {
    open: async () => {},
    openFailed: async () => {},
    turn: showTurn,
    toolOutput: (callId, chunk) => status?.addOutput(callId, chunk),
    retry: (wait) => screen.print(`${retryLine(wait)}\n`),
    close: async () => screen.clear(),
  }
}
