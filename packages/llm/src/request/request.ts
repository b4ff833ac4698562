// What every provider is reduced to: one request, one stream of events.
// Nothing here knows a vendor; nothing that calls a model knows more than this file.
export { endOfToolCall } from './tool-input.ts'

/** A model that can be asked. `stream` sends nothing before the first `next()`. */
export interface Model {
  /** Name of the provider, as it is stored beside thinking that only it can read. */
  readonly provider: string
  /** Throws what would stop every request before it is sent, such as a missing key. */
  check(): void
  /**
   * Events end with exactly one `stop`, or the iteration throws a `ModelError`; when `signal`
   * fires it throws the signal's reason. Leaving the loop early drops the connection.
   */
  stream(request: ModelRequest, signal?: AbortSignal): AsyncIterable<ModelEvent>
  /** Lets go of idle connections. */
  close(): void
}

export interface ModelRequest {
  model: string
  /** Left to the vendor when absent, where the vendor allows that. */
  maxTokens?: number
  system?: string
  messages: readonly Message[]
  tools?: readonly ToolSpec[]
  temperature?: number
  topP?: number
  /** Absent: the vendor's default. */
  thinking?: ThinkingLevel
  /** Marks stable prefixes where a vendor wants them marked. */
  cache?: boolean
  /** `false` asks for one whole answer; the events are the same. */
  stream?: boolean
}

export type ThinkingLevel = 'off' | 'low' | 'medium' | 'high'

export interface Message {
  role: 'system' | 'user' | 'assistant'
  parts: readonly Part[]
  /** As its author wrote it in the form of Chat Completions: that wire sends it untouched. */
  original?: Readonly<Record<string, unknown>>
}

export type Part = TextPart | ThinkingPart | ToolCallPart | ToolResultPart

export interface TextPart {
  type: 'text'
  text: string
}

/** Kept verbatim and sent back only to the provider that wrote it. */
export interface ThinkingPart {
  type: 'thinking'
  text: string
  signature?: string
  provider: string
  /** What else the vendor wants back; opaque to everyone but its wire format. */
  data?: unknown
}

export interface ToolCallPart {
  type: 'tool_call'
  id: string
  name: string
  input: Record<string, unknown>
}

export interface ToolResultPart {
  type: 'tool_result'
  id: string
  content: string
  isError: boolean
}

export interface ToolSpec {
  name: string
  description: string
  /** JSON Schema of the input, an object schema. */
  schema: Record<string, unknown>
}

export type ModelEvent =
  | TextEvent
  | ThinkingEvent
  | ThinkingEndEvent
  | ToolCallStartEvent
  | ToolCallArgsEvent
  | ToolCallEndEvent
  | UsageEvent
  | StopEvent

/** A piece of the answer, never empty. */
interface TextEvent {
  type: 'text'
  text: string
}

/** A piece of thinking to show, never empty. */
interface ThinkingEvent {
  type: 'thinking'
  text: string
}

/** A block of thinking is whole; store it when `signature` or `data` is there. */
interface ThinkingEndEvent {
  type: 'thinking_end'
  part: ThinkingPart
}

interface ToolCallStartEvent {
  type: 'tool_call_start'
  id: string
  name: string
}

/** A piece of the input's JSON text. */
interface ToolCallArgsEvent {
  type: 'tool_call_args'
  id: string
  json: string
}

/** Only an ended call is whole: one that never ends was cut and must not run. */
export type ToolCallEndEvent =
  | { type: 'tool_call_end'; id: string; name: string; input: Record<string, unknown> }
  | { type: 'tool_call_end'; id: string; name: string; invalid: InvalidInput }

export interface InvalidInput {
  /** `Invalid tool input JSON for <name>: <why>` */
  message: string
  raw: string
}

interface UsageEvent {
  type: 'usage'
  usage: Usage
}

export interface Usage {
  /** All input, cached or not. */
  inputTokens: number
  /** All output, thinking included. */
  outputTokens: number
  /** Part of `inputTokens` that was read from a cache. */
  cachedInputTokens?: number
  /** Part of `inputTokens` that was written to a cache. */
  cacheWriteTokens?: number
  /** Part of `outputTokens` that was thinking. */
  thinkingTokens?: number
}

interface StopEvent {
  type: 'stop'
  reason: StopReason
  /** The vendor's own word, for people. */
  detail?: string
}

export type StopReason = 'end' | 'tool_use' | 'max_tokens' | 'refusal' | 'other'

/** All text of a message in one string. */
export function messageText(message: Message): string {
  return message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}
