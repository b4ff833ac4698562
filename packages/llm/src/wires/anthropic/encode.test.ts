import { describe, expect, it } from 'vitest'
import { context } from '../../../test/decoding.ts'
import { say } from '../../../test/messages.ts'
import type { Message, ModelRequest, Part, ToolSpec } from '../../request/request.ts'
import { encodeAnthropic, type AnthropicBody, type AnthropicMessage } from './encode.ts'

const call = (id: string, name = 'read'): Part => ({
  type: 'tool_call',
  id,
  name,
  input: { path: id },
})
const result = (id: string, isError = false): Part => ({
  type: 'tool_result',
  id,
  content: '{"ok":true}',
  isError,
})
const tool = (name: string): ToolSpec => ({
  name,
  description: `does ${name}`,
  schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
})

function encode(request: Partial<ModelRequest> = {}): AnthropicBody {
  const base: ModelRequest = {
    model: 'claude-haiku-4-5',
    maxTokens: 1024,
    messages: [say('user', 'Hi')],
  }
  return encodeAnthropic({ ...base, ...request }, context('anthropic'))
}
const messages = (...list: Message[]): AnthropicMessage[] => encode({ messages: list }).messages

describe('a request to the Messages API', () => {
  it('has exactly the required keys, in order, without tools and system', () => {
    expect(JSON.stringify(encode())).toBe(
      '{"model":"claude-haiku-4-5","max_tokens":1024,"messages":[{"role":"user","content":"Hi"}],"stream":true}',
    )
  })

  it('has tools and system only if there are any, before stream', () => {
    const body = encode({ system: 'Be brief.', tools: [tool('bash'), tool('read')] })
    expect(Object.keys(body)).toEqual([
      'model',
      'max_tokens',
      'messages',
      'tools',
      'system',
      'stream',
    ])
    expect(body.system).toBe('Be brief.')
    expect(body.tools).toEqual([
      { name: 'bash', description: 'does bash', input_schema: tool('bash').schema },
      { name: 'read', description: 'does read', input_schema: tool('read').schema },
    ])
    expect(encode({ system: '  \n', tools: [] })).toEqual(encode())
  })

  it('has plain text as a string, tool turns as blocks, and is_error only if true', () => {
    expect(
      messages(
        say('user', 'Read it'),
        say('assistant', 'I will.', call('a'), call('b')),
        say('user', result('a'), result('b', true)),
        say('assistant', 'Done'),
        say('user', 'Thanks'),
      ),
    ).toEqual([
      { role: 'user', content: 'Read it' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I will.' },
          { type: 'tool_use', id: 'a', name: 'read', input: { path: 'a' } },
          { type: 'tool_use', id: 'b', name: 'read', input: { path: 'b' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: '{"ok":true}' },
          { type: 'tool_result', tool_use_id: 'b', content: '{"ok":true}', is_error: true },
        ],
      },
      { role: 'assistant', content: 'Done' },
      { role: 'user', content: 'Thanks' },
    ])
  })

  it('omits blank text and messages without other content', () => {
    expect(
      messages(
        say('user', 'a', ''),
        say('assistant', ' \n'),
        say('assistant', '', call('x')),
        say('user', '', result('x'), 'go on'),
      ),
    ).toEqual([
      { role: 'user', content: 'a' },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'x', name: 'read', input: { path: 'x' } }],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'x', content: '{"ok":true}' },
          { type: 'text', text: 'go on' },
        ],
      },
    ])
  })

  it('assigns separate ids and results, in order, to two calls with the same id', () => {
    const [, asked, answered] = messages(
      say('user', 'a'),
      say('assistant', call('x'), call('x')),
      say('user', result('x'), result('x')),
    )
    expect(asked?.content).toMatchObject([{ id: 'x' }, { id: 'x_2' }])
    expect(answered?.content).toMatchObject([{ tool_use_id: 'x' }, { tool_use_id: 'x_2' }])
  })

  it('has results before text', () => {
    const [, , last] = messages(
      say('user', 'a'),
      say('assistant', call('x')),
      say('user', 'and', result('x')),
    )
    expect(last?.content).toMatchObject([{ type: 'tool_result' }, { type: 'text' }])
  })

  it('starts and ends with the user, whatever the history', () => {
    expect(messages(say('assistant', 'Hello'), say('user', 'Hi'), say('assistant', 'So'))).toEqual([
      { role: 'user', content: '(The beginning is not shown.)' },
      { role: 'assistant', content: 'Hello' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'So' },
      { role: 'user', content: 'Continue.' },
    ])
  })

  it('joins system messages into one system text', () => {
    const body = encode({
      system: 'A',
      messages: [say('system', 'B'), say('user', 'Hi'), say('system', 'C')],
    })
    expect(body.system).toBe('A\n\nB\n\nC')
    expect(body.messages).toEqual([{ role: 'user', content: 'Hi' }])
  })

  it('replaces invalid ids and tool names, and uses each id once', () => {
    const list = messages(
      say('user', 'a'),
      say('assistant', call('call:0|fc', 'my.tool'), call('call_0|fc')),
      say('user', result('call:0|fc'), result('call_0|fc')),
      say('assistant', call('call_0|fc', '')),
      say('user', result('call_0|fc')),
    )
    expect(list.slice(1).flatMap(({ content }) => [content].flat())).toMatchObject([
      { id: 'call_0_fc', name: 'my_tool' },
      { id: 'call_0_fc_2', name: 'read' },
      { tool_use_id: 'call_0_fc' },
      { tool_use_id: 'call_0_fc_2' },
      { id: 'call_0_fc_3', name: 'unknown' },
      { tool_use_id: 'call_0_fc_3' },
    ])
  })

  it('has an empty object for an input that is not an object', () => {
    const broken = { type: 'tool_call', id: 'x', name: 'f', input: [1] } as unknown as Part
    expect(
      messages(say('user', 'a'), say('assistant', broken), say('user', result('x')))[1],
    ).toEqual({
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'x', name: 'f', input: {} }],
    })
  })

  it('sets stream to false if requested, and sampling parameters only if given', () => {
    expect(encode({ stream: false, temperature: 0, topP: 0.5 })).toMatchObject({
      stream: false,
      temperature: 0,
      top_p: 0.5,
    })
  })
})

