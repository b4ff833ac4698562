// A loopback server for the APIs of other vendors: Chat Completions, Responses and Gemini, selected
// by the path of the request. It rejects requests that the vendors reject.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { onLoopback } from './loopback.ts'
import type { Loopback } from './loopback.ts'
import { brokenChatRule, brokenGeminiRule, brokenResponsesRule } from './model-rules.ts'

export type JsonObject = Readonly<Record<string, unknown>>

export interface ModelRequest {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: JsonObject
}

export interface FakeModels extends Loopback {
  requests: ModelRequest[]
}

/** One answer of the model. */
export interface Line {
  text?: string
  /** Parallel tool calls. */
  calls?: { name: string; input: JsonObject; /** Responses only. */ namespace?: string }[]
}

/** Answers requests in order and repeats the last answer. `GET .../models` lists `models`. */
export async function fakeModels(
  script: readonly Line[],
  models: readonly string[] = ['first-model', 'second-model'],
): Promise<FakeModels> {
  const requests: ModelRequest[] = []
  let answered = 0
  const loopback = await onLoopback((incoming, text, response) => {
    const request: ModelRequest = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: text === '' ? {} : (JSON.parse(text) as JsonObject),
    }
    requests.push(request)
    if (request.method === 'GET') return listModels(request, response, models)
    const line = script[Math.min(answered, script.length - 1)] ?? {}
    answered += 1
    return speak(request, response, line)
  })
  return { ...loopback, requests }
}

function listModels(
  request: ModelRequest,
  response: ServerResponse,
  models: readonly string[],
): void {
  const isGemini = request.headers['x-goog-api-key'] !== undefined
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(
    JSON.stringify(
      isGemini
        ? { models: models.map((name) => ({ name: `models/${name}` })) }
        : { object: 'list', data: models.map((id) => ({ id, object: 'model' })) },
    ),
  )
}

function speak(request: ModelRequest, response: ServerResponse, line: Line): void {
  const [rule, events] = dialectOf(request, line)
  if (rule !== undefined) {
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message: rule, type: 'invalid_request_error' } }))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(events.join(''))
}

function dialectOf(request: ModelRequest, line: Line): [string | undefined, string[]] {
  const wire = wireOf(request.path)
  if (wire === undefined) return [`unknown path ${request.path}`, []]
  return [brokenRules[wire](request), wireEvents[wire](line)]
}

export type Wire = 'chat' | 'responses' | 'gemini'

/** The wire format that a path belongs to. */
export function wireOf(path: string): Wire | undefined {
  if (path.endsWith('/chat/completions')) return 'chat'
  if (path.endsWith('/responses')) return 'responses'
  return path.includes(':streamGenerateContent') ? 'gemini' : undefined
}

const brokenRules = {
  chat: brokenChatRule,
  responses: brokenResponsesRule,
  gemini: brokenGeminiRule,
}

/** The events of a streamed answer, for each wire format. */
export const wireEvents: Record<Wire, (line: Line) => string[]> = { chat, responses, gemini }

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

let nextCall = 0

/** Splits arguments into pieces, sends usage in a separate chunk and ends with `[DONE]`. */
function chat({ text, calls = [] }: Line): string[] {
  const chunk = (delta: JsonObject, finish: string | null = null) =>
    data({
      id: 'c',
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: finish }],
    })
  const pieces = calls.flatMap(({ name, input }, index) => {
    nextCall += 1
    const json = JSON.stringify(input)
    const half = Math.floor(json.length / 2)
    const first = {
      index,
      id: `call_${nextCall}`,
      type: 'function',
      function: { name, arguments: '' },
    }
    return [
      chunk({ tool_calls: [first] }),
      chunk({ tool_calls: [{ index, function: { arguments: json.slice(0, half) } }] }),
      chunk({ tool_calls: [{ index, function: { arguments: json.slice(half) } }] }),
    ]
  })
  return [
    chunk({ role: 'assistant', content: '' }),
    ...(text === undefined ? [] : [chunk({ content: text })]),
    ...pieces,
    chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    data({
      id: 'c',
      choices: [],
      usage: {
        prompt_tokens: 20,
        completion_tokens: 5,
        prompt_tokens_details: { cached_tokens: 16 },
      },
    }),
    'data: [DONE]\n\n',
  ]
}

function responses({ text, calls = [] }: Line): string[] {
  const event = (value: { type: string } & JsonObject) => `event: ${value.type}\n${data(value)}`
  const output: JsonObject[] = []
  const events = [event({ type: 'response.created', response: { id: 'r', status: 'in_progress' } })]
  if (text !== undefined) {
    const item = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }
    events.push(
      event({
        type: 'response.output_item.added',
        output_index: 0,
        item: { ...item, content: [] },
      }),
      event({ type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: text }),
      event({ type: 'response.output_item.done', output_index: 0, item }),
    )
    output.push(item)
  }
  for (const { name, input, namespace } of calls) {
    nextCall += 1
    const index = output.length
    const id = `fc_${nextCall}`
    const item = { type: 'function_call', id, call_id: `call_${nextCall}`, name, namespace }
    const done = { ...item, arguments: JSON.stringify(input) }
    events.push(
      event({
        type: 'response.output_item.added',
        output_index: index,
        item: { ...item, arguments: '' },
      }),
      event({
        type: 'response.function_call_arguments.delta',
        output_index: index,
        delta: done.arguments,
      }),
      event({ type: 'response.output_item.done', output_index: index, item: done }),
    )
    output.push(done)
  }
  const input_tokens_details = { cached_tokens: 16 }
  const usage = { input_tokens: 20, input_tokens_details, output_tokens: 5, total_tokens: 25 }
  events.push(
    event({
      type: 'response.completed',
      response: { id: 'r', status: 'completed', output, usage },
    }),
  )
  return events
}

/** Sends complete calls without ids. */
function gemini({ text, calls = [] }: Line): string[] {
  const parts = [
    ...(text === undefined ? [] : [{ text }]),
    ...calls.map(({ name, input }) => ({ functionCall: { name, args: input } })),
  ]
  const usageMetadata = {
    promptTokenCount: 20,
    candidatesTokenCount: 5,
    cachedContentTokenCount: 16,
  }
  const candidate = { content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }
  return [data({ candidates: [candidate], usageMetadata })]
}
