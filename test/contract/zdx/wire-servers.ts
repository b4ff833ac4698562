// A loopback server that answers with the bytes of a wire format, and the bytes of answers per format.
import type { ServerResponse } from 'node:http'
import type { Loopback } from '../../support/loopback.ts'
import { onLoopback } from '../../support/loopback.ts'

export interface WireServer extends Loopback {
  status: number
  /** The body of every request. */
  bodies: string[]
  /** Answers a request whose head has been sent; a test may replace it. */
  respond: (response: ServerResponse) => void
}

export async function startWireServer(): Promise<WireServer> {
  const bodies: string[] = []
  const loopback = await onLoopback((_request, body, response) => {
    bodies.push(body)
    const type = server.status === 200 ? 'text/event-stream' : 'application/json'
    response.writeHead(server.status, { 'content-type': type })
    server.respond(response)
  })
  const server: WireServer = {
    ...loopback,
    status: 200,
    bodies,
    respond: (response) => void response.end(),
  }
  return server
}

/** Input and output tokens. */
type Tokens = readonly [input: number, output: number]

export interface Wire {
  name: string
  env(url: string): Record<string, string>
  /** Whether token counts come before the end of an answer. */
  reportsEarly: boolean
  /** The beginning of an answer, with `text` if it is not empty. */
  begin(text: string, tokens: Tokens): string
  answer(text: string, tokens: Tokens): string
  thinkingOnly(tokens: Tokens): string
  call(name: string, input: object, tokens: Tokens): string
  /** An answer that the token limit ends within a tool call. */
  cutCall(tokens: Tokens): string
}

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`

const event = (type: string, fields: object = {}) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`

const anthropicStart = ([input]: Tokens) =>
  event('message_start', {
    message: { role: 'assistant', content: [], usage: { input_tokens: input, output_tokens: 1 } },
  })

const anthropicBlock = (start: object, ...deltas: object[]) =>
  event('content_block_start', { index: 0, content_block: start }) +
  deltas.map((delta) => event('content_block_delta', { index: 0, delta })).join('')

const anthropicEnd = ([, output]: Tokens, stop: string) =>
  event('message_delta', { delta: { stop_reason: stop }, usage: { output_tokens: output } }) +
  event('message_stop')

const blockEnd = event('content_block_stop', { index: 0 })

const anthropicText = (text: string) =>
  anthropicBlock({ type: 'text', text: '' }, { type: 'text_delta', text })

const anthropic: Wire = {
  name: 'anthropic',
  env: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'k' }),
  reportsEarly: true,
  begin: (text, tokens) => anthropicStart(tokens) + (text === '' ? '' : anthropicText(text)),
  answer: (text, tokens) =>
    anthropicStart(tokens) + anthropicText(text) + blockEnd + anthropicEnd(tokens, 'end_turn'),
  thinkingOnly: (tokens) =>
    anthropicStart(tokens) +
    anthropicBlock(
      { type: 'thinking', thinking: '' },
      { type: 'thinking_delta', thinking: 'hm' },
      { type: 'signature_delta', signature: 'sig' },
    ) +
    blockEnd +
    anthropicEnd(tokens, 'end_turn'),
  call: (name, input, tokens) =>
    anthropicStart(tokens) +
    anthropicBlock(
      { type: 'tool_use', id: 'toolu_1', name, input: {} },
      { type: 'input_json_delta', partial_json: JSON.stringify(input) },
    ) +
    blockEnd +
    anthropicEnd(tokens, 'tool_use'),
  cutCall: (tokens) =>
    anthropicStart(tokens) +
    anthropicBlock(
      { type: 'tool_use', id: 'toolu_1', name: 'write', input: {} },
      { type: 'input_json_delta', partial_json: '{"path":"a' },
    ) +
    anthropicEnd(tokens, 'max_tokens'),
}

const chatChunk = (delta: object, finish: string | null = null) =>
  data({ choices: [{ index: 0, delta, finish_reason: finish }] })

const chatEnd = ([input, output]: Tokens, finish: string) =>
  chatChunk({}, finish) +
  data({ choices: [], usage: { prompt_tokens: input, completion_tokens: output } }) +
  'data: [DONE]\n\n'

const chatCall = (name: string, json: string) =>
  chatChunk({
    tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name, arguments: json } }],
  })

const chat: Wire = {
  name: 'openai',
  env: (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'k' }),
  reportsEarly: false,
  begin: (text) => chatChunk({ role: 'assistant', content: text }),
  answer: (text, tokens) => chatChunk({ content: text }) + chatEnd(tokens, 'stop'),
  thinkingOnly: (tokens) => chatChunk({ reasoning_content: 'hm' }) + chatEnd(tokens, 'stop'),
  call: (name, input, tokens) =>
    chatCall(name, JSON.stringify(input)) + chatEnd(tokens, 'tool_calls'),
  cutCall: (tokens) => chatCall('write', '{"path":"a') + chatEnd(tokens, 'length'),
}

const responsesEnd = ([input, output]: Tokens, more: object = {}) =>
  event('response.completed', {
    response: {
      status: 'completed',
      usage: { input_tokens: input, output_tokens: output },
      ...more,
    },
  })

const responsesCall = (name: string, status: string, json: string) => {
  const item = { type: 'function_call', call_id: 'call_1', name, status, arguments: json }
  return (
    event('response.output_item.added', { output_index: 0, item: { ...item, arguments: '' } }) +
    event('response.function_call_arguments.delta', { output_index: 0, delta: json }) +
    event('response.output_item.done', { output_index: 0, item })
  )
}

const responsesText = (text: string) =>
  event('response.output_text.delta', { output_index: 0, delta: text })

const responses: Wire = {
  name: 'openai-responses',
  env: (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'k' }),
  reportsEarly: false,
  begin: (text) =>
    event('response.created', { response: {} }) + (text === '' ? '' : responsesText(text)),
  answer: (text, tokens) => responsesText(text) + responsesEnd(tokens),
  thinkingOnly: (tokens) =>
    event('response.reasoning_text.delta', { output_index: 0, delta: 'hm' }) + responsesEnd(tokens),
  call: (name, input, tokens) =>
    responsesCall(name, 'completed', JSON.stringify(input)) + responsesEnd(tokens),
  cutCall: (tokens) =>
    responsesCall('write', 'incomplete', '{"path":"a') +
    responsesEnd(tokens, { incomplete_details: { reason: 'max_output_tokens' } }),
}

const geminiChunk = (parts: object[], [input, output]: Tokens, finish?: string) =>
  data({
    candidates: [
      { content: { role: 'model', parts }, ...(finish ? { finishReason: finish } : {}) },
    ],
    usageMetadata: { promptTokenCount: input, candidatesTokenCount: output },
  })

const gemini: Wire = {
  name: 'gemini',
  env: (url) => ({ GEMINI_BASE_URL: `${url}/v1beta`, GEMINI_API_KEY: 'k' }),
  reportsEarly: true,
  begin: (text, tokens) => geminiChunk(text === '' ? [] : [{ text }], tokens),
  answer: (text, tokens) => geminiChunk([{ text }], tokens, 'STOP'),
  thinkingOnly: (tokens) => geminiChunk([{ text: 'hm', thought: true }], tokens, 'STOP'),
  call: (name, input, tokens) =>
    geminiChunk([{ functionCall: { name, args: input } }], tokens, 'STOP'),
  // Gemini sends whole calls, so the limit leaves none.
  cutCall: (tokens) => geminiChunk([], tokens, 'MAX_TOKENS'),
}

export const wires: readonly Wire[] = [anthropic, chat, responses, gemini]
