// The provider-neutral request and event types. Callers of a model depend on this file only; it
// knows no vendor.
export { createAttemptMeter } from './attempt-meter.ts'
export { endOfToolCall } from './tool-input.ts'

/** `stream` sends nothing before the first `next()`. */
export interface Model {
  /** Name of the provider, stored with thinking because only its author can read it. */
  readonly provider: string
  /** Throws if every request would fail before it is sent, for example without a key. */
  check(): void
  /**
   * Yields events and ends with exactly one `stop`, or throws a `ModelError`. An abort throws the
   * signal's reason. Leaving the loop early drops the connection.
   */
  stream(request: ModelRequest, signal?: AbortSignal): AsyncIterable<ModelEvent>
  /** Closes idle connections. */
  close(): void
}

export interface ModelRequest {
  model: string
  /** Tokens of the answer without thinking. If absent, the model's maximum output. */
  maxTokens?: number | undefined
  system?: string
  messages: readonly Message[]
  tools?: readonly ToolSpec[]
  temperature?: number
  topP?: number
  /** The vendor's default if absent. */
  thinking?: ThinkingLevel
  /** Marks stable prefixes for prompt caching, for vendors that need the marks. */
  cache?: boolean
  /** `false` requests the answer as one JSON document; the events are the same. */
  stream?: boolean
  /** Called for every attempt that the provider may charge although it gave no complete answer. */
  onAbandoned?: ((attempt: AbandonedAttempt) => void) | undefined
}

/** An attempt that reached the provider and ended early: cut, failed, aborted, then perhaps retried. */
export interface AbandonedAttempt {
  /** As far as the provider reported it. */
  usage: Usage | undefined
  /** Size of the request and of the text, thinking and tool input received, for an estimate. */
  sentBytes: number
  receivedBytes: number
  durationMs: number
}

export type ThinkingLevel = 'off' | 'low' | 'medium' | 'high'

export interface Message {
  role: 'system' | 'user' | 'assistant'
  parts: readonly Part[]
  /** The message in Chat Completions form; the `openai-chat` wire sends it unchanged. */
  original?: Readonly<Record<string, unknown>>
}

export type Part = TextPart | ImagePart | ThinkingPart | ToolCallPart | ToolResultPart

export interface TextPart {
  type: 'text'
  text: string
}

/** Only for models that accept images. */
export interface ImagePart {
  type: 'image'
  /** For example `image/png`. */
  mediaType: string
  /** The file in base64. */
  data: string
}

/** Stored verbatim and sent back only to the provider that produced it. */
export interface ThinkingPart {
  type: 'thinking'
  text: string
  signature?: string | undefined
  provider: string
  /** Further data that the vendor wants back; opaque to all but its wire format. */
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
  /** Sent beside the content. */
  images?: readonly ImagePart[] | undefined
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

/** A delta of the answer's text, never empty. */
interface TextEvent {
  type: 'text'
  text: string
}

/** A delta of the thinking text, for display; never empty. */
interface ThinkingEvent {
  type: 'thinking'
  text: string
}

/** The end of a thinking block. Store the part if it has `signature` or `data`. */
interface ThinkingEndEvent {
  type: 'thinking_end'
  part: ThinkingPart
}

interface ToolCallStartEvent {
  type: 'tool_call_start'
  id: string
  name: string
}

/** A delta of the input's JSON text. */
interface ToolCallArgsEvent {
  type: 'tool_call_args'
  id: string
  json: string
}

/** The end of a tool call. A call without this event was cut off and must not run. */
export type ToolCallEndEvent =
  | { type: 'tool_call_end'; id: string; name: string; input: Record<string, unknown> }
  | { type: 'tool_call_end'; id: string; name: string; invalid: InvalidInput }

export interface InvalidInput {
  /** `Invalid tool input JSON for <name>: <why>` */
  message: string
  raw: string
}

/** Token counts of the answer, before `stop`. */
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
  cachedInputTokens?: number | undefined
  /** Part of `inputTokens` that was written to a cache. */
  cacheWriteTokens?: number | undefined
  /** Part of `outputTokens` that was thinking. */
  thinkingTokens?: number | undefined
}

interface StopEvent {
  type: 'stop'
  reason: StopReason
  /** The vendor's term for the reason, for display. */
  detail?: string
}

export type StopReason = 'end' | 'tool_use' | 'max_tokens' | 'refusal' | 'other'

/** The text parts of a message, concatenated. */
export function messageText(message: Message): string {
  return message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}
