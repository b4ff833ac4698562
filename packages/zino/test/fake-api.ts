// An OpenAI-compatible server on loopback with scripted replies.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface ApiRequest {
  url: string
  headers: IncomingHttpHeaders
  body: Record<string, unknown>
  aborted: boolean
}

export type Reply = (
  response: ServerResponse,
  request: ApiRequest,
  number: number,
) => void | Promise<void>

export interface FakeApi {
  base: string
  requests: ApiRequest[]
  reply: Reply
}

export async function fakeApi(reply: Reply): Promise<FakeApi> {
  const api: FakeApi = { base: '', requests: [], reply }
  const server = createServer((request, response) => void answer(api, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  api.base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return api
}

async function answer(api: FakeApi, request: IncomingMessage, response: ServerResponse) {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const seen: ApiRequest = {
    url: request.url ?? '',
    headers: request.headers,
    body: JSON.parse(Buffer.concat(pieces).toString() || '{}'),
    aborted: false,
  }
  response.on('close', () => {
    seen.aborted = !response.writableFinished
  })
  response.on('error', () => {})
  await api.reply(response, seen, api.requests.push(seen))
}

export const event = (value: object | string) =>
  `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`
export const delta = (content: string | null) =>
  event({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })
export const finish = event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })

/** Streams the pieces, or joins them when the request does not stream. */
export function says(...pieces: string[]): Reply {
  return (response, { body }) => {
    if (body.stream === true) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(pieces.map(delta).join('') + finish + event('[DONE]'))
      return
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    const message = { role: 'assistant', content: pieces.join('') }
    response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }))
  }
}

export function fails(status: number, message: string, headers: object = {}): Reply {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ error: { message } }))
  }
}

export function streams(write: (response: ServerResponse) => void | Promise<void>): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    return write(response)
  }
}
