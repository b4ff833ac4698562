// A loopback model that plays a script over the wires of Anthropic, OpenAI (Responses and Chat
// Completions) and Gemini. It is stateless: the number of tool results in a request selects the step.
import type { ServerResponse } from 'node:http'
import { onLoopback, type Loopback } from '../support/loopback.ts'

type Json = Readonly<Record<string, unknown>>

export interface ToolCall {
  tool: string
  /** OpenAI Responses: the namespace of a tool of an MCP server. */
  namespace?: string
  input: Json
}

/** What one answer reports, on every wire: 96 tokens of input, 9 of output. */
export const answerUsage = { fresh: 70, cached: 16, written: 10, output: 9, thinking: 4 }
export const answerTotal = 105

export interface ScriptedRequest {
  path: string
  body: Json
}

export interface ScriptedModel extends Loopback {
  /** Requests that offered tools; the others are titles and the like. */
  requests: ScriptedRequest[]
}

/** An answer of the model: the calls of a step, a text, or something that the test writes itself. */
export type Step =
  | { calls: readonly ToolCall[] }
  | { text: string }
  | { respond: (response: ServerResponse) => void }

/** `stepOf` gets the number of tool results so far and the request. */
export async function scriptedModel(
  stepOf: (results: number, request: ScriptedRequest) => Step,
): Promise<ScriptedModel> {
  const requests: ScriptedRequest[] = []
  const loopback = await onLoopback((incoming, text, response) => {
    const request = { path: incoming.url ?? '', body: parsed(text) }
    const wire = wires.find(({ path }) => path.test(request.path))
    if (incoming.method !== 'POST' || wire === undefined) return notFound(response)
    const tools = request.body.tools
    const isMain = Array.isArray(tools) && tools.length > 0
    if (isMain) requests.push(request)
    const step = isMain ? stepOf(wire.results(request.body), request) : { text: 'A title' }
    if ('respond' in step) return step.respond(response)
    const isStream = request.body.stream === true || /stream/i.test(request.path)
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
    const { events, whole } = wire.answer(step, String(request.body.model ?? 'scripted'))
    response.end(isStream ? events.join('') : JSON.stringify(whole))
    return undefined
  })
  return { ...loopback, requests }
}

type Answerable = Exclude<Step, { respond: unknown }>

interface Wire {
  path: RegExp
  /** The number of tool results in a request. */
  results(body: Json): number
  answer(step: Answerable, model: string): { events: string[]; whole: unknown }
}

const wires: readonly Wire[] = [
  {
    path: /\/messages(\?|$)/,
    results: (body) => blocksOf(body.messages).filter(({ type }) => type === 'tool_result').length,
    answer: anthropic,
  },
  {
    path: /\/responses(\?|$)/,
    results: (body) =>
      listOf(body.input).filter(({ type }) => String(type).endsWith('call_output')).length,
    answer: responses,
  },
  {
    path: /\/chat\/completions(\?|$)/,
    results: (body) => listOf(body.messages).filter(({ role }) => role === 'tool').length,
    answer: chat,
  },
  {
    path: /:(streamG|g)enerateContent/,
    results: (body) =>
      listOf(body.contents)
        .flatMap(({ parts }) => listOf(parts))
        .filter(({ functionResponse }) => functionResponse !== undefined).length,
    answer: gemini,
  },
]

const { fresh, cached, written, output, thinking } = answerUsage
const input = fresh + cached + written

let lastId = 0

