import { describe, expect, it } from 'vitest'
import { context, decode, decodeEverywhere, fixture, type Decoded } from '../../../test/decoding.ts'
import { say } from '../../../test/messages.ts'
import type { ModelRequest, Part } from '../../request/request.ts'
import { encodeGemini, type GeminiBody } from './encode.ts'
import { gemini } from './gemini.ts'
import { geminiSchema } from './schema.ts'

const everywhere = (name: string): Decoded => decodeEverywhere(gemini, 'gemini', fixture(name))
const answer = (value: unknown): Decoded =>
  decode(gemini, 'gemini', Buffer.from(JSON.stringify(value)), [], 'application/json')

const usage = {
  type: 'usage',
  usage: { inputTokens: 11, outputTokens: 9, cachedInputTokens: 8, thinkingTokens: 6 },
}

it('an error event of Gemini fails, also without an error in its data', () => {
  const bytes = Buffer.from('event: error\ndata: {"message":"down"}\n\n')
  expect(decode(gemini, 'gemini', bytes).failure).toMatchObject({
    message: expect.stringContaining('down'),
  })
})

it('an answer of Gemini without a finish reason is named', () => {
  expect(answer({ candidates: [] }).failure).toMatchObject({
    message: expect.stringContaining('The answer has no candidate with a finish reason'),
  })
})

it('an event of Gemini that is no object is named', () => {
  expect(decode(gemini, 'gemini', Buffer.from('data: [1]\n\n')).failure).toMatchObject({
    message: expect.stringContaining('A stream event is not an object'),
  })
})

describe('a stream of Gemini, cut at every byte', () => {
  it('yields thoughts, text and the signature of the text', () => {
    expect(everywhere('gemini-text.sse')).toEqual({
      events: [
        { type: 'thinking', text: 'Hmm, ' },
        { type: 'thinking', text: 'yes.' },
        { type: 'thinking_end', part: { type: 'thinking', text: 'Hmm, yes.', provider: 'gemini' } },
        { type: 'text', text: 'Grüße ' },
        {
          type: 'thinking_end',
          part: { type: 'thinking', text: '', provider: 'gemini', signature: 'TXT+/==' },
        },
        { type: 'text', text: '世界🌍' },
        usage,
        { type: 'stop', reason: 'end', detail: 'STOP' },
      ],
      failure: undefined,
    })
  })

  it('yields calls with assigned ids and stores a signature with its call', () => {
    const { events } = everywhere('gemini-tools.sse')
    expect(events).toMatchObject([
      { type: 'text', text: 'Looking.' },
      { type: 'thinking_end', part: { text: '', signature: 'SIG==', data: { call: 'made_1' } } },
      { type: 'tool_call_start', id: 'made_1', name: 'read' },
      { type: 'tool_call_args', json: '{"path":"ä"}' },
      { type: 'tool_call_end', id: 'made_1', input: { path: 'ä' } },
      { type: 'tool_call_start', id: 'made_2' },
      { type: 'tool_call_args' },
      { type: 'tool_call_end', id: 'made_2', input: { path: 'b' } },
      { type: 'tool_call_start', id: 'own', name: 'status' },
      { type: 'tool_call_args', json: '{}' },
      { type: 'tool_call_end', id: 'own', input: {} },
      usage,
      { type: 'stop', reason: 'tool_use', detail: 'STOP' },
    ])
  })

  it('reports a blocked prompt as a refusal', () => {
    expect(everywhere('gemini-blocked.sse').events.at(-1)).toEqual({
      type: 'stop',
      reason: 'refusal',
      detail: 'PROHIBITED_CONTENT',
    })
  })

  it('reports an error object as an api_error after the text before it', () => {
    expect(everywhere('gemini-error.sse')).toMatchObject({
      events: [{ type: 'text', text: 'Part' }, usage],
      failure: { kind: 'api_error', message: 'UNAVAILABLE: The model is overloaded.' },
    })
  })

  it('is an error without a finish reason, wherever it ends', () => {
    const bytes = fixture('gemini-text.sse')
    for (let length = 0; length < bytes.length - 20; length += 7) {
      expect(decode(gemini, 'gemini', bytes.subarray(0, length)).failure).toMatchObject({
        kind: 'internal',
        message: 'Stream error: the stream ended before a finish reason',
      })
    }
  })
})

