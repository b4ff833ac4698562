import { describe, expect, it } from 'vitest'
import { say } from '../../../test/messages.ts'
import type { ModelRequest, Part } from '../../request/request.ts'
import type { Quirks } from '../wire.ts'
import { encodeChat, type ChatBody } from './encode.ts'

const call: Part = { type: 'tool_call', id: 'call_1', name: 'read', input: { path: 'ä' } }
const result: Part = { type: 'tool_result', id: 'call_1', content: '{"ok":false}', isError: true }

function encode(request: Partial<ModelRequest> = {}, quirks: Quirks = {}): ChatBody {
  const base: ModelRequest = { model: 'm', messages: [say('user', 'Hi')] }
  return encodeChat({ ...base, ...request }, { provider: 'openai', quirks, newId: () => 'x' })
}

describe('a request to Chat Completions', () => {
  it('contains only the requested fields', () => {
    expect(JSON.stringify(encode({ temperature: 0.7, topP: 1, stream: false }))).toBe(
      '{"model":"m","messages":[{"role":"user","content":"Hi"}],"temperature":0.7,"top_p":1,"stream":false}',
    )
  })

  it('has text messages unchanged and system messages in their places', () => {
    const messages = [
      say('system', 'S'),
      say('user', 'a'),
      say('user', ''),
      say('assistant', 'b'),
      say('system', 'T'),
      say('assistant', 'c'),
    ]
    expect(encode({ messages }).messages).toEqual([
      { role: 'system', content: 'S' },
      { role: 'user', content: 'a' },
      { role: 'user', content: '' },
      { role: 'assistant', content: 'b' },
      { role: 'system', content: 'T' },
      { role: 'assistant', content: 'c' },
    ])
    expect(encode({ system: 'Be brief.' }).messages[0]).toEqual({
      role: 'system',
      content: 'Be brief.',
    })
  })

  it('has calls in the assistant message and one tool message per result before any text', () => {
    const messages = [say('user', 'a'), say('assistant', call), say('user', 'and?', result)]
    expect(encode({ messages }).messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"ä"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '{"ok":false}' },
      { role: 'user', content: 'and?' },
    ])
  })

  it('has tools as functions', () => {
    const schema = { type: 'object', properties: {} }
    expect(encode({ tools: [{ name: 'f', description: 'd', schema }] }).tools).toEqual([
      { type: 'function', function: { name: 'f', description: 'd', parameters: schema } },
    ])
  })

  it('uses the endpoint’s fields for token limit and token counts', () => {
    expect(encode({ maxTokens: 5 })).toMatchObject({ max_tokens: 5 })
    expect(encode({ maxTokens: 5 }, { maxTokensField: 'max_completion_tokens' })).toMatchObject({
      max_completion_tokens: 5,
    })
    expect(encode({}, { streamUsage: true }).stream_options).toEqual({ include_usage: true })
    expect(encode({ stream: false }, { streamUsage: true })).not.toHaveProperty('stream_options')
  })

  it('uses the endpoint’s field for thinking, or none', () => {
    expect(encode({ thinking: 'low' })).toEqual(encode())
    expect(encode({ thinking: 'low' }, { reasoning: 'effort' }).reasoning_effort).toBe('low')
    expect(encode({ thinking: 'off' }, { reasoning: 'effort' })).toEqual(encode())
    expect(encode({ thinking: 'high' }, { reasoning: 'object' }).reasoning).toEqual({
      effort: 'high',
    })
    expect(encode({ thinking: 'off' }, { reasoning: 'object' }).reasoning).toEqual({
      enabled: false,
    })
  })

  it('adds the thinking budget to the token limit if there is thinking', () => {
    const limit = (...asked: Parameters<typeof encode>) => encode(...asked).max_tokens
    expect(limit({ maxTokens: 5, thinking: 'low' }, { reasoning: 'effort' })).toBe(2053)
    expect(limit({ maxTokens: 5, thinking: 'off' }, { reasoning: 'effort' })).toBe(5)
    expect(limit({ maxTokens: 5, thinking: 'low' })).toBe(5)
  })

  it('has reasoning details only for their provider', () => {
    const thinking = (provider: string): Part => ({
      type: 'thinking',
      text: 'x',
      provider,
      data: { reasoning_details: [{ index: 0 }] },
    })
    const messages = [say('assistant', thinking('openai'), thinking('other'), 'b')]
    expect(encode({ messages }).messages).toEqual([
      { role: 'assistant', content: 'b', reasoning_details: [{ index: 0 }] },
    ])
  })
})

it('images of the user and of a tool are parts of a user message', () => {
  const image: Part = { type: 'image', mediaType: 'image/png', data: 'AA==' }
  const url = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }
  const user = { role: 'user', parts: [{ type: 'text', text: 'look' }, image] } as const
  expect(encode({ messages: [{ ...user, parts: [...user.parts] }] }).messages).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'look' }, url] },
  ])
  const shown: Part = { ...result, images: [image] } as Part
  const { messages } = encode({
    messages: [say('user', 'go'), say('assistant', call), say('user', shown)],
  })
  expect(messages.at(-1)).toEqual({ role: 'user', content: [url] })
})
