// An independent implementation of zino's wire protocol; it imports nothing from zino.
import type { Socket } from 'node:net'
import { createConnection } from 'node:net'

export type Packet = Record<string, unknown> & { type?: string }

const deadlineMs = 20_000

export function frame(content: object | Buffer): Buffer {
  const body = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content))
  return Buffer.concat([header(body.length), body])
}

export function header(length: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(length)
  return bytes
}

/** One connection, read packet by packet. */
export class Caller {
  readonly socket: Socket
  isClosed = false
  #bytes: Buffer[] = []
  #size = 0
  #wake: (() => void) | undefined

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (piece: Buffer) => {
      this.#bytes.push(piece)
      this.#size += piece.length
      this.#wake?.()
    })
    const close = () => {
      this.isClosed = true
      this.#wake?.()
    }
    socket.on('end', close).on('close', close).on('error', close)
  }

  static async open(path: string): Promise<Caller> {
    const socket = createConnection({ path, allowHalfOpen: true })
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve).once('error', reject)
    })
    return new Caller(socket)
  }

  send(content: object | Buffer): this {
    this.socket.write(frame(content))
    return this
  }

  /** The next packet; undefined when the connection was closed. */
  async next(ms = deadlineMs): Promise<Packet | undefined> {
    const end = performance.now() + ms
    for (;;) {
      const packet = this.#take()
      if (packet !== undefined) return packet
      if (this.isClosed) return undefined
      const left = end - performance.now()
      if (left <= 0) throw new Error(`no packet within ${ms} ms`)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  /** All packets up to and including the first that is neither a chunk nor an approval. */
  async answer(ms = deadlineMs): Promise<Packet[]> {
    const packets: Packet[] = []
    for (;;) {
      const packet = await this.next(ms)
      if (packet === undefined) return packets
      packets.push(packet)
      if (packet.type !== 'chunk' && packet.type !== 'approval') return packets
    }
  }

  #take(): Packet | undefined {
    if (this.#size < 4) return undefined
    if ((this.#bytes[0]?.length ?? 0) < 4) this.#bytes = [Buffer.concat(this.#bytes)]
    const length = this.#bytes[0]?.readUInt32BE(0) ?? 0
    if (this.#size < 4 + length) return undefined
    const [first = Buffer.alloc(0)] = this.#bytes
    const all = this.#bytes.length === 1 ? first : Buffer.concat(this.#bytes)
    this.#bytes = [all.subarray(4 + length)]
    this.#size -= 4 + length
    const text = new TextDecoder('utf-8', { fatal: true }).decode(all.subarray(4, 4 + length))
    return JSON.parse(text) as Packet
  }
}

/** Every packet of the answer to one request, on a separate connection. */
export async function exchange(path: string, request: object, ms = deadlineMs): Promise<Packet[]> {
  const caller = await Caller.open(path)
  try {
    return await caller.send(request).answer(ms)
  } finally {
    caller.socket.destroy()
  }
}

/** The last packet of the answer. */
export async function ask(path: string, request: object): Promise<Packet> {
  return (await exchange(path, request)).at(-1) ?? {}
}

export function textOf(packets: readonly Packet[]): string {
  return packets.map(({ type, delta }) => (type === 'chunk' ? String(delta) : '')).join('')
}
