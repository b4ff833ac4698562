// Writes hits of texts in the kernel's memory directly as JSON, without an object per hit. The caller creates objects
// for lines that are long or not ASCII.
import { reserve } from '../kernel/kernel.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { lineBytes } from './line-words.ts'
import { BufferPool } from './buffer-pool.ts'

/**
 * Memory of a writer: for the head of a hit (up to its line number), for the start of its citation (up to the path), for
 * hits, and for two words.
 */
const headBytes = 16 << 10
const citeBytes = 256
const hitsBytes = 512 << 10
const wordsBytes = 64

/** Longer lines are left to the caller. */
const maxLineBytes = 16 << 10

const quote = 0x22
const backslash = 0x5c
const afterName = Buffer.from('","line":')

/** Characters that JSON does not escape. */
const plainPath = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/

/** Why the kernel stopped: the memory for hits is full. */
const memoryFull = 1

const buffers = new BufferPool()

export class HitWriter {
  readonly #kernel: Kernel
  readonly #headAt: number
  readonly #citeAt: number
  readonly #hitsAt: number
  readonly #wordsAt: number
  readonly #words: Uint32Array
  /** Views of the head and of the hits: to create one costs as much as to search a small file. */
  readonly #head: Buffer
  readonly #hits: Buffer
  #headLength = 0
  /** 0 for hits without a citation. */
  #citeLength = 0
  #folder = ''
  #isPlainFolder = false
  /** Offset of the name in the head; 0 before the first folder. */
  #nameOffset = 0
  /** Address of the next hit. */
  #next: number
  #pieces: Uint8Array[] = []
  /** Bytes of all hits written so far. */
  bytes = 0

  /** Undefined if there is no memory. */
  static in(kernel: Kernel): HitWriter | undefined {
    const at = reserve(kernel.memory, headBytes + citeBytes + hitsBytes + wordsBytes)
    return at === undefined ? undefined : new HitWriter(kernel, at)
  }

  constructor(kernel: Kernel, at: number) {
    this.#kernel = kernel
    this.#headAt = at
    this.#citeAt = at + headBytes
    this.#hitsAt = this.#citeAt + citeBytes
    this.#wordsAt = this.#hitsAt + hitsBytes
    this.#words = new Uint32Array(kernel.memory.buffer, this.#wordsAt, 2)
    this.#head = Buffer.from(kernel.memory.buffer, this.#headAt, headBytes)
    this.#hits = Buffer.from(kernel.memory.buffer, this.#hitsAt, hitsBytes)
    this.#next = this.#hitsAt
  }

  /** Starts the hits of a search; those of a revision have a citation. */
  startSearch(rev: string | undefined): void {
    const cite = rev === undefined ? '' : `","cite":"${rev}:`
    this.#citeLength = this.#kernel.bytes().write(cite, this.#citeAt, 'latin1')
  }

  /** An upper bound of the bytes of one hit of the file. */
  maxHitBytes(maxLineChars: number): number {
    const cite = this.#citeLength === 0 ? 0 : this.#citeLength + this.#headLength
    return this.#headLength + cite + 32 + 6 * Math.min(maxLineChars, maxLineBytes)
  }

  /** Starts the hits of a file; false if its path needs escapes. `folder` ends with a slash. */
  startFile(folder: string, name: string): boolean {
    if (folder !== this.#folder || this.#nameOffset === 0) this.#startFolder(folder)
    if (!this.#isPlainFolder || name.length > headBytes / 4) return false
    const head = this.#head
    let offset = this.#nameOffset
    // A loop is faster than `Buffer.write`: most names are short.
    for (let index = 0; index < name.length; index++) {
      const code = name.charCodeAt(index)
      if (code < 0x20 || code > 0x7e || code === quote || code === backslash) return false
      head[offset++] = code
    }
    for (let index = 0; index < afterName.length; index++) {
      head[offset++] = afterName[index] as number
    }
    this.#headLength = offset
    return true
  }

  #startFolder(folder: string): void {
    this.#folder = folder
    this.#isPlainFolder = folder.length <= headBytes / 2 && plainPath.test(folder)
    if (!this.#isPlainFolder) return
    const head = `{"path":"${folder}`
    this.#nameOffset = this.#head.write(head, 'latin1')
  }

  /** Writes lines of a text, given as words, up to the first that is left to the caller. Returns how many. */
  write(text: number, words: number, count: number, maxLineChars: number): number {
    let written = 0
    for (;;) {
      const at = words + written * lineBytes
      this.#writeSome(text, at, count - written, maxLineChars)
      written += this.#words[0] as number
      if (this.#words[1] !== memoryFull || this.#next === this.#hitsAt) return written
      this.#cut()
    }
  }

  /** Returns the hits written since the last call, as pieces of JSON objects with commas between them. */
  take(): Uint8Array[] {
    this.#cut()
    return this.#pieces.splice(0)
  }

  /** Makes the memory of pieces reusable. */
  release(pieces: readonly unknown[]): void {
    for (const piece of pieces) if (piece instanceof Uint8Array) buffers.release(piece)
  }

  /** Sets the words: how many lines were written, and why no more. */
  #writeSome(text: number, words: number, count: number, maxLineChars: number): void {
    const end = this.#kernel.writeHits(
      text,
      words,
      count,
      this.#headAt,
      this.#headLength,
      this.#citeAt,
      this.#citeLength,
      this.#next,
      this.#hitsAt + hitsBytes,
      Math.min(maxLineChars, maxLineBytes),
      this.#wordsAt,
    )
    this.bytes += (end >>> 0) - this.#next
    this.#next = end >>> 0
  }

  #cut(): void {
    if (this.#next === this.#hitsAt) return
    // Without the last comma.
    const piece = this.#hits.subarray(0, this.#next - 1 - this.#hitsAt)
    this.#pieces.push(buffers.copy(piece))
    this.#next = this.#hitsAt
  }
}
