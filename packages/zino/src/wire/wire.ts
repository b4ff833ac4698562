// The wire frame: a four-byte big-endian length, then that number of bytes of UTF-8 JSON.
// Clients and services use this module. An invalid frame is returned as a value, never thrown.
import { isUtf8 } from 'node:buffer'
import { reasonOf, ZeeError } from '@zee/core/errors'
import { isObject } from '@zee/core/json'

export { checkSocketPath } from './socket-path.ts'

/** A JSON object from the peer; its fields are not checked. */
export type Message = Record<string, unknown>

export type Frame =
  | { kind: 'message'; message: Message }
  /** Complete, but not a JSON object; the next frame can still be read. */
  | { kind: 'unusable'; reason: string }
  /** The length is above the limit; nothing after it can be read. */
  | { kind: 'oversized'; reason: string }

export const maxFrameBytes = 64 * 1024 * 1024

const headerBytes = 4

/** Encodes one frame; throws when it is too large or not JSON. */
export function encodeFrame(message: object, maxBytes = maxFrameBytes): Buffer {
  const json = toJson(message)
  const length = Buffer.byteLength(json)
  if (length > maxBytes) throw new ZeeError('frame_too_large', tooLargeMessage(length, maxBytes))
  const frame = Buffer.allocUnsafe(headerBytes + length)
  frame.writeUInt32BE(length)
  frame.write(json, headerBytes)
  return frame
}

/** Joins pieces of any size into frames. A frame is copied once, when it is complete. */
export class FrameReader {
  readonly #maxBytes: number
  #pieces: Buffer[] = []
  /** Start of the unread part of the first piece. */
  #offset = 0
  #bytes = 0
  #length: number | undefined
  #isOversized = false

  constructor(maxBytes = maxFrameBytes) {
    this.#maxBytes = maxBytes
  }

  /** Number of buffered bytes. */
  get bytes(): number {
    return this.#bytes
  }

  /** Whether `next` has something to return. */
  get isReady(): boolean {
    const length = this.#header()
    return length !== undefined && (length > this.#maxBytes || this.#bytes >= length)
  }

  push(piece: Buffer): void {
    if (this.#isOversized || piece.length === 0) return
    this.#pieces.push(piece)
    this.#bytes += piece.length
  }

  /** The next complete frame, or undefined. After an oversized header there is none. */
  next(): Frame | undefined {
    const length = this.#header()
    if (length === undefined) return undefined
    if (length > this.#maxBytes) return this.#refuse(length)
    if (this.#bytes < length) return undefined
    this.#length = undefined
    return decodeBody(this.#take(length))
  }

  #header(): number | undefined {
    if (this.#length === undefined && this.#bytes >= headerBytes) {
      this.#length = this.#take(headerBytes).readUInt32BE(0)
    }
    return this.#length
  }

  #refuse(length: number): Frame | undefined {
    if (this.#isOversized) return undefined
    this.#isOversized = true
    this.#pieces = []
    this.#bytes = 0
    return { kind: 'oversized', reason: tooLargeMessage(length, this.#maxBytes) }
  }

  #take(count: number): Buffer {
    this.#bytes -= count
    const first = this.#pieces[0]
    if (first === undefined) return Buffer.alloc(0)
    if (first.length - this.#offset > count) {
      this.#offset += count
      return first.subarray(this.#offset - count, this.#offset)
    }
    return this.#join(count)
  }

  #join(count: number): Buffer {
    const parts: Buffer[] = []
    let missing = count
    let used = 0
    for (const piece of this.#pieces) {
      if (missing === 0) break
      const part = piece.subarray(this.#offset, this.#offset + missing)
      parts.push(part)
      missing -= part.length
      const isUsedUp = this.#offset + part.length === piece.length
      this.#offset = isUsedUp ? 0 : this.#offset + part.length
      if (isUsedUp) used += 1
    }
    this.#pieces = this.#pieces.slice(used)
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, count)
  }
}

/** Whether a JSON value is an object and not an array. */
export function isMessage(value: unknown): value is Message {
  return isObject(value)
}

function toJson(message: object): string {
  try {
    return JSON.stringify(message)
  } catch (error) {
    throw new ZeeError('not_json', `the answer cannot be written as JSON: ${reasonOf(error)}`)
  }
}

function decodeBody(body: Buffer): Frame {
  if (body.length === 0) return { kind: 'unusable', reason: 'the frame is empty' }
  if (!isUtf8(body)) return { kind: 'unusable', reason: 'the frame is not valid UTF-8' }
  let value: unknown
  try {
    value = JSON.parse(body.toString('utf8'))
  } catch {
    return { kind: 'unusable', reason: 'the frame is not valid JSON' }
  }
  if (!isMessage(value)) return { kind: 'unusable', reason: 'the frame is not a JSON object' }
  return { kind: 'message', message: value }
}

function tooLargeMessage(length: number, maxBytes: number): string {
  return `a frame of ${length} bytes is above the limit of ${maxBytes} bytes`
}
