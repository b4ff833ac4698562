// Reads complete files for a search and counts their characters. Files that are too large for that are returned open.
import { closeSync, fstatSync, readSync } from 'node:fs'
import { allocateTextMemory } from './memory.ts'
import type { TextMemory } from './memory.ts'

/** Files up to this size are read at once; larger ones are searched in parts (search/large-search.ts). */
export const maxReadBytes = 16 << 20

export interface LargeFile {
  fd: number
  size: number
}

export class FileReader {
  /** Characters of all files read so far. */
  chars = 0
  /** Files larger than `maxBytes`. */
  skippedLarge = 0
  readonly #maxBytes: number
  /** Bytes requested per file: one more than a file may have, to detect larger files. */
  readonly #requestedBytes: number
  #memory: TextMemory | undefined

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
    this.#requestedBytes = Math.min(maxBytes, maxReadBytes) + 1
  }

  /**
   * The text of a file, valid until the next call; undefined if it cannot or must not be read. Closes the file,
   * unless it is large: then the caller searches it in parts and closes it.
   */
  read(fd: number): Buffer | LargeFile | undefined {
    if (fd === -1) return undefined
    this.#memory ??= allocateTextMemory(this.#requestedBytes)
    const { buffer } = this.#memory
    let large: LargeFile | undefined
    try {
      const length = readUpTo(fd, buffer, this.#requestedBytes)
      if (length === this.#requestedBytes) return (large = this.#largeFile(fd))
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

/**
 * Reads from the start of a file up to its end or `maxBytes`, to an offset of the buffer. A short read is the end of
 * the file, unless it has whole pages: files under /proc are returned page by page.
 */
export function readUpTo(fd: number, buffer: Buffer, maxBytes: number, offset = 0): number {
  let length = readSync(fd, buffer, offset, maxBytes, 0)
  while (length < maxBytes && length > 0 && (length & 4095) === 0) {
    const more = readSync(fd, buffer, offset + length, maxBytes - length, length)
    if (more === 0) break
    length += more
  }
  return length
}
