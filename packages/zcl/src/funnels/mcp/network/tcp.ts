// MCP over TCP: one message a line, one conversation for each connection; bytes pass as they come.
import { connect, createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { listenOn } from '../../listen-on.ts'
import type { ListenAddress } from '../../funnels.ts'
import type { Conversation } from '../conversation.ts'
import { LineReader, type ReadLine } from '../messages/messages.ts'
import type { NetworkGate } from './gate.ts'
import type { Listening } from './listening.ts'

export interface TcpProxyOptions {
  listen: ListenAddress
  target: { host: string; port: number }
  listening: Listening
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
    return listenOn(this.#server, this.#options.listen)
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
    const { listening, target } = this.#options
    const { gate } = listening
    const conversation = listening.conversation()
    listening.clientJoined()
    const leave = gate?.join(() => conversation.openRequests)
    const server = connect({ ...target, allowHalfOpen: true, noDelay: true })
    const told = new LineReader((line) => conversation.fromServer(line))
    let isOver = false
    const end = (): void => {
      if (isOver) return
      isOver = true
      client.destroy()
      server.destroy()
      told.end()
      conversation.end()
      leave?.()
      listening.clientLeft()
    }
    this.#follow(client, () => server.destroyed && end())
    this.#follow(server, end)
    client.on('error', end)
    if (gate === undefined) {
      const asked = new LineReader((line) => conversation.fromClient(line))
      client.on('data', (chunk: Buffer) => asked.push(chunk))
      client.pipe(server)
    } else passLines(client, server, conversation, gate)
    server.on('data', (chunk: Buffer) => {
      told.push(chunk)
      gate?.answered()
    })
    server.pipe(client)
  }

  #follow(socket: Socket, onClose: () => void): void {
    this.#sockets.add(socket)
    socket.on('data', () => this.#options.listening.noise())
    // What it means is told by its end.
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#sockets.delete(socket)
      onClose()
    })
  }
}

/** Each line when it may go, and the end behind the last of them. */
function passLines(
  client: Socket,
  server: Socket,
  conversation: Conversation,
  gate: NetworkGate,
): void {
  let waiting = 0
  let hasEnded = false
  const endServer = (): void => {
    if (hasEnded && waiting === 0) server.end()
  }
  const take = (line: ReadLine): void => {
    waiting++
    const forward = (): void => {
      waiting--
      if (line.raw !== undefined && !server.write(line.raw)) client.pause()
      conversation.fromClient(line)
      endServer()
    }
    gate.take({ messages: line.messages, forward })
  }
  const asked = new LineReader(take, { keepsWhole: true })
  client.on('data', (chunk: Buffer) => asked.push(chunk))
  client.on('end', () => {
    asked.end()
    hasEnded = true
    endServer()
  })
  server.on('drain', () => client.resume())
}
