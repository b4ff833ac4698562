// Stores inputs and outputs of calls in separate parts after the page's code, so that a page shows its
// calls before it parses their texts. One array per call: stdout, stderr, input; 0 for none.
import { escapeJsonBytes } from '@zee/core/page'

export const callsPerPart = 256

const initialBytes = 1024 * 1024

export class TextParts {
  readonly parts: Buffer[] = []
  #buffer = Buffer.allocUnsafe(initialBytes)
  #length = 0
  #calls = 0

  /** Closes the current part and returns the number of the next one; each attempt starts a new part. */
  next(): number {
    this.close()
    return this.parts.length
  }

  /** Starts the entry of a call; the caller writes its three texts next. */
  open(): void {
    if (this.#calls === callsPerPart) this.close()
    this.write(this.#calls === 0 ? '[[' : ',[')
    this.#calls++
  }

  separate(): void {
    this.write(',')
  }

  end(): void {
    this.write(']')
  }

  /** Appends JSON text. */
  write(text: string): void {
    // One UTF-16 unit takes at most 3 bytes of UTF-8.
    this.#makeRoom(text.length * 3)
    this.#length += this.#buffer.write(text, this.#length)
  }

  /** Appends JSON text from bytes. */
  copy(bytes: Buffer, from: number, to: number): void {
    this.#makeRoom(to - from)
    this.#length += bytes.copy(this.#buffer, this.#length, from, to)
  }

  close(): void {
    if (this.#calls === 0) return
    this.write(']')
    this.parts.push(escapeJsonBytes(Buffer.from(this.#buffer.subarray(0, this.#length))))
    this.#length = 0
    this.#calls = 0
  }

  #makeRoom(bytes: number): void {
    if (this.#length + bytes <= this.#buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#length + bytes))
    this.#buffer.copy(larger, 0, 0, this.#length)
    this.#buffer = larger
  }
}
