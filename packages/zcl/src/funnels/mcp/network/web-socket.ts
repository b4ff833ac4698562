// MCP over WebSocket: one conversation per socket, one message per text frame sequence.
import type { ExchangeGate } from '../../http/http.ts'
import type { Conversation } from '../conversation.ts'
import { rewriteFrames } from './faulty-frames.ts'
import { FrameReader, type ReadFrame } from './frame-reader.ts'
import { readDocument, type ReadLine } from '../messages/messages.ts'
import type { NetworkContext, Watcher } from './context.ts'
import type { NetworkGate } from './gate.ts'

export function watchSocket(context: NetworkContext): Watcher {
  const conversation = context.conversation()
  const { gate, touch } = context
  const { faults } = conversation
  const leave = gate?.join(() => conversation.pendingRequests)
  const client = new FrameReader((text) => {
    const line = readDocument(text)
    if (line !== undefined) conversation.fromClient(line)
  })
  const server = new FrameReader((text) => {
    const line = readDocument(text)
    if (line !== undefined) conversation.fromServer(line)
    gate?.answered()
  })
  let isJoined = false
  return {
    observer: {
      request: (chunk) => {
        touch()
        // With a gate, messages are recorded when they are forwarded.
        if (gate === undefined) client.push(chunk)
      },
      requestEnded: () => {},
      answer: () => {
        isJoined = true
        context.clientJoined()
      },
      response: (chunk) => {
        touch()
        server.push(chunk)
      },
      end: () => {
        conversation.end()
        leave?.()
        if (isJoined) context.clientLeft()
      },
    },
    ...(gate === undefined ? {} : { gate: new MessageGate(gate, conversation) }),
    ...(faults === undefined
      ? {}
      : {
          rewrite: ({ status }, emit) => (status === 101 ? rewriteFrames(faults, emit) : undefined),
        }),
  }
}

/** Sends complete client messages through the gate; control frames pass at once. */
class MessageGate implements ExchangeGate {
  readonly #gate: NetworkGate
  readonly #conversation: Conversation
  readonly #reader: FrameReader
  #frames: Buffer[] = []
  #line: ReadLine | undefined
  #send: (bytes: Buffer) => void = () => {}

  constructor(gate: NetworkGate, conversation: Conversation) {
    this.#gate = gate
    this.#conversation = conversation
    this.#reader = new FrameReader(
      (text) => {
        this.#line = readDocument(text)
      },
      (frame) => this.#take(frame),
    )
  }

  /** The handshake is not gated. */
  request(_body: Buffer, forward: () => void): void {
    forward()
  }

  tunnel(chunk: Buffer, forward: (bytes: Buffer) => void): void {
    this.#send = forward
    this.#reader.push(chunk)
  }

  #take({ raw, isControl, isLast }: ReadFrame): void {
    if (isControl) {
      this.#send(raw)
      return
    }
    this.#frames.push(raw)
    if (!isLast) return
    const message = Buffer.concat(this.#frames)
    const line = this.#line
    this.#frames = []
    this.#line = undefined
    this.#gate.take({
      messages: line?.messages ?? [],
      forward: () => {
        this.#send(message)
        if (line !== undefined) this.#conversation.fromClient(line)
      },
    })
  }
}
