// A client for tests that can misbehave: partial frames, garbage, no reads.
import type { Socket } from 'node:net'
import { createConnection } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Message } from '../src/wire/wire.ts'
import { encodeFrame, FrameReader } from '../src/wire/wire.ts'

export class Caller {
  readonly socket: Socket
  readonly #reader = new FrameReader()
  #closed = false
  #wake: (() => void) | undefined

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (piece) => {
      this.#reader.push(piece)
      this.#wake?.()
    })
    const close = () => {
      this.#closed = true
      this.#wake?.()
    }
    socket.on('end', close).on('close', close).on('error', close)
  }

  static async open(path: string): Promise<Caller> {
    const socket = createConnection({ path, allowHalfOpen: true })
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve).once('error', reject)
    })
    onTestFinished(() => void socket.destroy())
    return new Caller(socket)
  }

  send(message: object): this {
    return this.sendRaw(encodeFrame(message))
  }

  sendRaw(bytes: Buffer): this {
    this.socket.write(bytes)
    return this
  }

  /** The next frame; undefined when the service has closed the connection. */
  async next(ms = 10_000): Promise<Message | undefined> {
    let isExpired = false
    const timer = setTimeout(() => {
      isExpired = true
      this.#wake?.()
    }, ms)
    try {
      return await this.#wait(() => isExpired, ms)
    } finally {
      clearTimeout(timer)
    }
  }

  async #wait(isExpired: () => boolean, ms: number): Promise<Message | undefined> {
    for (;;) {
      const frame = this.#reader.next()
      if (frame !== undefined) {
        if (frame.kind !== 'message') throw new Error(`unusable frame: ${frame.reason}`)
        return frame.message
      }
      if (this.#closed) return undefined
      if (isExpired()) throw new Error(`no frame within ${ms} ms`)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  /** All frames up to and including the last one of the answer. */
  async answer(): Promise<Message[]> {
    const frames: Message[] = []
    for (;;) {
      const frame = await this.next()
      if (frame === undefined) return frames
      frames.push(frame)
      if (!['chunk', 'tool_start', 'tool_done', 'approval'].includes(String(frame.type)))
        return frames
    }
  }
}

/** Every frame of the answer to one request. */
export async function answerOf(path: string, message: object): Promise<Message[]> {
  const caller = await Caller.open(path)
  const frames = await caller.send(message).answer()
  caller.socket.destroy()
  return frames
}

/** The last frame of the answer to one request. */
export async function lastOf(path: string, message: object): Promise<Message> {
  return (await answerOf(path, message)).at(-1) ?? {}
}
