// Request bodies against the vendors' own declarations: a mismatch fails the type check.
import type { Anthropic } from '@anthropic-ai/sdk'
import type * as Gemini from '@google/genai'
import type { OpenAI } from 'openai'
import { describe, expectTypeOf, it } from 'vitest'
import type { AnthropicBody } from './anthropic/encode.ts'
import type { GeminiBody } from './gemini/encode.ts'
import type { GeminiSchema } from './gemini/schema.ts'
import type { ChatBody } from './openai-chat/encode.ts'
import type { ResponsesBody } from './openai-responses/encode.ts'

/** The body as the Gemini SDK would send it: its methods take these parts from elsewhere. */
interface GeminiRequest {
  contents: Gemini.Content[]
  tools?: Gemini.Tool[]
  systemInstruction?: Gemini.Content
  generationConfig?: Gemini.GenerationConfig
}

/** What the wire takes beside the SDK's own spelling: enums in lower case, 64-bit counts as numbers. */
type OnTheWire<T> = T extends string
  ? `${T}` | Lowercase<`${T}`>
  : T extends readonly (infer Item)[]
    ? OnTheWire<Item>[]
    : T extends object
      ? { [K in keyof T]: OnTheWire<T[K]> | (K extends Count ? number : never) }
      : T

type Count = 'minItems' | 'maxItems' | 'minLength' | 'maxLength'

/** `toExtend` lets a key pass that the vendor does not know; its names do not. */
type NameIn<T> = T extends unknown ? keyof T : never
type GeminiConfig = NonNullable<GeminiBody['generationConfig']>
type GeminiPart = GeminiBody['contents'][number]['parts'][number]

describe('request bodies', () => {
  it('are what the Anthropic SDK would send', () => {
    expectTypeOf<AnthropicBody>().toExtend<Anthropic.MessageCreateParams>()
  })

  it('are what the OpenAI SDK would send to Chat Completions, but for OpenRouter’s own fields', () => {
    expectTypeOf<ChatBody>().toExtend<OpenAI.ChatCompletionCreateParams>()
  })

  it('are what the OpenAI SDK would send to Responses', () => {
    expectTypeOf<ResponsesBody>().toExtend<OpenAI.Responses.ResponseCreateParams>()
  })
  it('are what the Gemini SDK would send', () => {
    expectTypeOf<GeminiBody>().toExtend<OnTheWire<GeminiRequest>>()
    expectTypeOf<NameIn<GeminiBody>>().toExtend<NameIn<GeminiRequest>>()
    expectTypeOf<NameIn<GeminiConfig>>().toExtend<NameIn<Gemini.GenerationConfig>>()
    expectTypeOf<NameIn<GeminiPart>>().toExtend<NameIn<Gemini.Part>>()
    expectTypeOf<NameIn<GeminiSchema>>().toExtend<NameIn<Gemini.Schema>>()
  })
})
