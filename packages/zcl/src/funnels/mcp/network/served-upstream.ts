// A stand-in for an MCP server on the network in a fork: answers from the trace over the transport of the
// real one.
import { createHash } from 'node:crypto'
import { createServer as createHttpServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import path from 'node:path'
import type { Host } from '@zee/core/exit'
import { LineSplitter } from '@zee/core/line-splitter'
import type { AttemptContext } from '@zee/evidence/attempt'
import { zclError } from '../../../errors/errors.ts'
import { redactorFor } from '../../../redaction/redaction.ts'
import { openServed, readServePlan, servedFileName } from '../../../served/served.ts'
import { listenOn } from '../../listen-on.ts'
import { LiveHttp, parsed, Responder } from '../serve-trace/serve-trace.ts'
import { textFrame } from './faulty-frames.ts'
import { FrameReader } from './frame-reader.ts'
import type { NetworkUpstream } from './network.ts'

export interface ServedServer {
  port: number
  close(): void
}

/** Stands in for the server; only live requests of an HTTP server reach it. */
export async function servedServer(
  name: string,
  { kind, url }: NetworkUpstream,
  { folder, identity }: AttemptContext,
  host: Host,
): Promise<ServedServer> {
  const redactor = redactorFor(host)
  const plan = await readServePlan(name, host.cwd)
  if (plan.live && kind !== 'http') {
    const message = `zcl fork --live cannot reach ${kind} servers; start the server after --`
    throw zclError('ZCL_E_USAGE', message)
  }
  const served = await openServed(plan, redactor, path.join(folder, servedFileName))
  const live = plan.live ? new LiveHttp(url) : undefined
  const responder = new Responder(served, redactor, identity, live)
  const sockets = new Set<Socket>()
  const server = kind === 'tcp' ? lineServer(responder) : webServer(responder)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  const { port } = await listenOn(server, { host: '127.0.0.1', port: 0 })
  const close = (): void => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return { port, close }
}

const maxLineBytes = 16 * 1024 * 1024

function lineServer(responder: Responder): Server {
  return createServer((socket) => {
    const lines = new LineSplitter(maxLineBytes, {
      line(bytes, start, end) {
        void respond(responder, bytes.toString('utf8', start, end), (text) =>
          socket.write(`${text}\n`),
        )
        return true
      },
      tooLong: () => true,
    })
    socket.on('data', (chunk: Buffer) => void lines.push(chunk))
  })
}

/** Streamable HTTP with JSON answers, and WebSocket. */
function webServer(responder: Responder): Server {
  const server = createHttpServer((request, response) => {
    if (request.method === 'POST') answerPost(responder, request, response)
    else response.writeHead(request.method === 'DELETE' ? 200 : 405).end()
  })
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
    const accept = createHash('sha1').update(key).digest('base64')
    const fields = `Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}`
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${fields}\r\n\r\n`)
    const reader = new FrameReader((message) => {
      void respond(responder, message.toString('utf8'), (text) =>
        socket.write(textFrame(Buffer.from(text))),
      )
    })
    reader.push(head)
    socket.on('data', (chunk: Buffer) => reader.push(chunk))
  })
  return server
}

function answerPost(
  responder: Responder,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const pieces: Buffer[] = []
  request.on('data', (chunk: Buffer) => pieces.push(chunk))
  request.on('end', () => {
    const type = { 'Content-Type': 'application/json' }
    const text = Buffer.concat(pieces).toString('utf8')
    void respond(responder, text, (answer) => response.writeHead(200, type).end(answer)).then(
      (isAnswered) => isAnswered || response.writeHead(202).end(),
    )
  })
}

/** Sends the answers to all requests of a message; false if there are none. */
async function respond(
  responder: Responder,
  text: string,
  send: (answer: string) => unknown,
): Promise<boolean> {
  const answers: string[] = []
  for (const message of parsed(text)) {
    const answer = await responder.respond(message)
    if (answer !== undefined) answers.push(answer)
  }
  if (answers.length === 0) return false
  send(answers.length === 1 ? (answers[0] ?? '') : `[${answers.join(',')}]`)
  return true
}