describe('a JSON document of Gemini', () => {
  const candidate = {
    content: { parts: [{ text: 'Hi' }], role: 'model' },
    finishReason: 'MAX_TOKENS',
  }

  it('is one object or a list of events', () => {
    for (const value of [{ candidates: [candidate] }, [{}, { candidates: [candidate] }]]) {
      expect(answer(value).events).toEqual([
        { type: 'text', text: 'Hi' },
        { type: 'stop', reason: 'max_tokens', detail: 'MAX_TOKENS' },
      ])
    }
  })

  it('is a parse error without a candidate, and an api_error with an error object', () => {
    expect(answer({}).failure).toMatchObject({ kind: 'parse' })
    expect(answer([{ error: { message: 'No', status: 'X' } }]).failure).toMatchObject({
      message: 'X: No',
    })
  })

  it('reports the finish message of a failed call', () => {
    const finish = { finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'print(x)' }
    expect(answer({ candidates: [finish] }).events).toEqual([
      { type: 'stop', reason: 'other', detail: 'MALFORMED_FUNCTION_CALL: print(x)' },
    ])
  })
})

const call = (id: string): Part => ({ type: 'tool_call', id, name: 'read', input: { path: id } })
const result = (id: string, content: string): Part => ({
  type: 'tool_result',
  id,
  content,
  isError: false,
})

function encode(request: Partial<ModelRequest> = {}): GeminiBody {
  const base: ModelRequest = { model: 'gemini-2.5-flash', messages: [say('user', 'Hi')] }
  return encodeGemini({ ...base, ...request }, context('gemini'))
}

describe('a request to Gemini', () => {
  it('goes to the path of the model', () => {
    const request = { model: 'gemini-3-pro', messages: [] }
    expect(gemini.path(request)).toBe('/models/gemini-3-pro:streamGenerateContent?alt=sse')
    expect(gemini.path({ ...request, stream: false })).toBe('/models/gemini-3-pro:generateContent')
    expect(gemini.path({ ...request, model: 'tunedModels/a b' })).toBe(
      '/tunedModels/a%20b:streamGenerateContent?alt=sse',
    )
    expect(gemini.headers('k')).toEqual({ 'x-goog-api-key': 'k' })
  })

  it('contains only the requested fields', () => {
    expect(encode()).toEqual({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] })
    expect(encode({ system: 'S', maxTokens: 5, temperature: 0, topP: 1 })).toMatchObject({
      systemInstruction: { parts: [{ text: 'S' }] },
      generationConfig: { maxOutputTokens: 5, temperature: 0, topP: 1 },
    })
  })

  it('alternates roles and names each result after its call', () => {
    const messages = [
      say('user', 'a'),
      say('user', 'b'),
      say('assistant', 'c', call('1'), call('2')),
      say('user', result('1', '{"ok":true}'), result('2', 'plain')),
    ]
    expect(encode({ messages }).contents).toEqual([
      { role: 'user', parts: [{ text: 'a' }, { text: 'b' }] },
      {
        role: 'model',
        parts: [
          { text: 'c' },
          { functionCall: { name: 'read', args: { path: '1' } } },
          { functionCall: { name: 'read', args: { path: '2' } } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'read', response: { ok: true } } },
          { functionResponse: { name: 'read', response: { result: 'plain' } } },
        ],
      },
    ])
  })

  it('has signatures on their parts and a placeholder for calls of other providers', () => {
    const signature = (signature: string, data?: unknown, provider = 'gemini'): Part => ({
      type: 'thinking',
      text: '',
      signature,
      provider,
      data,
    })
    const turn = say(
      'assistant',
      signature('T'),
      'text',
      signature('S', { call: '1' }),
      signature('X', { call: '2' }, 'anthropic'),
      call('1'),
      call('2'),
    )
    const messages = [say('user', 'a'), turn, say('user', result('1', ''), result('2', ''))]
    expect(encode({ messages, model: 'gemini-3-pro' }).contents[1]?.parts).toEqual([
      { text: 'text', thoughtSignature: 'T' },
      { functionCall: { name: 'read', args: { path: '1' } }, thoughtSignature: 'S' },
      { functionCall: { name: 'read', args: { path: '2' } } },
    ])
    const foreign = [say('user', 'a'), say('assistant', call('1')), say('user', result('1', ''))]
    expect(encode({ messages: foreign, model: 'gemini-3-pro' }).contents[1]?.parts).toMatchObject([
      { thoughtSignature: 'skip_thought_signature_validator' },
    ])
    expect(encode({ messages: foreign }).contents[1]?.parts[0]).not.toHaveProperty(
      'thoughtSignature',
    )
  })

  it('maps thinking to a budget or a level', () => {
    const config = (model: string, thinking: ModelRequest['thinking']): unknown =>
      encode({ model, ...(thinking ? { thinking } : {}) }).generationConfig?.thinkingConfig
    expect(config('gemini-2.5-pro', 'low')).toEqual({ includeThoughts: true, thinkingBudget: 2048 })
    expect(config('gemini-3-pro', 'low')).toEqual({ includeThoughts: true, thinkingLevel: 'low' })
    expect(config('gemini-2.5-flash', 'off')).toEqual({ thinkingBudget: 0 })
    expect(config('gemini-2.5-pro', 'off')).toBeUndefined()
    expect(encode({ maxTokens: 5, thinking: 'medium' }).generationConfig).toMatchObject({
      maxOutputTokens: 8197,
    })
  })

  it('drops schema keys that Gemini rejects', () => {
    const schema = {
      $schema: 'x',
      type: 'object',
      additionalProperties: false,
      properties: {
        path: { type: 'string', default: 'a', format: 'uri', description: 'd' },
        n: { type: ['integer', 'null'], minimum: 1, exclusiveMinimum: 0 },
        kind: { enum: ['a', 'b'] },
        level: { type: 'integer', enum: [1, 2] },
        one: { const: 'x' },
        list: { type: 'array', items: { type: 'string', default: '' } },
        any: { oneOf: [{ type: 'string', $comment: 'x' }, { type: 'integer' }] },
        default: { type: 'boolean' },
      },
      required: ['path'],
    }
    expect(geminiSchema(schema)).toEqual({
      type: 'object',
      properties: {
        path: { type: 'string', description: 'd' },
        n: { type: 'integer', nullable: true, minimum: 1 },
        kind: { type: 'string', enum: ['a', 'b'] },
        level: { type: 'integer' },
        one: { type: 'string', enum: ['x'] },
        list: { type: 'array', items: { type: 'string' } },
        any: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
        default: { type: 'boolean' },
      },
      required: ['path'],
    })
    const { $schema: _dialect, ...schemaBody } = schema as Record<string, unknown>
    const tools = [
      { name: 'f', description: 'd', schema },
      { name: 'g', description: 'e', schema: { type: 'object', properties: {} } },
    ]
    expect(encode({ tools }).tools).toMatchObject([
      { functionDeclarations: [{ name: 'f', parametersJsonSchema: schemaBody }, { name: 'g' }] },
    ])
    expect(Object.keys(encode({ tools }).tools?.[0]?.functionDeclarations[1] ?? {})).toEqual([
      'name',
      'description',
    ])
  })

  it.each([
    ['a reference', { $ref: '#/$defs/level' }],
    ['a number of choices', { enum: [1, 2] }],
    ['several types', { type: ['string', 'integer'] }],
    ['a combination', { allOf: [{ type: 'string' }, { minLength: 1 }] }],
    ['a map', { type: 'object', additionalProperties: { type: 'string' } }],
    ['a tuple', { type: 'array', prefixItems: [{ type: 'string' }] }],
  ])('sends a schema with %s as JSON Schema, so that no type is lost', (_what, property) => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { nested: { type: 'object', properties: { property } } },
      $defs: { level: { type: 'integer' } },
    }
    const { $schema: _dialect, ...parametersJsonSchema } = schema
    const tools = [{ name: 'f', description: 'd', schema }]
    expect(encode({ tools }).tools).toEqual([
      { functionDeclarations: [{ name: 'f', description: 'd', parametersJsonSchema }] },
    ])
  })

  it('sends a plain schema as parameters without keys that Gemini rejects', () => {
    const text = { type: 'string', default: '' }
    const schema = { type: 'object', properties: { text }, additionalProperties: false }
    const tools = [{ name: 'f', description: 'd', schema }]
    const parameters = { type: 'object', properties: { text: { type: 'string' } } }
    expect(encode({ tools }).tools).toEqual([
      { functionDeclarations: [{ name: 'f', description: 'd', parameters }] },
    ])
  })
})

