// Files read one behind the other into the same memory, so that many small ones are searched and counted
// at once. Each begins at a multiple of sixteen with zeroes before it, which count as nothing.
import { closeSync, fstatSync } from 'node:fs'
import { countChars } from '../text/text.ts'
import { readUpTo, textMemory, wholeFileBytes } from '../content/content.ts'
import type { LargeFile, TextMemory } from '../content/content.ts'
import type { FileRun } from '../walk/walk.ts'
import type { PlainNeedle } from '../finder/finder.ts'

export interface BatchSize {
  files: number
  bytes: number
}

/** Files of the first batch; each batch after it has twice as many, because most searches end soon. */
const firstFiles = 32
const defaultSize: BatchSize = { files: 512, bytes: 512 << 10 }
const slash = 0x2f

const noBytes = Buffer.alloc(0)

/** Some files of a search, one behind the other. */
export interface ReadBatch {
  /** Number of the file that `seek` stopped at. */
  readonly at: number
  /** Files in the batch. */
  readonly length: number
  readonly path: string
  /** The file at hand whole, until the batch is cleared or gone on with. */
  readonly bytes: Buffer
  /** The file at hand has to be searched in parts. */
  readonly isLarge: boolean
  /** That file, for the caller to search and close. */
  takeLarge(): LargeFile | undefined
  /** Goes to the next file that may hold what is looked for, or to the next of all; false at the end. */
  seek(): boolean
  /** Characters of the files up to and including this one. */
  charsTo(index: number): number
  /** Files up to and including this one that were larger than may be searched. */
  skippedTo(index: number): number
}

export class FileBatch implements ReadBatch {
  at = -1
  length = 0
  /** The last file has to be searched in parts. */
  #large: LargeFile | undefined
  readonly #maxBytes: number
  #needle: PlainNeedle | undefined
  /** What is read at once: one byte more than a file may have, which shows the larger ones. */
  readonly #readBytes: number
  #memory: TextMemory | undefined
  /** The same memory without the checks that a Buffer makes. */
  #bytes: Uint8Array = noBytes
  readonly #size: BatchSize
  /** Files that the batch may hold. */
  #room: number
  #used = 0
  #prefixes: string[] = []
  #names: string[] = []
  readonly #starts: Int32Array
  readonly #ends: Int32Array
  /** Files too large to be searched, up to and including each. */
  readonly #skipped: Int32Array
  /** The file that counting came to, and what it has counted in this batch. */
  #countedTo = 0
  #chars = 0

  /** A batch of the default size grows to it; a batch of another size has it from the start. */
  constructor(maxBytes: number, size?: BatchSize) {
    this.#maxBytes = maxBytes
    this.#size = size ?? defaultSize
    this.#room = size?.files ?? firstFiles
    this.#starts = new Int32Array(this.#size.files)
    this.#ends = new Int32Array(this.#size.files)
    this.#skipped = new Int32Array(this.#size.files)
    this.#readBytes = Math.min(maxBytes, wholeFileBytes) + 1
  }

  /** From now on `seek` stops only at files that may hold this. */
  lookFor(needle: PlainNeedle): void {
    this.#needle = needle
    this.#memory?.lookFor(needle)
  }

  get hasRoom(): boolean {
    return this.length < this.#room && this.#used < this.#size.bytes && this.#large === undefined
  }

