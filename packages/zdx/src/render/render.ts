// The renderer interface, implemented as text for people and as a stream of JSON events.
import type { AgentEvent, TurnEnd } from '@zee/agent'
import type { Host } from '@zee/core/exit'
import type { RetryWait } from '@zee/llm'
import { openTextRenderer } from './text-renderer.ts'
import type { TurnOutcome } from './turn-outcome.ts'

export { createSpinner } from './spinner.ts'
export { retryLine } from './status-lines.ts'
export { formatDollars } from './usage-total.ts'
export type { TurnOutcome } from './turn-outcome.ts'

/** What the renderer reports when a conversation opens. */
export interface ConversationInfo {
  session: string | undefined
  provider: string
  model: string
  root: string
}

export interface Renderer {
  open(info: ConversationInfo): Promise<void>
  /** Called instead of `open` when the conversation cannot be opened. */
  openFailed(error: Error): Promise<void>
  /** Renders a turn to its end; calls `abort` when stdout closes. */
  turn(events: AsyncIterable<AgentEvent>, abort: () => void): Promise<TurnOutcome>
  retry(wait: RetryWait): void
  /** Ends the output of a run. */
  close(end: TurnEnd, exitCode: number): Promise<void>
}

export async function openRenderer(host: Host, format: string): Promise<Renderer> {
  if (format === 'text') return openTextRenderer(host)
  return (await import('./json-renderer.ts')).openJsonRenderer(host)
}
