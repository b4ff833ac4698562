import { describe, expect, it } from 'vitest'
import { context, decode, decodeEverywhere, fixture, type Decoded } from '../../../test/decoding.ts'
import { say } from '../../../test/messages.ts'
import type { ModelRequest, Part } from '../../request/request.ts'
import { encodeResponses, type ResponsesBody } from './encode.ts'
import { openaiResponses } from './openai-responses.ts'

const provider = 'openai-responses'
const everywhere = (name: string): Decoded =>
  decodeEverywhere(openaiResponses, provider, fixture(name))
const raw = (text: string): Decoded => decode(openaiResponses, provider, Buffer.from(text))
const answer = (value: unknown): Decoded =>
  decode(openaiResponses, provider, Buffer.from(JSON.stringify(value)), [], 'application/json')

const usage = {
  type: 'usage',
  usage: { inputTokens: 30, outputTokens: 12, cachedInputTokens: 20, thinkingTokens: 8 },
}

describe('a stream of the Responses API, cut at every byte', () => {
  it('yields text', () => {
    expect(everywhere('responses-text.sse')).toEqual({
      events: [
        { type: 'text', text: 'Grüße ' },
        { type: 'text', text: '世界🌍' },
        usage,
        { type: 'stop', reason: 'end', detail: 'completed' },
      ],
      failure: undefined,
    })
  })

  it('yields reasoning with its encrypted content, and calls whose arguments interleave', () => {
    expect(everywhere('responses-tools.sse')).toEqual({
      events: [
        { type: 'thinking', text: 'First.' },
        { type: 'thinking', text: '\n\n' },
        { type: 'thinking', text: 'Then.' },
        {
          type: 'thinking_end',
          part: {
            type: 'thinking',
            text: 'First.\n\nThen.',
            provider,
            signature: 'gAAA==',
            data: { id: 'rs_1' },
          },
        },
        { type: 'tool_call_start', id: 'call_a', name: 'read' },
        { type: 'tool_call_start', id: 'call_b', name: 'bash' },
        { type: 'tool_call_args', id: 'call_a', json: '{"path"' },
        { type: 'tool_call_args', id: 'call_b', json: '{"command":"ls"}' },
        { type: 'tool_call_args', id: 'call_a', json: ':"ä"}' },
        { type: 'tool_call_end', id: 'call_a', name: 'read', input: { path: 'ä' } },
        { type: 'tool_call_end', id: 'call_b', name: 'bash', input: { command: 'ls' } },
        usage,
        { type: 'stop', reason: 'tool_use', detail: 'completed' },
      ],
      failure: undefined,
    })
  })

  it('does not end a call that the token limit cut off', () => {
    const { events } = everywhere('responses-incomplete.sse')
    expect(events.some((event) => event.type === 'tool_call_end')).toBe(false)
    expect(events.at(-1)).toEqual({
      type: 'stop',
      reason: 'max_tokens',
      detail: 'max_output_tokens',
    })
  })

  it('reports a failed response as an api_error after the text before it', () => {
    expect(everywhere('responses-failed.sse')).toMatchObject({
      events: [{ type: 'text', text: 'Part' }],
      failure: { kind: 'api_error', message: 'server_error: It broke' },
    })
  })

  it('is an error if any bytes are missing at its end', () => {
    const bytes = fixture('responses-text.sse')
    for (let length = 0; length < bytes.length; length += 5) {
      const { failure } = decode(openaiResponses, provider, bytes.subarray(0, length))
      expect(failure?.message).toBe('Stream error: the stream ended before response.completed')
    }
  })

  it('reports error events, invalid JSON, refusals and content filters', () => {
    expect(
      raw('data: {"type":"error","code":"rate_limit","message":"slow"}\n\n').failure,
    ).toMatchObject({
      kind: 'api_error',
      message: 'rate_limit: slow',
    })
    expect(raw('data: {oops\n\n').failure).toMatchObject({ kind: 'parse' })
    const refusal =
      'data: {"type":"response.refusal.delta","delta":"No."}\n\n' +
      'data: {"type":"response.completed","response":{"status":"completed"}}\n\n'
    expect(raw(refusal).events).toEqual([
      { type: 'text', text: 'No.' },
      { type: 'stop', reason: 'refusal', detail: 'completed' },
    ])
    const filtered = { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }
    const incomplete = { type: 'response.incomplete', response: filtered }
    expect(raw(`data: ${JSON.stringify(incomplete)}\n\n`).events).toEqual([
      { type: 'stop', reason: 'refusal', detail: 'content_filter' },
    ])
  })
})

