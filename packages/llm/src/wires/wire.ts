// A wire format encodes a request as a body and decodes a response into events. It knows nothing of
// sockets, retries or where keys are stored.
import type { ModelEvent, ModelRequest } from '../request/request.ts'

export interface Wire {
  /** Path of a model request, relative to the base URL. */
  path(request: ModelRequest): string
  /** Path of the list of models, relative to the base URL. */
  modelsPath: string
  /** Authentication and version headers of every request. */
  headers(key: string | undefined): Record<string, string>
  encode(request: ModelRequest, context: WireContext): object
  createDecoder(context: WireContext, emit: Emit): WireDecoder
}

export interface WireContext {
  /** Only thinking of this provider is sent back. */
  provider: string
  quirks: Quirks
  /** Maximum output of the model in tokens, thinking included; undefined if unknown. */
  maxOutput?: number | undefined
  /** Creates an id for a tool call that has none. */
  newId(): string
}

/** Differences between endpoints that share a wire format. */
export interface Quirks {
  /** OpenAI's newer models reject `max_tokens`; most other endpoints know only that. */
  maxTokensField?: 'max_tokens' | 'max_completion_tokens'
  /** Request token counts at the end of a stream; some endpoints reject the field. */
  streamUsage?: boolean
  /** Form of the thinking level: `reasoning_effort`, or OpenRouter's `reasoning` object. */
  reasoning?: 'effort' | 'object'
  /** Of `temperature` and `top_p` only one may be sent. */
  oneSamplingParameter?: boolean
  /** The last message must be the user's: an answer cannot be continued from the assistant's turn. */
  endsWithUser?: boolean
  /** No two messages in a row may have the same role. */
  alternatesRoles?: boolean
}

export type Emit = (event: ModelEvent) => void

/** Throws a `ModelError` if the response is unusable. */
export interface WireDecoder {
  /** Handles one server-sent event. */
  event(name: string | undefined, data: string): void
  /** Handles a response that is one JSON document. */
  answer(value: unknown): void
  /** Handles the end of the body. */
  end(): void
  /** Whether the answer is complete; further events are ignored. */
  done(): boolean
  /** Whether to accept a last event without its blank line; never by default. */
  isCompleteEvent?: ((data: string) => boolean) | undefined
}
