// Hits of texts in the kernel's memory, written as JSON without being made first. Lines that are long, or hold
// more than ASCII, are left to those who make hits one by one.
import { reserve } from '../../../kernel/kernel.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { lineBytes } from '../area.ts'
import { SpareBuffers } from './spare-buffers.ts'

/** What a writer needs: for the beginning of a hit, for hits, and two words. */
const headBytes = 16 << 10
const hitsBytes = 512 << 10
const wordsBytes = 64

/** Longer lines are not worth it. */
const mostLineBytes = 16 << 10

const quote = 0x22
const backslash = 0x5c
const behindName = Buffer.from('","line":')

/** Bytes that stand for themselves in JSON. */
const plainPath = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/

/** Why the kernel ended: there is no more room. */
const noRoom = 1

export class HitWriter {
  readonly #kernel: Kernel
  readonly #headAt: number
  readonly #hitsAt: number
  readonly #wordsAt: number
  readonly #words: Uint32Array
  /** The memory of the beginning and of the hits: to ask for all of it costs as much as a small file. */
  readonly #head: Buffer
  readonly #hits: Buffer
  #headLength = 0
  #folder = ''
  #isPlainFolder = false
  #nameAt = 0
  /** Where the next hit goes. */
  #next: number
  #pieces: Uint8Array[] = []
  readonly #buffers = new SpareBuffers()

  /** Undefined when there is no memory for one. */
  static in(kernel: Kernel): HitWriter | undefined {
    const at = reserve(kernel.memory, headBytes + hitsBytes + wordsBytes)
    return at === undefined ? undefined : new HitWriter(kernel, at)
  }

  constructor(kernel: Kernel, at: number) {
    this.#kernel = kernel
    this.#headAt = at
    this.#hitsAt = at + headBytes
    this.#wordsAt = at + headBytes + hitsBytes
    this.#words = new Uint32Array(kernel.memory.buffer, this.#wordsAt, 2)
    this.#head = Buffer.from(kernel.memory.buffer, this.#headAt, headBytes)
    this.#hits = Buffer.from(kernel.memory.buffer, this.#hitsAt, hitsBytes)
    this.#next = this.#hitsAt
  }

  /** Hits of this file come next; false when they are not for here. `folder` ends with a slash. */
  begin(folder: string, name: string): boolean {
    if (folder !== this.#folder || this.#nameAt === 0) this.#beginFolder(folder)
    if (!this.#isPlainFolder || name.length > headBytes / 4) return false
    const head = this.#head
    let at = this.#nameAt
    // A loop, as this is done for every file, and most names are short.
    for (let index = 0; index < name.length; index++) {
      const code = name.charCodeAt(index)
      if (code < 0x20 || code > 0x7e || code === quote || code === backslash) return false
      head[at++] = code
    }
    for (let index = 0; index < behindName.length; index++) head[at++] = behindName[index] as number
    this.#headLength = at
    return true
  }

  /** Files of one folder come one after the other. */
  #beginFolder(folder: string): void {
    this.#folder = folder
    this.#isPlainFolder = folder.length <= headBytes / 2 && plainPath.test(folder)
    if (!this.#isPlainFolder) return
    const head = `{"path":"${folder}`
    this.#nameAt = this.#head.write(head, 'latin1')
  }

  /** Writes lines of the text at an address, given as words, up to one that is not for here. */
  write(text: number, words: number, count: number, maxLineChars: number): number {
    let written = 0
    for (;;) {
      const at = words + written * lineBytes
      this.#writeSome(text, at, count - written, maxLineChars)
      written += this.#words[0] as number
      if (this.#words[1] !== noRoom || this.#next === this.#hitsAt) return written
      this.#cut()
    }
  }

  /** What was written since, in pieces: objects with commas between them. */
  take(): Uint8Array[] {
    this.#cut()
    return this.#pieces.splice(0)
  }

  /** Nobody reads these pieces any more. */
  giveBack(pieces: readonly unknown[]): void {
    for (const piece of pieces) if (piece instanceof Uint8Array) this.#buffers.giveBack(piece)
  }

  /** How many lines were written, and why no more, is in the words. */
  #writeSome(text: number, words: number, count: number, maxLineChars: number): void {
    const end = this.#kernel.writeHits(
      text,
      words,
      count,
      this.#headAt,
      this.#headLength,
      this.#next,
      this.#hitsAt + hitsBytes,
      Math.min(maxLineChars, mostLineBytes),
      this.#wordsAt,
    )
    this.#next = end >>> 0
  }

  #cut(): void {
    if (this.#next === this.#hitsAt) return
    // Without the last comma.
    const piece = this.#hits.subarray(0, this.#next - 1 - this.#hitsAt)
    this.#pieces.push(this.#buffers.copy(piece))
    this.#next = this.#hitsAt
  }
}
