// MCP over TCP: one message a line, one conversation for each connection; bytes pass as they come.
import { connect, createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { reasonOf } from '@zee/core/errors'
import { zclError } from '@zee/evidence/errors'
import type { ListenAddress } from '../http/proxy-address.ts'
import type { Conversation } from './conversation.ts'
import { LineReader } from './line-reader.ts'

export interface TcpProxyOptions {
  listen: ListenAddress
  target: { host: string; port: number }
  begin(): Conversation
  noise(): void
}

export class TcpProxy {
  readonly #options: TcpProxyOptions
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  constructor(options: TcpProxyOptions) {
    this.#options = options
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (client) =>
      this.#join(client),
    )
  }

  listen(): Promise<AddressInfo> {
    const { host, port } = this.#options.listen
    return new Promise((resolve, reject) => {
      this.#server.once('error', (error) => {
        const place = `${host}:${port}`
        reject(zclError('ZCL_E_IO', `cannot listen on ${place}: ${reasonOf(error)}`, error))
      })
      this.#server.listen({ host, port }, () => resolve(this.#server.address() as AddressInfo))
    })
  }

  async close(graceMs: number): Promise<void> {
    this.#server.close()
    for (let waited = 0; this.#sockets.size > 0 && waited < graceMs; waited += 20) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    for (const socket of this.#sockets) socket.destroy()
    // Their ends are told in the next turn.
    await new Promise((resolve) => setImmediate(resolve))
  }

  #join(client: Socket): void {
    const conversation = this.#options.begin()
    const server = connect({ ...this.#options.target, allowHalfOpen: true, noDelay: true })
    const asked = new LineReader((line) => conversation.fromClient(line))
    const told = new LineReader((line) => conversation.fromServer(line))
    const end = (): void => {
      client.destroy()
      server.destroy()
      told.end()
      conversation.end()
    }
    for (const [from, to, reader] of [
      [client, server, asked],
      [server, client, told],
    ] as const) {
      this.#sockets.add(from)
      from.on('data', (chunk: Buffer) => {
        this.#options.noise()
        reader.push(chunk)
      })
      from.on('error', end)
      from.on('close', () => {
        this.#sockets.delete(from)
        if (to.destroyed || from === server) end()
      })
      from.pipe(to)
    }
  }
}
