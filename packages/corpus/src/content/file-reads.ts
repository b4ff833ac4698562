// Reads files whole for a search, counts them on the way and sets those aside that have to be searched in
// parts or not at all.
import { closeSync, fstatSync, readSync } from 'node:fs'
import { textMemory } from './memory.ts'
import type { TextMemory } from './memory.ts'

/** Larger files are searched in parts (see search/large-search.ts). */
export const wholeFileBytes = 16 << 20

export interface LargeFile {
  fd: number
  size: number
}

export class FileReads {
  /** Characters of all files read so far. */
  chars = 0
  /** Files that were larger than `maxBytes`. */
  skippedLarge = 0
  readonly #maxBytes: number
  /** What is read at once: one byte more than a file may have, which shows the larger ones. */
  readonly #readBytes: number
  #memory: TextMemory | undefined

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
    this.#readBytes = Math.min(maxBytes, wholeFileBytes) + 1
  }

  /**
   * The text of a file, valid until the next call; undefined if it cannot or must not be read. Closes the file,
   * unless it is large: then the caller searches it in parts and closes it.
   */
  read(fd: number): Buffer | LargeFile | undefined {
    if (fd === -1) return undefined
    this.#memory ??= textMemory(this.#readBytes)
    const { buffer } = this.#memory
    let large: LargeFile | undefined
    try {
      const length = readUpTo(fd, buffer, this.#readBytes)
      if (length === this.#readBytes) return (large = this.#largeFile(fd))
      this.chars += this.#memory.countChars(length)
      return buffer.subarray(0, length)
    } catch {
      return undefined
    } finally {
      if (large === undefined) closeSync(fd)
    }
  }

  close(): void {
    this.#memory?.release()
    this.#memory = undefined
  }

  #largeFile(fd: number): LargeFile | undefined {
    const stats = fstatSync(fd)
    if (stats.isFile() && stats.size <= this.#maxBytes) return { fd, size: stats.size }
    this.skippedLarge++
    return undefined
  }
}

/** Reads to the end of the file. One read does it, save for files that come in pages. */
export function readUpTo(fd: number, buffer: Buffer, most: number, at = 0): number {
  let length = readSync(fd, buffer, at, most, 0)
  while (length < most && length > 0 && (length & 4095) === 0) {
    const more = readSync(fd, buffer, at + length, most - length, length)
    if (more === 0) break
    length += more
  }
  return length
}
