// A loopback HTTP server for tests: one responder per request; records all requests.
import { once } from 'node:events'
import http, { type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface SeenRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
  /** Resolves when the connection or the response has ended. */
  closed: Promise<void>
}

export type Responder = (response: ServerResponse, request: SeenRequest) => unknown

export interface TestServer {
  url: string
  port: number
  requests: SeenRequest[]
  /** Number of connections opened so far. */
  connections(): number
  /** Resolves when the client has closed a connection. */
  disconnected(): Promise<void>
  /** Resolves when request number `n`, counted from 1, has arrived completely. */
  request(n: number): Promise<SeenRequest>
  close(): Promise<void>
}

/** The last responder serves all further requests. */
export async function startServer(...responders: Responder[]): Promise<TestServer> {
  const requests: SeenRequest[] = []
  const sockets = new Set<Socket>()
  const arrivals = new Map<number, (request: SeenRequest) => void>()
  let connections = 0
  let onDisconnect = (): void => {}
  const disconnected = new Promise<void>((resolve) => (onDisconnect = resolve))

  const server = http.createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const request: SeenRequest = {
        method: incoming.method ?? '',
        path: incoming.url ?? '',
        headers: incoming.headers,
        body: Buffer.concat(chunks).toString('utf8'),
        closed: once(response, 'close').then(() => undefined),
      }
      const number = requests.push(request)
      arrivals.get(number)?.(request)
      const responder = responders[Math.min(number, responders.length) - 1]
      responder?.(response, request)
    })
  })
  server.on('connection', (socket) => {
    connections++
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('end', onDisconnect)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    connections: () => connections,
    disconnected: () => disconnected,
    request: (n) => {
      const seen = requests[n - 1]
      if (seen !== undefined) return Promise.resolve(seen)
      return new Promise((resolve) => arrivals.set(n, resolve))
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      if (server.listening) await once(server, 'close')
    },
  }
}

export const sse =
  (text: string | Uint8Array): Responder =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    response.end(text)
  }

export const json =
  (status: number, value: unknown, headers: Record<string, string> = {}): Responder =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(value))
  }

/** Never answers. */
export const silence: Responder = () => {}

/** Resets the connection instead of answering. */
export const hangUp: Responder = (response) => {
  response.socket?.resetAndDestroy()
}

/** Sends `text` as a stream, then resets the connection 50 ms later. */
export const brokenAfter =
  (text: string): ((response: ServerResponse) => void) =>
  (response) => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(text, () => setTimeout(() => response.socket?.resetAndDestroy(), 50))
  }
