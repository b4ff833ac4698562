// What a turn tells its renderers, in the order in which it happens. The command line, JSON output
// and any later screen are consumers of this one stream.
import type { ModelErrorKind, Usage } from '@zee/llm'
import type { Envelope } from './envelope.ts'

export type AgentEvent =
  | { type: 'assistant_delta'; text: string }
  /** The whole text of the last round; absent when there was none. */
  | { type: 'assistant_final'; text: string }
  | { type: 'thinking_delta'; text: string }
  | { type: 'tool_requested'; id: string; name: string; input: Readonly<Record<string, unknown>> }
  | { type: 'tool_started'; id: string; name: string }
  | { type: 'tool_finished'; id: string; result: Envelope }
  | { type: 'usage'; usage: Usage }
  /** Something that people should know and that changes nothing. */
  | { type: 'notice'; text: string }
  | { type: 'error'; kind: ModelErrorKind; message: string; details?: string }
  | { type: 'interrupted' }