  /** Takes a file that was opened, -1 for one that cannot be; closes it. */
  add(prefix: string, name: string, fd: number): void {
    const index = this.length++
    const start = this.#used
    this.#prefixes[index] = prefix
    this.#names[index] = name
    this.#starts[index] = start
    this.#ends[index] = start
    this.#skipped[index] = index === 0 ? 0 : (this.#skipped[index - 1] as number)
    if (fd === -1) return
    this.#memory ??= this.#newMemory()
    try {
      const length = readUpTo(fd, this.#memory.buffer, this.#readBytes, start)
      if (length === this.#readBytes) this.#setLarge(fd, index)
      else if (length > 0) {
        const end = start + length
        const next = (end + 16) & ~15
        this.#ends[index] = end
        this.#used = next
        this.#bytes.fill(0, end, next)
      }
    } catch {
      // It is no file any more.
    }
    if (this.#large === undefined) closeSync(fd)
  }

  /** Takes files of a run, at most so many; says how many. */
  addRun({ prefix, names, next: at, working }: FileRun, most: number): number {
    const end = Math.min(names.length, at + most)
    let next = at
    for (; next < end && this.hasRoom; next++) {
      const name = names[next] as string
      if (name.charCodeAt(name.length - 1) === slash) break
      this.add(prefix, name, working.openFile(name))
    }
    return next - at
  }

  #newMemory(): TextMemory {
    const memory = textMemory(this.#readBytes + this.#size.bytes + 64)
    const { buffer, byteOffset, length } = memory.buffer
    this.#bytes = new Uint8Array(buffer, byteOffset, length)
    if (this.#needle !== undefined) memory.lookFor(this.#needle)
    return memory
  }

  #setLarge(fd: number, index: number): void {
    const stats = fstatSync(fd)
    if (stats.isFile() && stats.size <= this.#maxBytes) this.#large = { fd, size: stats.size }
    else (this.#skipped[index] as number)++
  }

  get isLarge(): boolean {
    return this.#large !== undefined && this.at === this.length - 1
  }

  takeLarge(): LargeFile | undefined {
    if (!this.isLarge) return undefined
    const large = this.#large
    this.#large = undefined
    return large
  }

  seek(): boolean {
    this.at++
    if (this.#needle !== undefined) this.at = this.#holderFrom(this.at, this.#needle)
    return this.at < this.length
  }

  /** The first file that holds the needle, from one on. */
  #holderFrom(first: number, { bytes }: PlainNeedle): number {
    const last = this.#large === undefined ? this.length : this.length - 1
    const memory = this.#memory
    if (first >= last || memory === undefined) return Math.max(first, last)
    let index = first
    let at = memory.find(this.#starts[first] as number, this.#used)
    while (at !== -1) {
      while (index < last && (this.#ends[index] as number) <= at) index++
      if (index === last || at + bytes.length <= (this.#ends[index] as number)) return index
      // It reaches into the zeroes behind the file.
      if (++index === last) return last
      at = memory.find(this.#starts[index] as number, this.#used)
    }
    return last
  }

  get path(): string {
    return (this.#prefixes[this.at] ?? '') + (this.#names[this.at] ?? '')
  }

  get bytes(): Buffer {
    return this.#memory?.buffer.subarray(this.#starts[this.at], this.#ends[this.at]) ?? noBytes
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

  /** Characters of some files, together as far as they are UTF-8. */
  #count(memory: TextMemory, first: number, next: number): number {
    const from = this.#starts[first] as number
    const to = next === this.length ? this.#used : (this.#starts[next] as number)
    if (to === from) return 0
    let zeroes = to - from
    for (let each = first; each < next; each++) {
      zeroes -= (this.#ends[each] as number) - (this.#starts[each] as number)
    }
    const chars = memory.countCharsBetween(from, to)
    if (chars !== undefined) return chars - zeroes
    if (next - first === 1) return countChars(memory.buffer.subarray(from, this.#ends[first]))
    const middle = (first + next) >> 1
    return this.#count(memory, first, middle) + this.#count(memory, middle, next)
  }

  /** Forgets its files. */
  clear(): void {
    this.#dropLarge()
    this.#room = Math.min(this.#room * 2, this.#size.files)
    this.at = -1
    this.length = 0
    this.#used = 0
    this.#countedTo = 0
    this.#chars = 0
  }

  #dropLarge(): void {
    if (this.#large !== undefined) closeSync(this.#large.fd)
    this.#large = undefined
  }

  close(): void {
    this.#dropLarge()
    this.#memory?.release()
    this.#memory = undefined
  }
}
