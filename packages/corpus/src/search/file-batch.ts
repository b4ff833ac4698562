// Files read into one memory, so that many small files are searched and counted together. Each text starts at a
// multiple of 16; the padding between texts is zero and belongs to no text.
import { closeSync, fstatSync } from 'node:fs'
import { countChars } from '../text/text.ts'
import { allocateTextMemory, maxReadBytes, readUpTo } from '../content/content.ts'
import type { LargeFile, TextMemory } from '../content/content.ts'
import type { FileRun } from '../walk/walk.ts'
import type { PlainNeedle } from '../finder/finder.ts'

/** Files of the first batch; each batch after it has twice as many, because most searches end soon. */
const firstFiles = 32
const maxFiles = 512
const maxBatchBytes = 512 << 10
const slash = 0x2f

const noBytes = Buffer.alloc(0)

/** Some consecutive files of a search. */
export interface ReadBatch {
  /** The current file: the one at which `seek` stopped. */
  readonly index: number
  /** Files in the batch. */
  readonly length: number
  /** Path of the current file. */
  readonly path: string
  /** Text of the current file, valid until the next `seek` or `clear`. */
  readonly bytes: Buffer
  /** Whether the current file must be searched in parts. */
  readonly isLarge: boolean
  /** The current file if it is large, for the caller to search and close. */
  takeLarge(): LargeFile | undefined
  /** Advances to the next file, with a needle to the next file that contains it; false at the end. */
  seek(): boolean
  /** Characters of the files up to and including `index`. */
  charsTo(index: number): number
  /** Paths of files that could not be read. */
  readonly failed: readonly string[]
  /** Files up to and including `index` that are larger than `maxBytes`. */
  skippedTo(index: number): number
}

