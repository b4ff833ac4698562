// MCP over TCP: one message per line, one conversation per connection. Bytes are forwarded unchanged.
import { connect, createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { listenOn } from '../../listen-on.ts'
import type { ListenAddress } from '../../funnels.ts'
import type { Conversation } from '../conversation.ts'
import { withFaults } from '../faults/faults.ts'
import { LineReader, type ReadLine } from '../messages/messages.ts'
import type { NetworkGate } from './gate.ts'
import type { NetworkContext } from './context.ts'

export interface TcpProxyOptions {
  listen: ListenAddress
  target: { host: string; port: number }
  context: NetworkContext
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
    // The sockets emit 'close' in the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve))
  }

  #join(client: Socket): void {
    const { context, target } = this.#options
    const { gate } = context
    const conversation = context.conversation()
    context.clientJoined()
    const leave = gate?.join(() => conversation.pendingRequests)
    const server = connect({ ...target, allowHalfOpen: true, noDelay: true })
    const serverLines = new LineReader((line) => conversation.fromServer(line))
    let isOver = false
    const end = (): void => {
      if (isOver) return
      isOver = true
      client.destroy()
      server.destroy()
      serverLines.end()
      conversation.end()
      leave?.()
      context.clientLeft()
    }
    this.#follow(client, () => server.destroyed && end())
    this.#follow(server, end)
    client.on('error', end)
    if (gate === undefined) {
      const clientLines = new LineReader((line) => conversation.fromClient(line))
      client.on('data', (chunk: Buffer) => clientLines.push(chunk))
      client.pipe(server)
    } else passLines(client, server, conversation, gate)
    const { faults } = conversation
    const answers = faults === undefined ? server : withFaults(server, faults)
    answers.on('data', (chunk: Buffer) => {
      serverLines.push(chunk)
      gate?.answered()
    })
    answers.pipe(client)
  }

  #follow(socket: Socket, onClose: () => void): void {
    this.#sockets.add(socket)
    socket.on('data', () => this.#options.context.touch())
    // The 'close' event handles errors.
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#sockets.delete(socket)
      onClose()
    })
  }
}

/** Forwards each line when the gate permits it, and the end after the last line. */
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
  const clientLines = new LineReader(take, { keepsRaw: true })
  client.on('data', (chunk: Buffer) => clientLines.push(chunk))
  client.on('end', () => {
    clientLines.end()
    hasEnded = true
    endServer()
  })
  server.on('drain', () => client.resume())
}