describe('a JSON document of the Responses API', () => {
  it('yields the same events as a stream', () => {
    const value = {
      status: 'completed',
      error: null,
      output: [
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm' }] },
        { type: 'message', content: [{ type: 'output_text', text: 'Hello' }] },
        {
          type: 'function_call',
          call_id: 'call_a',
          name: 'read',
          arguments: '{"path":"a"}',
          status: 'completed',
        },
        { type: 'web_search_call', id: 'x' },
      ],
    }
    expect(answer(value).events).toEqual([
      { type: 'thinking', text: 'Hm' },
      { type: 'thinking_end', part: { type: 'thinking', text: 'Hm', provider } },
      { type: 'text', text: 'Hello' },
      { type: 'tool_call_start', id: 'call_a', name: 'read' },
      { type: 'tool_call_args', id: 'call_a', json: '{"path":"a"}' },
      { type: 'tool_call_end', id: 'call_a', name: 'read', input: { path: 'a' } },
      { type: 'stop', reason: 'tool_use', detail: 'completed' },
    ])
  })

  it('is an error if it has another shape', () => {
    expect(answer({}).failure).toMatchObject({ kind: 'parse' })
    expect(answer({ error: { code: 'x', message: 'No' } }).failure).toMatchObject({
      message: 'x: No',
    })
  })
})

function encode(request: Partial<ModelRequest> = {}): ResponsesBody {
  const base: ModelRequest = { model: 'm', messages: [say('user', 'Hi')] }
  return encodeResponses({ ...base, ...request }, context(provider))
}

describe('a request to the Responses API', () => {
  it('disables storage and contains only the requested fields', () => {
    expect(encode()).toEqual({
      model: 'm',
      input: [{ role: 'user', content: 'Hi' }],
      store: false,
      stream: true,
    })
    expect(encode({ system: 'S', maxTokens: 5, thinking: 'low', stream: false })).toMatchObject({
      instructions: 'S',
      max_output_tokens: 2053,
      reasoning: { effort: 'low', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
      stream: false,
    })
    expect(encode({ thinking: 'off' })).toEqual(encode())
  })

  it('has calls, results and reasoning as items in order, and reasoning only for its provider', () => {
    const thinking = (provider: string): Part => ({
      type: 'thinking',
      text: 'Hm',
      signature: 'E==',
      provider,
      data: { id: 'rs_1' },
    })
    const call: Part = { type: 'tool_call', id: 'c1', name: 'read', input: { path: 'a' } }
    const result: Part = { type: 'tool_result', id: 'c1', content: 'out', isError: false }
    const messages = [
      say('system', 'S'),
      say('user', 'a'),
      say('assistant', thinking(provider), thinking('gemini'), 'b', call),
      say('user', 'c', result),
      say('assistant', thinking(provider)),
    ]
    expect(encode({ messages }).input).toEqual([
      { role: 'system', content: 'S' },
      { role: 'user', content: 'a' },
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: 'Hm' }],
        encrypted_content: 'E==',
      },
      { role: 'assistant', content: 'b' },
      { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"path":"a"}' },
      { type: 'function_call_output', call_id: 'c1', output: 'out' },
      { role: 'user', content: 'c' },
    ])
  })

  it('has tools as functions', () => {
    const schema = { type: 'object', properties: {} }
    expect(encode({ tools: [{ name: 'f', description: 'd', schema }] }).tools).toEqual([
      { type: 'function', name: 'f', description: 'd', parameters: schema, strict: false },
    ])
  })
})

it('a failed response without an error says that it failed', () => {
  const event = { type: 'response.failed', response: {} }
  expect(raw(`data: ${JSON.stringify(event)}\n\n`).failure).toMatchObject({
    message: expect.stringContaining('the response failed'),
  })
})

it('an answer of the Responses API without output is named', () => {
  expect(answer({}).failure).toMatchObject({
    message: expect.stringContaining('The answer has no output'),
  })
})

it('invalid JSON of the Responses API is reported with the name of its event, if it has one', () => {
  const messageOf = (text: string) => raw(text).failure?.message
  expect(messageOf('event: response.created\ndata: {\n\n')).toContain('event response.created:')
  expect(messageOf('data: {\n\n')).toContain('event ?:')
})

it.each([
  ['top_p', { topP: 0.5 }],
  ['temperature', { temperature: 0.5 }],
])('a request to the Responses API contains %s only if it is set', (field, sampling) => {
  const body = (fields: { topP?: number; temperature?: number }) =>
    encodeResponses({ model: 'm', messages: [say('user', 'Hi')], ...fields }, context(provider))
  expect(body(sampling)).toHaveProperty(field, 0.5)
  expect(body({})).not.toHaveProperty(field)
})