it('usage of Gemini without thoughts counts the tokens of the candidates alone', () => {
  const { events } = answer({
    candidates: [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4 },
  })
  expect(events).toContainEqual({
    type: 'usage',
    usage: expect.objectContaining({ inputTokens: 3, outputTokens: 4 }),
  })
})

it('the signature of a text is sent with its first text part only', () => {
  const signed: Part = { type: 'thinking', text: '', provider: 'gemini', signature: 'S' }
  const texts: Part[] = ['a', 'b'].map((text) => ({ type: 'text', text }))
  const message = { role: 'assistant' as const, parts: [signed, ...texts] }
  const body = encodeGemini(
    { model: 'gemini-2.5-flash', messages: [say('user', 'Hi'), message] },
    context('gemini'),
  )
  expect(body.contents[1]?.parts).toEqual([{ text: 'a', thoughtSignature: 'S' }, { text: 'b' }])
})

it('images follow the other parts of their message, in their order', () => {
  const image = (data: string): Part => ({ type: 'image', mediaType: 'image/png', data })
  const inline = (data: string) => ({ inlineData: { mimeType: 'image/png', data } })
  const parts: Part[] = [image('A'), { type: 'text', text: 'a' }, image('B'), image('C')]
  const body = encodeGemini({ model: 'm', messages: [{ role: 'user', parts }] }, context('gemini'))
  expect(body.contents[0]?.parts).toEqual([{ text: 'a' }, inline('A'), inline('B'), inline('C')])
})
