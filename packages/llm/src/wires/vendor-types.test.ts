// Request bodies against the vendors' own declarations: a mismatch fails the type check.
import type { Anthropic } from '@anthropic-ai/sdk'
import type { OpenAI } from 'openai'
import { describe, expectTypeOf, it } from 'vitest'
import type { AnthropicBody } from './anthropic-encode.ts'
import type { ChatBody } from './openai-chat-encode.ts'
import type { ResponsesBody } from './openai-responses-encode.ts'

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
})
