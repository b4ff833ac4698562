// Inputs and outputs of calls in parts of their own, behind the page's code: a page shows its calls
// before it has read what they printed. One array per call: output, errors, input; 0 for none.
import { escapeJsonBytes } from '@zee/core/page'

export const callsPerPart = 256

const initialBytes = 1024 * 1024

export class TextParts {
  readonly parts: Buffer[] = []
  #buffer = Buffer.allocUnsafe(initialBytes)
  #length = 0
  #calls = 0

  /** The number of the part that the next call begins; each attempt begins one. */
  next(): number {
    this.close()
    return this.parts.length
  }

  /** Opens the entry of a call; its three texts follow. */
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

  /** A JSON text. */
  write(text: string): void {
    const most = text.length * 3
    this.#makeRoom(most)
    this.#length += this.#buffer.write(text, this.#length)
  }

  /** A JSON text that is there as bytes. */
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
