// How a run is shown: as text for people and pipes, or as a stream of JSON events.
import type { AgentEvent, TurnEnd } from '@zee/agent'
import type { Host } from '@zee/core/exit'
import type { RetryWait } from '@zee/llm'
import { openTextRenderer } from './text-renderer.ts'
import type { TurnOutcome } from './turn-outcome.ts'

export { createSpinner } from './spinner.ts'
export { retryLine } from './status-lines.ts'
export { dollars } from './usage-total.ts'
export type { TurnOutcome } from './turn-outcome.ts'

/** What is known when a conversation opens. */
export interface Opening {
  session: string | undefined
  provider: string
  model: string
  root: string
}

export interface Renderer {
  open(opening: Opening): Promise<void>
  /** There is nothing to open: the run ends with this error. */
  failed(error: Error): Promise<void>
  /** Shows a turn to its end; `abort` stops it when the reader of stdout has left. */
  turn(events: AsyncIterable<AgentEvent>, abort: () => void): Promise<TurnOutcome>
  retry(wait: RetryWait): void
  /** The last word of a run. */
  close(end: TurnEnd, exitCode: number): Promise<void>
}

export async function openRenderer(host: Host, format: string): Promise<Renderer> {
  if (format === 'text') return openTextRenderer(host)
  return (await import('./json-renderer.ts')).openJsonRenderer(host)
}