describe('thinking', () => {
  const signed: Part = { type: 'thinking', text: 'Hm…', signature: 'S+/=', provider: 'anthropic' }

  it('is sent back verbatim and only to the provider that signed it', () => {
    const redacted: Part = {
      type: 'thinking',
      text: '',
      provider: 'anthropic',
      data: { redacted: 'XX==' },
    }
    const cut: Part = { type: 'thinking', text: 'never ended', provider: 'anthropic' }
    const foreign: Part = { type: 'thinking', text: 'x', signature: 'y', provider: 'gemini' }
    const list = messages(
      say('user', 'a'),
      say('assistant', signed, redacted, cut, foreign, call('x')),
      say('user', result('x')),
    )
    expect(list[1]?.content).toEqual([
      { type: 'thinking', thinking: 'Hm…', signature: 'S+/=' },
      { type: 'redacted_thinking', data: 'XX==' },
      { type: 'tool_use', id: 'x', name: 'read', input: { path: 'x' } },
    ])
  })

  it('adds a budget to the limit for models up to 4.5 and an effort for later models', () => {
    expect(encode({ thinking: 'low', temperature: 0.3 })).toMatchObject({
      max_tokens: 1024 + 2048,
      thinking: { type: 'enabled', budget_tokens: 2048 },
    })
    expect(encode({ thinking: 'low', temperature: 0.3 })).not.toHaveProperty('temperature')
    for (const model of [
      'claude-sonnet-4-20250514',
      'claude-3-7-sonnet-latest',
      'claude-opus-4-1',
    ]) {
      expect(encode({ model, thinking: 'high' }).thinking?.type).toBe('enabled')
    }
    for (const model of [
      'claude-opus-4-6',
      'claude-sonnet-5',
      'claude-fable-5-2',
      'claude-opus-4-10',
    ]) {
      expect(encode({ model, thinking: 'high' })).toMatchObject({
        thinking: { type: 'adaptive' },
        output_config: { effort: 'high' },
      })
    }
  })

  it('that is off omits the field for models up to 4.5 and disables it for later models', () => {
    expect(encode({ thinking: 'off' })).toEqual(encode())
    expect(encode({ model: 'claude-opus-5', thinking: 'off' }).thinking).toEqual({
      type: 'disabled',
    })
  })

  it('does not start within a tool loop', () => {
    const loop = (...parts: Part[]): Message[] => [
      say('user', 'a'),
      say('assistant', ...parts, call('x')),
      say('user', result('x')),
    ]
    expect(encode({ thinking: 'low', messages: loop() })).not.toHaveProperty('thinking')
    expect(encode({ thinking: 'low', messages: loop(signed) })).toHaveProperty('thinking')
  })
})

describe('cache marks', () => {
  const mark = { cache_control: { type: 'ephemeral' } }
  const history = [
    say('user', 'one'),
    say('assistant', call('x')),
    say('user', result('x')),
    say('assistant', 'two'),
    say('user', 'three'),
  ]

  it('are set on the last tool and the last two user messages only', () => {
    const body = encode({
      cache: true,
      system: 'S',
      messages: history,
      tools: [tool('a'), tool('b')],
    })
    expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(3)
    expect(body.tools?.[1]).toMatchObject(mark)
    expect(body.messages[2]?.content).toMatchObject([{ type: 'tool_result', ...mark }])
    expect(body.messages[4]?.content).toEqual([{ type: 'text', text: 'three', ...mark }])
  })

  it('do not change the prefix of the next request', () => {
    const plain = (body: AnthropicBody): AnthropicMessage[] =>
      body.messages.map(({ role, content }) => ({
        role,
        content: (typeof content === 'string'
          ? [{ type: 'text' as const, text: content }]
          : content
        ).map((block) => Object.assign(structuredClone(block), { cache_control: undefined })),
      }))
    const first = plain(encode({ cache: true, messages: history.slice(0, 3) }))
    const second = plain(encode({ cache: true, messages: history }))
    expect(second.slice(0, 3)).toEqual(first)
  })
})

it('sampling parameters are sent with thinking off and left out with thinking on', () => {
  const model = 'claude-opus-4-6'
  expect(encode({ model, thinking: 'off', temperature: 0.5, topP: 0.9 })).toMatchObject({
    temperature: 0.5,
    top_p: 0.9,
  })
  const body = encode({ model, thinking: 'high', maxTokens: 32_000, temperature: 0.5, topP: 0.9 })
  expect(body).not.toHaveProperty('temperature')
  expect(body).not.toHaveProperty('top_p')
})
