// Finds the end of a message body in the bytes of a connection and extracts its content from the chunked
// framing. The bytes themselves are forwarded unchanged.
import type { Framing } from './framing.ts'
import { areTrailers, HeadReader } from '../head/head.ts'

export { answerFraming, isBodiless, requestFraming } from './framing.ts'
export type { Framing } from './framing.ts'

const carriageReturn = 0x0d
const lineFeed = 0x0a
const semicolon = 0x3b
const tab = 0x09
const space = 0x20
const delete_ = 0x7f

/** Maximum hexadecimal digits of a chunk size; 13 digits stay below 2^53. */
const maxSizeDigits = 13
const maxExtensionBytes = 16 * 1024

type State =
  | 'size'
  | 'extension'
  | 'size-end'
  | 'content'
  | 'content-cr'
  | 'content-lf'
  | 'trailers'

export class BodyReader {
  readonly #framing: Framing
  readonly #onContent: (content: Buffer) => void
  /** Bytes left in the body or chunk; infinite when the connection's end delimits the body. */
  #remaining: number
  #state: State = 'size'
  #digits = 0
  #extension = 0
  readonly #trailers = new HeadReader({ mayBeEmpty: true })
  isComplete = false
  isMalformed = false

  constructor(framing: Framing, onContent: (content: Buffer) => void) {
    this.#framing = framing
    this.#onContent = onContent
    this.#remaining =
      framing.kind === 'length' ? framing.bytes : framing.kind === 'close' ? Infinity : 0
    this.isComplete = framing.kind === 'none'
  }

  /** Reads body bytes from `start` on and returns the offset where they end. */
  read(chunk: Buffer, start: number): number {
    if (this.isComplete || this.isMalformed) return start
    if (this.#framing.kind === 'chunked') return this.#chunks(chunk, start)
    const end = this.#content(chunk, start)
    this.isComplete = this.#remaining === 0
    return end
  }

  #content(chunk: Buffer, start: number): number {
    const end = Math.min(chunk.length, start + this.#remaining)
    this.#remaining -= end - start
    if (end > start) this.#onContent(chunk.subarray(start, end))
    return end
  }

  #chunks(chunk: Buffer, start: number): number {
    let at = start
    while (at < chunk.length && !this.isComplete && !this.isMalformed) {
      if (this.#state === 'content') {
        at = this.#content(chunk, at)
        if (this.#remaining === 0) this.#state = 'content-cr'
      } else if (this.#state === 'trailers') at = this.#trailer(chunk, at)
      else this.#mark(chunk[at++] ?? 0)
    }
    return at
  }

  #mark(byte: number): void {
    switch (this.#state) {
      case 'size':
        this.#size(byte)
        break
      case 'extension':
        if (byte === carriageReturn) this.#state = 'size-end'
        else this.isMalformed = isControl(byte) || ++this.#extension > maxExtensionBytes
        break
      case 'size-end':
        this.#expect(byte, lineFeed, this.#remaining === 0 ? 'trailers' : 'content')
        this.#digits = 0
        this.#extension = 0
        break
      case 'content-cr':
        this.#expect(byte, carriageReturn, 'content-lf')
        break
      default:
        this.#expect(byte, lineFeed, 'size')
    }
  }

  #size(byte: number): void {
    const value = hexadecimal(byte)
    if (value !== undefined) {
      this.#remaining = this.#remaining * 16 + value
      this.isMalformed = ++this.#digits > maxSizeDigits
    } else if (this.#digits === 0) this.isMalformed = true
    else if (byte === carriageReturn) this.#state = 'size-end'
    else if (byte === semicolon) this.#state = 'extension'
    else this.isMalformed = true
  }

  #expect(byte: number, wanted: number, next: State): void {
    if (byte === wanted) this.#state = next
    else this.isMalformed = true
  }

  #trailer(chunk: Buffer, at: number): number {
    const progress = this.#trailers.read(chunk, at)
    if (progress.kind === 'unfinished') return chunk.length
    this.isComplete = progress.kind === 'complete' && areTrailers(progress.text)
    this.isMalformed = !this.isComplete
    return progress.kind === 'complete' ? progress.end : chunk.length
  }
}

function hexadecimal(byte: number): number | undefined {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : undefined
}

function isControl(byte: number): boolean {
  return (byte < space && byte !== tab) || byte === delete_
}