function anthropic(step: Answerable, model: string): { events: string[]; whole: unknown } {
  const usage = {
    input_tokens: fresh,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: written,
  }
  const content = callsOf(step).map(({ tool, input: arguments_ }) => ({
    type: 'tool_use',
    id: `toolu_${++lastId}`,
    name: tool,
    input: arguments_,
  }))
  const blocks: Json[] = 'text' in step ? [{ type: 'text', text: step.text }] : content
  const reason = 'text' in step ? 'end_turn' : 'tool_use'
  const message = { id: `msg_${++lastId}`, type: 'message', role: 'assistant', model }
  const event = (type: string, data: Json) => `event: ${type}\n${dataLine({ type, ...data })}`
  const start = {
    message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
  }
  const parts = blocks.flatMap((block, index) => {
    const isText = block.type === 'text'
    const content_block = isText ? { type: 'text', text: '' } : { ...block, input: {} }
    const delta = isText
      ? { type: 'text_delta', text: block.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
    return [
      event('content_block_start', { index, content_block }),
      event('content_block_delta', { index, delta }),
      event('content_block_stop', { index }),
    ]
  })
  const delta = { stop_reason: reason, stop_sequence: null }
  const end = [
    event('message_delta', { delta, usage: { ...usage, output_tokens: output } }),
    event('message_stop', {}),
  ]
  const whole = {
    ...message,
    content: blocks,
    stop_reason: reason,
    usage: { ...usage, output_tokens: output },
  }
  return { events: [event('message_start', start), ...parts, ...end], whole }
}

function responses(step: Answerable): { events: string[]; whole: unknown } {
  const event = (type: string, data: Json) => `event: ${type}\n${dataLine({ type, ...data })}`
  const id = `resp_${++lastId}`
  const items: Json[] =
    'text' in step
      ? [
          {
            type: 'message',
            id: `msg_${++lastId}`,
            role: 'assistant',
            content: [{ type: 'output_text', text: step.text, annotations: [] }],
          },
        ]
      : callsOf(step).map(({ tool, namespace, input: arguments_ }) => ({
          type: 'function_call',
          id: `fc_${++lastId}`,
          call_id: `call_${lastId}`,
          name: tool,
          ...(namespace === undefined ? {} : { namespace }),
          arguments: JSON.stringify(arguments_),
        }))
  const usage = {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: thinking },
    total_tokens: input + output,
  }
  const whole = { id, object: 'response', status: 'completed', output: items, usage }
  return {
    events: [
      event('response.created', { response: { id, status: 'in_progress', output: [] } }),
      ...items.flatMap((item, output_index) => [
        event('response.output_item.added', { output_index, item }),
        event('response.output_item.done', { output_index, item }),
      ]),
      event('response.completed', { response: whole }),
    ],
    whole,
  }
}

function chat(step: Answerable, model: string): { events: string[]; whole: unknown } {
  const id = `chatcmpl-${++lastId}`
  const chunk = (delta: Json, finish: string | null) =>
    dataLine({
      id,
      object: 'chat.completion.chunk',
      created: 1,
      model,
      choices: [{ index: 0, delta, finish_reason: finish }],
    })
  const tool_calls = callsOf(step).map(({ tool, input: arguments_ }, index) => ({
    index,
    id: `call_${++lastId}`,
    type: 'function',
    function: { name: tool, arguments: JSON.stringify(arguments_) },
  }))
  const reason = 'text' in step ? 'stop' : 'tool_calls'
  const usage = {
    prompt_tokens: input,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens: output,
    completion_tokens_details: { reasoning_tokens: thinking },
    total_tokens: input + output,
  }
  const said = 'text' in step ? { content: step.text } : { tool_calls }
  const message = { role: 'assistant', ...said }
  return {
    events: [
      chunk(message, null),
      chunk({}, reason),
      dataLine({ id, object: 'chat.completion.chunk', created: 1, model, choices: [], usage }),
      'data: [DONE]\n\n',
    ],
    whole: { id, choices: [{ index: 0, message, finish_reason: reason }], usage },
  }
}

function gemini(step: Answerable, model: string): { events: string[]; whole: unknown } {
  const parts: Json[] =
    'text' in step
      ? [{ text: step.text }]
      : callsOf(step).map(({ tool, input: args }) => ({ functionCall: { name: tool, args } }))
  const usageMetadata = {
    promptTokenCount: input,
    cachedContentTokenCount: cached,
    candidatesTokenCount: output - thinking,
    thoughtsTokenCount: thinking,
    totalTokenCount: input + output,
  }
  const candidates = [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }]
  const whole = { candidates, usageMetadata, modelVersion: model, responseId: `g${++lastId}` }
  return { events: [dataLine(whole)], whole }
}

function callsOf(step: Answerable): readonly ToolCall[] {
  return 'calls' in step ? step.calls : []
}

function dataLine(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]) : []
}

function blocksOf(messages: unknown): Json[] {
  return listOf(messages).flatMap(({ content }) => listOf(content))
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return {}
  }
}

function notFound(response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'application/json' })
  response.end('{"error":{"message":"not here","type":"not_found_error"}}')
}
