// Fixtures for tests of the transport: requests, bodies, failures, and peers that speak no HTTP.
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { createTransport } from '../src/transport/http-transport.ts'
import type { Deadlines, HttpRequest, HttpResponse, Transport } from '../src/transport/transport.ts'
import { closeAfterEach } from './closing.ts'

/** Creates transports that are closed after each test, like everything registered with `keep`. */
export function withTransports() {
  const keep = closeAfterEach()
  const transport = (
    deadlines: Partial<Deadlines> = {},
    environment: Record<string, string> = {},
  ): Transport => keep(createTransport({ environment, deadlines }))
  return { keep, transport }
}

export function post(url: string, more: Partial<HttpRequest> = {}): HttpRequest {
  const signal = new AbortController().signal
  return { method: 'POST', url: new URL(url), headers: {}, body: '{}', signal, ...more }
}

export async function readBody(response: HttpResponse): Promise<string> {
  let text = ''
  for await (const chunk of response.body) text += chunk.toString('utf8')
  return text
}

/** The error that the promise rejects with. */
export async function rejectionOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}

export interface Listener {
  url: string
  port: number
  connected: Promise<unknown>
  close(): void
}

/** Accepts connections and sends nothing. */
export async function startSilentListener(): Promise<Listener> {
  return startListener(() => {})
}

export async function startRefusingProxy(): Promise<Listener> {
  return startListener((socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'))
  })
}

export async function startListener(onSocket: (socket: net.Socket) => void): Promise<Listener> {
  const sockets: net.Socket[] = []
  const server = net.createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    onSocket(socket)
  })
  const connected = once(server, 'connection')
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    connected,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
