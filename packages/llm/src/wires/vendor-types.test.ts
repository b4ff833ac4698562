// Checks request bodies against the vendors' type declarations; a mismatch fails the type check.
import type { Anthropic } from '@anthropic-ai/sdk'
import type * as Gemini from '@google/genai'
import type { OpenAI } from 'openai'
import { describe, expectTypeOf, it } from 'vitest'
import type { AnthropicBody } from './anthropic/encode.ts'
import type { GeminiBody } from './gemini/encode.ts'
import type { GeminiSchema } from './gemini/schema.ts'
import type { ChatBody } from './openai-chat/encode.ts'
import type { ResponsesBody } from './openai-responses/encode.ts'

/** The body that the Gemini SDK sends; its methods take these parts from several parameters. */
interface GeminiRequest {
  contents: Gemini.Content[]
  tools?: Gemini.Tool[]
  systemInstruction?: Gemini.Content
  generationConfig?: Gemini.GenerationConfig
}

/** The API also accepts enums in lower case and 64-bit counts as numbers, unlike the SDK's types. */
type OnTheWire<T> = T extends string
  ? `${T}` | Lowercase<`${T}`>
  : T extends readonly (infer Item)[]
    ? OnTheWire<Item>[]
    : T extends object
      ? { [K in keyof T]: OnTheWire<T[K]> | (K extends Count ? number : never) }
      : T

type Count = 'minItems' | 'maxItems' | 'minLength' | 'maxLength'

/** `toExtend` ignores unknown keys, so the key names are compared separately. */
type NameIn<T> = T extends unknown ? keyof T : never
type GeminiConfig = NonNullable<GeminiBody['generationConfig']>
type GeminiPart = GeminiBody['contents'][number]['parts'][number]

describe('request bodies', () => {
  it('have the type of the Anthropic SDK', () => {
    expectTypeOf<AnthropicBody>().toExtend<Anthropic.MessageCreateParams>()
  })

  it('have the type of the OpenAI SDK for Chat Completions, apart from OpenRouter’s fields', () => {
    expectTypeOf<ChatBody>().toExtend<OpenAI.ChatCompletionCreateParams>()
  })

  it('have the type of the OpenAI SDK for Responses', () => {
    expectTypeOf<ResponsesBody>().toExtend<OpenAI.Responses.ResponseCreateParams>()
  })
  it('have the type of the Gemini SDK', () => {
    expectTypeOf<GeminiBody>().toExtend<OnTheWire<GeminiRequest>>()
    expectTypeOf<NameIn<GeminiBody>>().toExtend<NameIn<GeminiRequest>>()
    expectTypeOf<NameIn<GeminiConfig>>().toExtend<NameIn<Gemini.GenerationConfig>>()
    expectTypeOf<NameIn<GeminiPart>>().toExtend<NameIn<Gemini.Part>>()
    expectTypeOf<NameIn<GeminiSchema>>().toExtend<NameIn<Gemini.Schema>>()
  })
})
