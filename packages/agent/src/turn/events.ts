// What a turn tells its renderers, in the order in which it happens. The command line, JSON output
// and any later screen are consumers of this one stream.
import type { ModelErrorKind, Usage } from '@zee/llm'
import type { Envelope } from '../envelope/envelope.ts'

export type AgentEvent =
  | { type: 'assistant_delta'; text: string }
  /** The whole text of the last round; absent when there was none. */
  | { type: 'assistant_final'; text: string }
  | { type: 'thinking_delta'; text: string }
  | { type: 'tool_requested'; id: string; name: string; input: Readonly<Record<string, unknown>> }
  | { type: 'tool_started'; id: string; name: string }
  | { type: 'tool_finished'; id: string; result: Envelope }
  /** What one answer of the model took; the cost only where the price is known. */
  | { type: 'usage'; usage: Usage; durationMs: number; costUsd?: number }
  /** Something that people should know and that changes nothing. */
  | { type: 'notice'; text: string }
  | { type: 'error'; kind: ModelErrorKind; message: string; details?: string }
  | { type: 'interrupted' }
  /** Always the last one. */
  | { type: 'turn_end'; reason: TurnEnd }

/** `done` is the model's own end; the others say what kept it from coming. */
export type TurnEnd = 'done' | 'max_tokens' | 'refusal' | 'other' | 'error' | 'interrupted'