export class FileBatch implements ReadBatch {
  index = -1
  length = 0
  failed: string[] = []
  /** The last file, if it must be searched in parts. */
  #large: LargeFile | undefined
  readonly #maxBytes: number
  #needle: PlainNeedle | undefined
  /** Bytes requested per file: one more than a file may have, to detect larger files. */
  readonly #requestedBytes: number
  #memory: TextMemory | undefined
  /** The same memory without a Buffer's checks of arguments. */
  #bytes: Uint8Array = noBytes
  /** Files that the batch may hold. */
  #room = firstFiles
  #used = 0
  #prefixes: string[] = []
  #names: string[] = []
  readonly #starts = new Int32Array(maxFiles)
  readonly #ends = new Int32Array(maxFiles)
  /** Per file: files up to and including it that are too large. */
  readonly #skipped = new Int32Array(maxFiles)
  /** The first file that is not counted yet, and the characters of those before it. */
  #countedTo = 0
  #chars = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
    this.#requestedBytes = Math.min(maxBytes, maxReadBytes) + 1
  }

  /** Lets `seek` stop only at files that contain `needle`. */
  setNeedle(needle: PlainNeedle): void {
    this.#needle = needle
    this.#memory?.setNeedle(needle)
  }

  get hasRoom(): boolean {
    return this.length < this.#room && this.#used < maxBatchBytes && this.#large === undefined
  }

  /** Reads an open file, -1 for an unreadable one, and closes it. */
  add(prefix: string, name: string, fd: number): void {
    const index = this.length++
    const start = this.#used
    this.#prefixes[index] = prefix
    this.#names[index] = name
    this.#starts[index] = start
    this.#ends[index] = start
    this.#skipped[index] = index === 0 ? 0 : (this.#skipped[index - 1] as number)
    if (fd === -1) {
      this.failed.push(prefix + name)
      return
    }
    this.#memory ??= this.#newMemory()
    try {
      const length = readUpTo(fd, this.#memory.buffer, this.#requestedBytes, start)
      if (length === this.#requestedBytes) this.#setLarge(fd, index)
      else if (length > 0) {
        const end = start + length
        const next = (end + 16) & ~15
        this.#ends[index] = end
        this.#used = next
        this.#bytes.fill(0, end, next)
      }
    } catch {
      // The text counts as empty.
      this.failed.push(prefix + name)
    }
    if (this.#large === undefined) closeSync(fd)
  }

  /** Reads up to `maxFiles` files of a run, and returns how many. */
  addRun({ prefix, names, next: first, working }: FileRun, maxFiles: number): number {
    const end = Math.min(names.length, first + maxFiles)
    let next = first
    for (; next < end && this.hasRoom; next++) {
      const name = names[next] as string
      if (name.charCodeAt(name.length - 1) === slash) break
      this.add(prefix, name, working.openFile(name))
    }
    return next - first
  }

  #newMemory(): TextMemory {
    const memory = allocateTextMemory(this.#requestedBytes + maxBatchBytes + 64)
    const { buffer, byteOffset, length } = memory.buffer
    this.#bytes = new Uint8Array(buffer, byteOffset, length)
    if (this.#needle !== undefined) memory.setNeedle(this.#needle)
    return memory
  }

  #setLarge(fd: number, index: number): void {
    const stats = fstatSync(fd)
    if (stats.isFile() && stats.size <= this.#maxBytes) this.#large = { fd, size: stats.size }
    else (this.#skipped[index] as number)++
  }

  get isLarge(): boolean {
    return this.#large !== undefined && this.index === this.length - 1
  }

  takeLarge(): LargeFile | undefined {
    if (!this.isLarge) return undefined
    const large = this.#large
    this.#large = undefined
    return large
  }

  seek(): boolean {
    this.index++
    if (this.#needle !== undefined) this.index = this.#nextMatch(this.index, this.#needle)
    return this.index < this.length
  }

  /** The first file from `first` on that contains the needle. */
  #nextMatch(first: number, { bytes }: PlainNeedle): number {
    const last = this.#large === undefined ? this.length : this.length - 1
    const memory = this.#memory
    if (first >= last || memory === undefined) return Math.max(first, last)
    let index = first
    let at = memory.find(this.#starts[first] as number, this.#used)
    while (at !== -1) {
      while (index < last && (this.#ends[index] as number) <= at) index++
      if (index === last || at + bytes.length <= (this.#ends[index] as number)) return index
      // The match includes padding after the file.
      if (++index === last) return last
      at = memory.find(this.#starts[index] as number, this.#used)
    }
    return last
  }

  get path(): string {
    return (this.#prefixes[this.index] ?? '') + (this.#names[this.index] ?? '')
  }

  get bytes(): Buffer {
    return (
      this.#memory?.buffer.subarray(this.#starts[this.index], this.#ends[this.index]) ?? noBytes
    )
  }

  skippedTo(index: number): number {
    return index < 0 ? 0 : (this.#skipped[index] as number)
  }

  charsTo(index: number): number {
    if (this.#memory === undefined || index < this.#countedTo) return this.#chars
    this.#chars += this.#count(this.#memory, this.#countedTo, index + 1)
    this.#countedTo = index + 1
    return this.#chars
  }

  /** Characters of some files: of all at once if they are UTF-8, otherwise by halves. */
  #count(memory: TextMemory, first: number, next: number): number {
    const from = this.#starts[first] as number
    const to = next === this.length ? this.#used : (this.#starts[next] as number)
    if (to === from) return 0
    let padding = to - from
    for (let index = first; index < next; index++) {
      padding -= (this.#ends[index] as number) - (this.#starts[index] as number)
    }
    const chars = memory.countCharsBetween(from, to)
    if (chars !== undefined) return chars - padding
    if (next - first === 1) return countChars(memory.buffer.subarray(from, this.#ends[first]))
    const middle = (first + next) >> 1
    return this.#count(memory, first, middle) + this.#count(memory, middle, next)
  }

  /** Removes all files. */
  clear(): void {
    this.#closeLarge()
    this.#room = Math.min(this.#room * 2, maxFiles)
    this.index = -1
    this.length = 0
    if (this.failed.length > 0) this.failed = []
    this.#used = 0
    this.#countedTo = 0
    this.#chars = 0
  }

  #closeLarge(): void {
    if (this.#large !== undefined) closeSync(this.#large.fd)
    this.#large = undefined
  }

  close(): void {
    this.#closeLarge()
    this.#memory?.release()
    this.#memory = undefined
  }
}
