// An HTTP service with many kinds of answers, for tests of the HTTP proxy. Stores the requests it receives.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { gzipSync } from 'node:zlib'

export interface SeenRequest {
  method: string
  url: string
  headers: string[]
  /** Hash of the body. */
  body: string
  trailers: string[]
}

export interface HttpUpstream {
  url: string
  seen: SeenRequest[]
  /** Continues a `/wait` answer. */
  goOn(): void
  close(): Promise<void>
}

export async function startUpstream(): Promise<HttpUpstream> {
  const seen: SeenRequest[] = []
  const waiting: (() => void)[] = []
  const sockets = new Set<Socket>()
  const server = createServer({ maxHeaderSize: 1 << 20 }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      seen.push({
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.rawHeaders,
        body: hashOf(Buffer.concat(chunks)),
        trailers: request.rawTrailers,
      })
      answer(request, response, Buffer.concat(chunks), waiting)
    })
    if (request.url?.endsWith('/early')) response.end('before the body')
    request.on('error', () => {})
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('upgrade', (request, socket, head) => upgrade(request, socket as Socket, head))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    goOn: () => {
      for (const go of waiting.splice(0)) go()
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
  waiting: (() => void)[],
): void {
  const url = new URL(`http://x${request.url}`)
  const place = url.pathname.split('/').at(-1) ?? ''
  if (response.writableEnded) return
  switch (place) {
    case 'odd-headers':
      response.writeHead(200, 'Fine Thanks', [
        ...['Set-Cookie', 'a=1', 'set-cookie', 'b=2', 'X-Empty', '', 'X-Latin', 'caf\u00e9'],
        ...['Content-Length', '2', 'Date', 'Thu, 01 Jan 1970 00:00:00 GMT'],
      ])
      response.end(Buffer.from('ok'))
      break
    case 'gzip':
      response.writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Type': 'text/plain' })
      response.end(gzipSync(`compressed ${'text '.repeat(5000)} ghp_${'a1B2'.repeat(9)}`))
      break
    case 'redirect':
      response.writeHead(302, { Location: 'http://127.0.0.1:1/elsewhere' }).end()
      break
    case 'status':
      response.writeHead(Number(url.searchParams.get('code')), { 'Content-Type': 'text/plain' })
      response.end('what you asked for')
      break
    case 'empty':
      response.writeHead(204).end()
      break
    case 'trailers':
      response.writeHead(200, { Trailer: 'X-Sum' })
      response.write('body')
      response.addTrailers([['X-Sum', 'abc']])
      response.end()
      break
    case 'wait':
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      response.write('data: one\n\n')
      waiting.push(() => response.end('data: two\n\n'))
      break
    case 'broken':
      response.writeHead(200, { 'Content-Length': '1000' })
      response.write('only this')
      setTimeout(() => request.socket.destroy(), 50)
      break
    case 'hints':
      response.writeEarlyHints({ link: '</a.css>; rel=preload' })
      response.end('after the hints')
      break
    case 'large':
      response.end(Buffer.alloc(Number(url.searchParams.get('bytes')), 'large '))
      break
    case 'binary':
      response.end(Buffer.from([0, 1, 2, 255, 254]))
      break
    default:
      response.end(
        JSON.stringify({
          method: request.method,
          url: request.url,
          sum: hashOf(body),
        }),
      )
  }
}

export function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Echoes its input in upper case. */
function upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
  if (request.url?.endsWith('/no') === true) {
    socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 4\r\n\r\nno!\n')
    return
  }
  const accept = `Upgrade: ${request.headers.upgrade}\r\nConnection: Upgrade\r\nX-Odd: y\r\n`
  socket.write(`HTTP/1.1 101 Switching Protocols\r\n${accept}\r\n`)
  const shout = (chunk: Buffer) => socket.write(chunk.toString('latin1').toUpperCase(), 'latin1')
  if (head.length > 0) shout(head)
  socket.on('data', shout)
  socket.on('end', () => socket.end())
  socket.on('error', () => {})
}
