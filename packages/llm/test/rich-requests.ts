// Requests with every kind of part, in odd places, and with each option.
import type { Message, ModelRequest, Part } from '../src/request/request.ts'

const image = (data: string): Part => ({ type: 'image', mediaType: 'image/png', data })

const thinking = (over: object): Part => ({ type: 'thinking', text: 'Hm', provider: 'p', ...over })

const messages: Message[] = [
  { role: 'assistant', parts: [{ type: 'text', text: 'An answer first.' }] },
  { role: 'system', parts: [{ type: 'text', text: 'A later rule.' }] },
  {
    role: 'user',
    parts: [
      { type: 'text', text: ' ' },
      { type: 'text', text: 'Look.' },
      image('AA=='),
      { type: 'tool_result', id: 'never called!', content: 'late', isError: false },
    ],
  },
  {
    role: 'assistant',
    parts: [
      thinking({ signature: 'S1', data: { call: 'c 1', id: 'r1', reasoning_details: [{ n: 1 }] } }),
      thinking({ signature: 'S2', text: '', data: { id: 'r2' } }),
      thinking({ provider: 'other', signature: 'S3' }),
      thinking({ text: 'cut off', data: { id: 'r3' } }),
      thinking({ text: '', data: { redacted: 'R' } }),
      { type: 'text', text: 'I will.' },
      { type: 'tool_call', id: 'c 1', name: 'read file', input: { path: 'ä' } },
      { type: 'tool_call', id: 'c 1', name: 'read', input: {} },
      { type: 'tool_call', id: '', name: '', input: [] as never },
    ],
  },
  {
    role: 'user',
    parts: [
      { type: 'text', text: 'And then?' },
      {
        type: 'tool_result',
        id: 'c 1',
        content: '{"n":1}',
        isError: true,
        images: [image('BB==') as never],
      },
      { type: 'tool_result', id: 'c 1', content: '[1]', isError: false, images: [] },
      { type: 'tool_result', id: '', content: 'plain', isError: false },
    ],
  },
  { role: 'assistant', parts: [thinking({ signature: 'S4' })] },
  { role: 'assistant', parts: [{ type: 'text', text: '' }] },
  { role: 'user', parts: [{ type: 'text', text: '' }] },
  { role: 'assistant', parts: [{ type: 'tool_call', id: 'd', name: 'x'.repeat(70), input: {} }] },
  { role: 'user', parts: [{ type: 'tool_result', id: 'd', content: 'null', isError: false }] },
]

const object = (properties: object) => ({ type: 'object', properties })

const tools = [
  { name: 'plain', description: 'A', schema: object({ n: { type: 'integer', minimum: 1 } }) },
  { name: 'empty', description: 'B', schema: object({}) },
  { name: 'union', description: 'C', schema: { $schema: 's', anyOf: [object({}), object({})] } },
  {
    name: 'map',
    description: 'D',
    schema: { ...object({}), additionalProperties: { type: 'string' } },
  },
]

const plain: Message[] = [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }]

/** The requests by name; `maxOutput` is what the model can write at most. */
export const richRequests: Record<string, { request: ModelRequest; maxOutput?: number }> = {
  'the conversation alone': { request: { model: 'm', messages } },
  'tools, sampling and a limit': {
    request: {
      model: 'm',
      system: ' Be brief. ',
      messages: messages.slice(2, 3),
      tools,
      temperature: 0.5,
      topP: 0.9,
      maxTokens: 100,
      stream: false,
    },
  },
  'the cache': {
    request: {
      model: 'm',
      system: ' ',
      messages: messages.slice(2, 5),
      tools: tools.slice(0, 1),
      cache: true,
    },
  },
  'the cache of two texts': {
    request: {
      model: 'm',
      messages: [
        ...messages.slice(0, 1),
        { role: 'user', parts: [{ type: 'text', text: 'a' }] },
        { role: 'user', parts: [{ type: 'text', text: 'b' }] },
      ],
      cache: true,
    },
  },
  'an unknown limit and thinking': {
    request: { model: 'claude-opus-4-7', messages: plain, thinking: 'high', temperature: 1 },
  },
  'a limit and thinking by budget': {
    request: { model: 'claude-sonnet-4-5', messages: plain, thinking: 'low', maxTokens: 2000 },
    maxOutput: 3000,
  },
  'a limit that leaves no budget': {
    request: { model: 'claude-3-opus', messages: plain, thinking: 'low', maxTokens: 500 },
    maxOutput: 2047,
  },
  'a limit that leaves the smallest budget': {
    request: { model: 'claude-3-opus', messages: plain, thinking: 'medium', maxTokens: 500 },
    maxOutput: 2048,
  },
  'thinking within a loop of tools': {
    request: { model: 'claude-opus-4-8', messages: messages.slice(8), thinking: 'medium' },
  },
  'thinking off': {
    request: { model: 'claude-opus-5', messages: plain, thinking: 'off', topP: 0.1 },
    maxOutput: 64_000,
  },
  'thinking off, an earlier model': {
    request: { model: 'claude-4.5-haiku', messages: plain, thinking: 'off' },
  },
  'gemini 2, thinking': { request: { model: 'gemini-2.5-pro', messages: plain, thinking: 'low' } },
  'gemini 2 flash, thinking off': {
    request: { model: 'gemini-2.5-flash', messages: plain, thinking: 'off' },
  },
  'gemini 3, thinking': {
    request: { model: 'gemini-3-pro', messages, thinking: 'medium', maxTokens: 7 },
    maxOutput: 9000,
  },
  'gemini 3 flash, thinking off': {
    request: { model: 'gemini-3-flash', messages: plain, thinking: 'off', topP: 0.3 },
  },
}
