// Files read one behind the other into the same memory, so that many small ones are searched and counted
// at once. Each begins at a multiple of sixteen with zeroes before it, which count as nothing.
import { closeSync, fstatSync } from 'node:fs'
import { countedBuffer } from '../text/counted-buffer.ts'
import type { CountedBuffer } from '../text/counted-buffer.ts'
import type { TreeWalk } from '../walk.ts'
import { readUpTo, WHOLE_FILE_BYTES } from './file-reads.ts'
import type { LargeFile } from './file-reads.ts'
import type { Needle } from './needle.ts'

/** What is read before it is searched: little at first, because most searches end soon. */
const FIRST_FILES = 32
const MOST_FILES = 512
const MOST_BYTES = 512 << 10

const noBytes = Buffer.alloc(0)

export class FileBatch {
  /** Number of the file that `seek` stopped at. */
  at = -1
  /** Files in the batch. */
  length = 0
  /** The last file has to be searched in parts. */
  large: LargeFile | undefined
  readonly #maxBytes: number
  /** What is read at once: one byte more than a file may have, which shows the larger ones. */
  readonly #readBytes: number
  #memory: CountedBuffer | undefined
  #room = FIRST_FILES
  #used = 0
  #prefixes: string[] = []
  #names: string[] = []
  readonly #starts = new Int32Array(MOST_FILES)
  readonly #ends = new Int32Array(MOST_FILES)
  /** Files too large to be searched, up to and including each. */
  readonly #skipped = new Int32Array(MOST_FILES)
  /** The file that counting came to, and what it has counted in this batch. */
  #countedTo = 0
  #chars = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
    this.#readBytes = Math.min(maxBytes, WHOLE_FILE_BYTES) + 1
  }

  get hasRoom(): boolean {
    return this.length < this.#room && this.#used < MOST_BYTES && this.large === undefined
  }

  /** Takes the file that the walk stopped at; one that cannot be read is empty. */
  add(walk: TreeWalk): void {
    const index = this.length++
    this.#prefixes[index] = walk.prefix
    this.#names[index] = walk.name
    this.#starts[index] = this.#used
    this.#ends[index] = this.#used
    this.#skipped[index] = index === 0 ? 0 : (this.#skipped[index - 1] as number)
    const fd = walk.openHere()
    if (fd !== -1) this.#read(fd, index)
  }

  #read(fd: number, index: number): void {
    this.#memory ??= countedBuffer(this.#readBytes + MOST_BYTES + 64)
    const { buffer } = this.#memory
    try {
      const length = readUpTo(fd, buffer, this.#readBytes, this.#used)
      if (length === this.#readBytes) this.#setLarge(fd, index)
      else if (length > 0) {
        const end = this.#used + length
        this.#ends[index] = end
        this.#used = (end + 16) & ~15
        buffer.fill(0, end, this.#used)
      }
    } catch {
      // It is no file any more.
    } finally {
      if (this.large === undefined) closeSync(fd)
    }
  }

  #setLarge(fd: number, index: number): void {
    const stats = fstatSync(fd)
    if (stats.isFile() && stats.size <= this.#maxBytes) this.large = { fd, size: stats.size }
    else (this.#skipped[index] as number)++
  }

  /** Goes to the next file that may hold the needle, or to the next of all; false at the end. */
  seek(needle: Needle | undefined): boolean {
    this.at++
    if (needle !== undefined) this.at = this.#holderFrom(this.at, needle)
    return this.at < this.length
  }

  /** The first file that holds the needle, from one on. */
  #holderFrom(first: number, needle: Needle): number {
    const last = this.large === undefined ? this.length : this.length - 1
    const bytes = this.#memory?.buffer.subarray(0, this.#used)
    if (first >= last || bytes === undefined) return Math.max(first, last)
    let index = first
    let at = needle.find(bytes, this.#starts[first] as number)
    while (at !== -1) {
      while (index < last && (this.#ends[index] as number) <= at) index++
      if (index === last || at + needle.length <= (this.#ends[index] as number)) return index
      // It reaches into the zeroes behind the file.
      if (++index === last) return last
      at = needle.find(bytes, this.#starts[index] as number)
    }
    return last
  }

  get path(): string {
    return (this.#prefixes[this.at] ?? '') + (this.#names[this.at] ?? '')
  }

  /** The current file whole, until the batch is cleared. */
  get bytes(): Buffer {
    return this.#memory?.buffer.subarray(this.#starts[this.at], this.#ends[this.at]) ?? noBytes
  }

  /** Files up to and including this one that were larger than may be searched. */
  skippedTo(index: number): number {
    return index < 0 ? 0 : (this.#skipped[index] as number)
  }

  /** Characters of the files up to and including this one. */
  charsTo(index: number): number {
    if (this.#memory === undefined || index < this.#countedTo) return this.#chars
    const from = this.#starts[this.#countedTo] as number
    const next = index + 1
    const to = next === this.length ? this.#used : (this.#starts[next] as number)
    let zeroes = to - from
    for (let each = this.#countedTo; each < next; each++) {
      zeroes -= (this.#ends[each] as number) - (this.#starts[each] as number)
    }
    if (to > from) this.#chars += this.#memory.countCharsBetween(from, to) - zeroes
    this.#countedTo = next
    return this.#chars
  }

  /** Forgets its files. */
  clear(): void {
    this.#room = Math.min(this.#room * 2, MOST_FILES)
    this.at = -1
    this.length = 0
    this.#used = 0
    this.#countedTo = 0
    this.#chars = 0
  }

  close(): void {
    if (this.large !== undefined) closeSync(this.large.fd)
    this.large = undefined
    this.#memory?.release()
    this.#memory = undefined
  }
}
