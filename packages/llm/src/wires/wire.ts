// A wire format is two pure functions: a request becomes a body, an answer becomes events.
// It knows no socket, no key and no retry.
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
  /** Thinking goes back only to the provider of this name. */
  provider: string
  quirks: Quirks
  /** Ids for tool calls that come without one. */
  newId(): string
}

/** What compatible endpoints do differently from one another. */
export interface Quirks {
  /** OpenAI's newer models refuse `max_tokens`; most others know nothing else. */
  maxTokensField?: 'max_tokens' | 'max_completion_tokens'
  /** Ask for token counts at the end of a stream; some endpoints refuse the field. */
  streamUsage?: boolean
  /** How much to think: one word, or OpenRouter's object. */
  reasoning?: 'effort' | 'object'
}

export type Emit = (event: ModelEvent) => void

/** Throws a `ModelError` at the first thing that makes the answer unusable. */
export interface WireDecoder {
  /** One server-sent event. */
  event(name: string | undefined, data: string): void
  /** The whole answer, when it was not streamed. */
  answer(value: unknown): void
  /** The body ended cleanly. */
  end(): void
  /** The answer is whole; whatever follows is not looked at. */
  done(): boolean
  /** Whether a last event counts that no blank line has ended; none does unless this says so. */
  isCompleteEvent?: ((data: string) => boolean) | undefined
}
