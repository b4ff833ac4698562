// The renderer interface, implemented for terminals, as text lines, and as a stream of JSON events.
import type { AgentEvent, TurnEnd } from '@zee/agent'
import type { Host } from '@zee/core/exit'
import type { RetryWait } from '@zee/llm'
import type { Screen } from '../terminal/terminal.ts'
import { openTextRenderer } from './text-renderer.ts'
import type { TurnOutcome } from './turn-outcome.ts'

export { createSpinner } from './spinner.ts'
export { retryLine } from './status-lines.ts'
export { formatDollars } from './usage-line.ts'
export type { TurnOutcome } from './turn-outcome.ts'

/** What the renderer reports when a conversation opens. */
export interface ConversationInfo {
  session: string | undefined
  provider: string
  model: string
  root: string
  /** Tokens that the model can read; undefined if it is not in the model table. */
  contextWindow?: number | undefined
}

export interface RenderOptions {
  format: string
  /** Only the answer and errors. */
  quiet: boolean
  /** Also the inputs and results of tools. */
  verbose: boolean
  /** From then on output does not wait for its reader. */
  interrupted?: AbortSignal
}

export interface Renderer {
  open(info: ConversationInfo): Promise<void>
  /** Called instead of `open` when the conversation cannot be opened. */
  openFailed(error: Error): Promise<void>
  /** Renders a turn to its end; calls `abort` when stdout closes. */
  turn(
    events: AsyncIterable<AgentEvent>,
    abort: () => void,
    info: ConversationInfo,
  ): Promise<TurnOutcome>
  /** Receives the output of running commands; undefined if the renderer does not show it. */
  toolOutput: ((callId: string, chunk: Uint8Array) => void) | undefined
  retry(wait: RetryWait): void
  /** Ends the output of a run. */
  close(end: TurnEnd, exitCode: number): Promise<void>
}

/** Draws on `screen` if it is given, otherwise on the terminal of the outputs, if there is one. */
export async function openRenderer(
  host: Host,
  options: RenderOptions,
  screen?: Screen,
): Promise<Renderer> {
  if (options.format !== 'text') {
    return (await import('./json-renderer.ts')).openJsonRenderer(host, options.interrupted)
  }
  const hasTerminal = host.stdout.isTTY === true || host.stderr.isTTY === true
  if (!hasTerminal) return openTextRenderer(host, options)
  const { openScreen } = await import('../terminal/terminal.ts')
  const opened = screen ?? openScreen(host)
  if (opened === undefined) return openTextRenderer(host, options)
  return (await import('./terminal/terminal.ts')).openTerminalRenderer(host, options, opened)
}
