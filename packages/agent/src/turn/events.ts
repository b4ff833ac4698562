// The events of a turn, in order. The terminal, the JSON output and the editor protocol render this one
// stream.
import type { ModelErrorKind, Usage } from '@zee/llm'
import type { Envelope } from '../envelope/envelope.ts'

/** `budget`: the request would exceed the spending limit and was not sent. */
export type ErrorKind = ModelErrorKind | 'budget'

export type AgentEvent =
  | { type: 'assistant_delta'; text: string }
  /** The complete text of the last round; omitted if there is none. */
  | { type: 'assistant_final'; text: string }
  | { type: 'thinking_delta'; text: string }
  | { type: 'tool_requested'; id: string; name: string; input: Readonly<Record<string, unknown>> }
  | { type: 'tool_started'; id: string; name: string }
  | { type: 'tool_finished'; id: string; result: Envelope }
  /** Reported tokens and duration of one request; the cost is undefined if the price is unknown. */
  | { type: 'usage'; usage: Usage; durationMs: number; costUsd?: number | undefined }
  /** A line that the user queued during the turn; it is sent with the next request. */
  | { type: 'steered'; text: string }
  /** A message for the user that does not affect the turn. */
  | { type: 'notice'; text: string }
  | { type: 'error'; kind: ErrorKind; message: string; details?: string | undefined }
  | { type: 'interrupted' }
  /** Always the last event. */
  | { type: 'turn_end'; reason: TurnEnd }

/** `done`: the model finished. The other reasons say why it did not. */
export type TurnEnd = 'done' | 'max_tokens' | 'refusal' | 'other' | 'error' | 'interrupted'
