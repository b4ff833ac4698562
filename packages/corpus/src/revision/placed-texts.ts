// Contents of blobs in the kernel's memory: searching one again needs no copy. A damaged repository may have another
// content under an object's name, so repositories do not share them. The memory is filled from its start. Once it is
// full, it is filled anew, unless the current search uses much of what is there.
import { isAscii } from 'node:buffer'
import type { Kernel } from '../kernel/kernel.ts'

export interface PlacedText {
  address: number
  length: number
  isAscii: boolean
}

export class PlacedTexts {
  readonly #kernel: Kernel
  /** By the number of the repository's reader, then by object name. */
  readonly #texts = new Map<number, Map<string, PlacedText>>()
  /** For texts that there is no memory for. */
  readonly #scratchAt: number
  readonly #firstAt: number
  readonly #endAt: number
  #nextAt: number
  /** Bytes of texts that the current search used. */
  #usedBytes = 0

  /** `at` is the address of `maxTextBytes` and `bytes`, of which the texts that are kept take the latter. */
  constructor(kernel: Kernel, at: number, maxTextBytes: number, bytes: number) {
    this.#kernel = kernel
    this.#scratchAt = at
    this.#firstAt = at + spaceOf(maxTextBytes)
    this.#endAt = this.#firstAt + bytes
    this.#nextAt = this.#firstAt
  }

  startSearch(): void {
    this.#usedBytes = 0
  }

  get(reader: number, object: string): PlacedText | undefined {
    const text = this.#texts.get(reader)?.get(object)
    if (text !== undefined) this.#usedBytes += text.length
    return text
  }

  /** The text is valid until the next call. */
  add(reader: number, object: string, content: Buffer): PlacedText {
    const space = spaceOf(content.length)
    const isUsed = this.#usedBytes > (this.#endAt - this.#firstAt) / 2
    if (this.#nextAt + space > this.#endAt && !isUsed) this.#clear()
    if (this.#nextAt + space > this.#endAt) return this.#place(this.#scratchAt, content)
    const text = this.#place(this.#nextAt, content)
    this.#nextAt += space
    this.#usedBytes += content.length
    const texts = this.#texts.get(reader) ?? new Map<string, PlacedText>()
    this.#texts.set(reader, texts.set(object, text))
    return text
  }

  #clear(): void {
    this.#texts.clear()
    this.#nextAt = this.#firstAt
  }

  #place(address: number, content: Buffer): PlacedText {
    const { length } = content
    const bytes = this.#kernel.bytes()
    bytes.set(content, address)
    // The kernel reads past the end of a text, where a line end of another one must not be.
    bytes[address + length] = 0
    return { address, length, isAscii: isAscii(content) }
  }
}

/** Memory for a text and the byte after it. */
export function spaceOf(bytes: number): number {
  return (bytes + 16) & ~15
}
