// Extracts the text messages from one direction of a WebSocket. Skips control frames and binary messages;
// skips a fragmented message that is too large, and stops at a frame that is too large for a message.
import { maxMessageBytes } from '../messages/messages.ts'

/** Memory of a Buffer besides its bytes. */
const fragmentBytes = 128

const opcode = { continuation: 0, text: 1, binary: 2, close: 8 }

export interface ReadFrame {
  /** The complete frame. */
  raw: Buffer
  /** A ping or pong, which may come between the frames of a message. */
  isControl: boolean
  /** Whether it is the last frame of its message. */
  isLast: boolean
}

export class FrameReader {
  readonly #onText: (message: Buffer) => void
  readonly #onFrame: (frame: ReadFrame) => void
  #pieces: Buffer[] = []
  #buffered = 0
  /** Buffered bytes needed before the next parse. */
  #needed = 2
  #message: Buffer[] = []
  /** Size of the message so far, with the memory that each of its fragments takes. */
  #messageBytes = 0
  #isText = false
  #isOversized = false

  /** A frame is too large for a message; nothing is read any more. */
  get isOversized(): boolean {
    return this.#isOversized
  }

  /** The bytes that belong to no frame yet. */
  unread(): Buffer {
    return Buffer.concat(this.#pieces)
  }

  /** `onText` is called before `onFrame` for the frame that completes a message. */
  constructor(onText: (message: Buffer) => void, onFrame: (frame: ReadFrame) => void = () => {}) {
    this.#onText = onText
    this.#onFrame = onFrame
  }

  push(chunk: Buffer): void {
    if (this.#isOversized) return
    this.#pieces.push(chunk)
    this.#buffered += chunk.length
    while (!this.#isOversized && this.#buffered >= this.#needed) {
      const bytes = this.#pieces.length === 1 ? chunk : Buffer.concat(this.#pieces)
      const consumed = this.#frame(bytes)
      const rest = bytes.subarray(consumed)
      this.#pieces = [rest]
      this.#buffered = rest.length
      if (consumed > 0) this.#needed = 2
      chunk = rest
    }
  }

  /** Reads one frame and returns its size; 0 when it is incomplete, with `#needed` set. */
  #frame(bytes: Buffer): number {
    const [first = 0, second = 0] = bytes
    const short = second & 0x7f
    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0
    const maskAt = 2 + lengthBytes
    const start = maskAt + (second & 0x80 ? 4 : 0)
    this.#needed = start
    if (bytes.length < start) return 0
    const length = lengthBytes === 0 ? short : lengthOf(bytes, lengthBytes)
    this.#isOversized = length > maxMessageBytes
    this.#needed = start + length
    if (this.#isOversized || bytes.length < this.#needed) return 0
    const payload = bytes.subarray(start, start + length)
    this.#take(first, second & 0x80 ? unmasked(payload, bytes.subarray(maskAt, start)) : payload)
    const isControl = (first & 0x0f) > opcode.close
    const isLast = (first & 0x80) !== 0
    this.#onFrame({ raw: bytes.subarray(0, start + length), isControl, isLast })
    return start + length
  }

  #take(first: number, payload: Buffer): void {
    const code = first & 0x0f
    if (code > opcode.binary) return
    if (code !== opcode.continuation) {
      this.#message = []
      this.#messageBytes = 0
      // A reserved bit means that an extension encodes the payload.
      this.#isText = code === opcode.text && (first & 0x70) === 0
    }
    this.#messageBytes += payload.length + fragmentBytes
    if (this.#messageBytes > maxMessageBytes) {
      this.#message = []
      this.#isText = false
    }
    if (this.#isText) this.#message.push(payload)
    if ((first & 0x80) === 0 || !this.#isText) return
    this.#onText(Buffer.concat(this.#message))
    this.#message = []
  }
}

function lengthOf(bytes: Buffer, size: number): number {
  return size === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2))
}

function unmasked(payload: Buffer, mask: Buffer): Buffer {
  const plain = Buffer.allocUnsafe(payload.length)
  for (let at = 0; at < payload.length; at++) {
    plain[at] = (payload[at] ?? 0) ^ (mask[at & 3] ?? 0)
  }
  return plain
}
