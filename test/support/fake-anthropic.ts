// A loopback server for the Anthropic Messages API. It rejects requests that the real API rejects,
// with a 400 that names the broken rule.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { brokenRule } from './anthropic-rules.ts'
import { onLoopback } from './loopback.ts'
import type { Loopback } from './loopback.ts'

export interface SeenRequest {
  headers: IncomingMessage['headers']
  path: string
  raw: string
  /** Without cache_control; a single text block is a string. `raw` is the body as sent. */
  body: AnthropicBody
  /** Resolves when the client has closed the connection. */
  closed: Promise<void>
}

export interface AnthropicBody {
  model: string
  max_tokens: number
  system?: unknown
  stream?: boolean
  messages: { role: string; content: unknown }[]
  tools?: { name: string }[]
}

export type Answer = (request: SeenRequest, response: ServerResponse) => void | Promise<void>

export interface FakeAnthropic extends Loopback {
  requests: SeenRequest[]
  /** Environment variables that make a program use this server. */
  env: Record<string, string>
}

/** Answers requests in order. A single function answers all requests. */
export async function fakeAnthropic(answers: Answer | Answer[]): Promise<FakeAnthropic> {
  const requests: SeenRequest[] = []
  const { url, close } = await onLoopback((incoming, raw, response) => {
    const seen: SeenRequest = {
      headers: incoming.headers,
      path: incoming.url ?? '',
      raw,
      body: withoutCacheControl(JSON.parse(raw) as AnthropicBody),
      closed: new Promise((resolve) => response.once('close', resolve)),
    }
    const rule = brokenRule(seen)
    requests.push(seen)
    if (rule !== undefined) return refuse(response, 400, 'invalid_request_error', rule)
    const answer = Array.isArray(answers) ? answers[requests.length - 1] : answers
    if (answer === undefined)
      return refuse(response, 500, 'api_error', 'the test has no more answers')
    void answer(seen, response)
    return undefined
  })
  const env = { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'test-key-0123456789' }
  return { url, requests, env, close }
}

/** Removes cache_control and unwraps single text blocks. */
function withoutCacheControl(body: AnthropicBody): AnthropicBody {
  const clean = JSON.parse(
    JSON.stringify(body, (key, value: unknown) => (key === 'cache_control' ? undefined : value)),
  ) as AnthropicBody
  for (const message of clean.messages) {
    const blocks = Array.isArray(message.content)
      ? (message.content as Record<string, unknown>[])
      : []
    if (blocks.length === 1 && blocks[0]?.type === 'text') message.content = blocks[0].text
  }
  return clean
}

export function refuse(
  response: ServerResponse,
  status: number,
  type: string,
  message: string,
): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ type: 'error', error: { type, message } }))
}

export const status =
  (code: number, message: string, headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ type: 'error', error: { type: 'api_error', message } }))
  }

export type Block =
  | { text: readonly string[] }
  | { tool: string; input: Record<string, unknown>; id?: string }

/** A complete streamed answer of these blocks. */
export const answer =
  (...blocks: Block[]): Answer =>
  (request, response) => {
    openStream(response)
    for (const line of streamOf(blocks, request)) response.write(line)
    response.end()
  }

export const say = (...deltas: string[]): Answer => answer({ text: deltas })

export function openStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
}

export function event(data: Record<string, unknown>): string {
  return `event: ${String(data.type)}\ndata: ${JSON.stringify(data)}\n\n`
}

export function textStart(index = 0): string {
  return event({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } })
}

export function textDelta(text: string, index = 0): string {
  return event({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } })
}

export function messageStart(model = 'fake'): string {
  const usage = { input_tokens: 12, output_tokens: 1 }
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model, content: [], usage }
  return event({ type: 'message_start', message })
}

export function messageEnd(reason = 'end_turn'): string {
  const delta = { stop_reason: reason, stop_sequence: null }
  return (
    event({ type: 'message_delta', delta, usage: { output_tokens: 7 } }) +
    event({ type: 'message_stop' })
  )
}

let nextId = 0

export function streamOf(blocks: readonly Block[], request?: SeenRequest): string[] {
  const lines = [messageStart(request?.body.model)]
  blocks.forEach((block, index) => {
    if ('text' in block) {
      lines.push(textStart(index), ...block.text.map((text) => textDelta(text, index)))
    } else {
      lines.push(...toolLines(block, index))
    }
    lines.push(event({ type: 'content_block_stop', index }))
  })
  const reason = blocks.some((block) => 'tool' in block) ? 'tool_use' : 'end_turn'
  return [...lines, messageEnd(reason)]
}

function toolLines(block: Extract<Block, { tool: string }>, index: number): string[] {
  nextId += 1
  const id = block.id ?? `toolu_${nextId}`
  const start = { type: 'tool_use', id, name: block.tool, input: {} }
  const json = JSON.stringify(block.input)
  const half = Math.floor(json.length / 2)
  const pieces = json === '{}' ? [''] : [json.slice(0, half), json.slice(half)]
  return [
    event({ type: 'content_block_start', index, content_block: start }),
    ...pieces.map((partial_json) =>
      event({
        type: 'content_block_delta',
        index,
        delta: { type: 'input_json_delta', partial_json },
      }),
    ),
  ]
}
