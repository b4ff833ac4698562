// A loopback server for OpenAI's Chat Completions. It rejects requests that the real API rejects,
// with a 400 that names the broken rule.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { onLoopback } from './loopback.ts'

export interface ChatMessage {
  role: string
  content: string
}

export interface ChatBody {
  model: string
  messages: ChatMessage[]
  temperature?: number
  top_p?: number
  stream?: boolean
}

export interface ChatRequest {
  path: string
  headers: IncomingHttpHeaders
  body: ChatBody
  /** The client closed the connection before the end of the answer. */
  isAborted: boolean
}

/** A text, a text in pieces, or a function that writes the response itself. */
export type ChatAnswer =
  | string
  | readonly string[]
  | ((response: ServerResponse, request: ChatRequest) => void | Promise<void>)

export interface FakeOpenAi {
  /** Ends with `/v1`, as in a configuration. */
  base: string
  requests: ChatRequest[]
  answer: (request: ChatRequest, number: number) => ChatAnswer
  close(): Promise<void>
}

export async function fakeOpenAi(answer: FakeOpenAi['answer'] = () => 'ok'): Promise<FakeOpenAi> {
  const requests: ChatRequest[] = []
  const { url, close } = await onLoopback((incoming, text, response) => {
    const request: ChatRequest = {
      path: `${incoming.method} ${incoming.url}`,
      headers: incoming.headers,
      body: bodyOf(text),
      isAborted: false,
    }
    response.on('close', () => {
      request.isAborted = !response.writableFinished
    })
    response.on('error', () => {})
    const number = requests.push(request)
    const rule = brokenRule(request)
    if (rule !== undefined) refuse(response, 400, rule)
    else void respond(response, request, fake.answer(request, number))
  })
  const fake: FakeOpenAi = { base: `${url}/v1`, requests, answer, close }
  return fake
}

export function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify({ error: { message, type: 'invalid_request_error', code: null } }))
}

export const status =
  (code: number, message: string, headers: Record<string, string> = {}): ChatAnswer =>
  (response) =>
    refuse(response, code, message, headers)

/** Starts an event stream; the function writes its body. */
export const streaming =
  (write: (response: ServerResponse) => void | Promise<void>): ChatAnswer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    return write(response)
  }

/** Streams the pieces with a pause after each. */
export const slowly = (ms: number, ...pieces: string[]): ChatAnswer =>
  streaming(async (response) => {
    for (const piece of pieces) {
      if (response.destroyed) return
      response.write(delta(piece))
      await pause(ms)
    }
    response.end(ending)
  })

export function event(data: object | string): string {
  return `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
}

export function delta(content: string): string {
  return event(chunkOf({ content }, null))
}

export const ending = event(chunkOf({}, 'stop')) + event('[DONE]')

function chunkOf(part: object, reason: string | null): object {
  const choices = [{ index: 0, delta: part, finish_reason: reason }]
  return { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'fake', choices }
}

async function respond(
  response: ServerResponse,
  request: ChatRequest,
  answer: ChatAnswer,
): Promise<void> {
  if (typeof answer === 'function') return answer(response, request)
  const pieces = typeof answer === 'string' ? [answer] : answer
  if (request.body.stream === true) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const first = event(chunkOf({ role: 'assistant', content: '' }, null))
    response.end(first + pieces.map(delta).join('') + ending)
    return
  }
  const message = { role: 'assistant', content: pieces.join('') }
  response.writeHead(200, { 'content-type': 'application/json' })
  const choices = [{ index: 0, message, finish_reason: 'stop' }]
  response.end(JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion', choices }))
}

const knownFields = new Set(['model', 'messages', 'temperature', 'top_p', 'stream'])
const knownRoles = new Set(['system', 'user', 'assistant'])

/** Describes the first rule that the request breaks; undefined when it breaks none. */
function brokenRule({ path, headers, body }: ChatRequest): string | undefined {
  if (path !== 'POST /v1/chat/completions') return `no such route: ${path}`
  if (headers['content-type'] !== 'application/json') return 'content-type: not JSON'
  const { authorization } = headers
  if (authorization !== undefined && !/^Bearer \S+$/.test(authorization)) return 'authorization'
  const unknown = Object.keys(body).find((key) => !knownFields.has(key))
  if (unknown !== undefined) return `unknown field ${unknown}`
  if (typeof body.model !== 'string' || body.model === '') return 'model: missing'
  if (!isBetween(body.temperature, 0, 2)) return 'temperature: out of range'
  if (!isBetween(body.top_p, 0, 1)) return 'top_p: out of range'
  if (body.stream !== undefined && typeof body.stream !== 'boolean') return 'stream: not a boolean'
  if (!Array.isArray(body.messages) || body.messages.length === 0) return 'messages: empty'
  return body.messages.map(messageRule).find(Boolean)
}

function messageRule({ role, content }: ChatMessage, index: number): string | undefined {
  if (!knownRoles.has(role)) return `messages.${index}: unknown role ${role}`
  return typeof content === 'string' ? undefined : `messages.${index}: content is not a string`
}

function isBetween(value: unknown, min: number, max: number): boolean {
  if (value === undefined) return true
  return typeof value === 'number' && value >= min && value <= max
}

function bodyOf(text: string): ChatBody {
  try {
    return JSON.parse(text) as ChatBody
  } catch {
    return { model: '', messages: [] }
  }
}
