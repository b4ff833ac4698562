// The files that a grep looks into, in order: selected, counted, opened, small enough, read.
import { closeSync, fstatSync, readSync } from 'node:fs'
import type { Engine, RequestTime } from '../engine.ts'
import { countedBuffer } from '../text/counted-buffer.ts'
import type { CountedBuffer } from '../text/counted-buffer.ts'
import { TreeWalk } from '../walk.ts'
import type { GrepRequest } from './request.ts'
import type { Taken } from './tally.ts'

/** Larger files are searched in parts (see scan-large.ts). */
export const WHOLE_FILE_BYTES = 16 << 20

export interface LargeFile {
  fd: number
  size: number
}

export class SelectedFiles {
  /** `max_files` was reached and one more file is there. */
  limited = false
  /** The client's deadline passed. */
  late = false
  readonly #walk: TreeWalk
  readonly #request: GrepRequest
  readonly #time: RequestTime
  /** What is read at once: one byte more than a file may have, which shows the larger ones. */
  readonly #readBytes: number
  readonly #memory: CountedBuffer
  readonly #filtered: boolean
  #large: LargeFile | undefined
  #files = 0
  #chars = 0
  #skippedLarge = 0

  constructor(engine: Engine, request: GrepRequest, time: RequestTime) {
    this.#walk = new TreeWalk(engine.root, request.selection.walk)
    this.#request = request
    this.#time = time
    this.#filtered = request.selection.excluded !== undefined || request.paths !== undefined
    this.#readBytes = Math.min(request.maxBytes, WHOLE_FILE_BYTES) + 1
    this.#memory = countedBuffer(this.#readBytes)
  }

  get path(): string {
    return this.#walk.path
  }

  /** Goes to the next file that the request is about; false at the end or when it has to stop. */
  next(): boolean {
    const { selection, resume } = this.#request
    while (this.#walk.next()) {
      if (this.#time.hasDeadline && this.#time.leftMs() <= 0) {
        this.late = true
        return false
      }
      if (this.#filtered && !this.#isWanted(this.#walk.path)) continue
      if ((resume?.files ?? 0) + this.#files >= selection.maxFiles) {
        this.limited = true
        return false
      }
      this.#files++
      return true
    }
    return false
  }

  /** The current file whole, until the next call; undefined when it is not to be searched so. */
  read(): Buffer | undefined {
    const fd = this.#walk.open()
    if (fd === -1) return undefined
    try {
      const length = readUpTo(fd, this.#memory.buffer, this.#readBytes)
      if (length === this.#readBytes) {
        this.#setLarge(fd)
        return undefined
      }
      this.#chars += this.#memory.countChars(length)
      return this.#memory.buffer.subarray(0, length)
    } catch {
      return undefined
    } finally {
      if (this.#large === undefined) closeSync(fd)
    }
  }

  /** `read` came upon a file that has to be searched in parts. */
  get hasLarge(): boolean {
    return this.#large !== undefined
  }

  /** That file, for the caller to search and close. */
  takeLarge(): LargeFile | undefined {
    const large = this.#large
    this.#large = undefined
    return large
  }

  addChars(chars: number): void {
    this.#chars += chars
  }

  /** How much was taken so far, this file included. */
  taken(): Taken {
    const path = this.#walk.path
    return { path, files: this.#files, chars: this.#chars, skippedLarge: this.#skippedLarge }
  }

  close(): void {
    if (this.#large !== undefined) closeSync(this.#large.fd)
    this.#walk.close()
    this.#memory.release()
  }

  #isWanted(path: string): boolean {
    const { paths, selection } = this.#request
    if (selection.excluded?.matches(path) === true) return false
    return paths === undefined || paths.matches(path)
  }

  #setLarge(fd: number): void {
    const stats = fstatSync(fd)
    if (stats.isFile() && stats.size <= this.#request.maxBytes) {
      this.#large = { fd, size: stats.size }
    } else this.#skippedLarge++
  }
}

/** Reads to the end of the file. One read does it, save for files that come in pages. */
function readUpTo(fd: number, buffer: Buffer, most: number): number {
  let length = readSync(fd, buffer, 0, most, 0)
  while (length < most && length > 0 && (length & 4095) === 0) {
    const more = readSync(fd, buffer, length, most - length, length)
    if (more === 0) break
    length += more
  }
  return length
}
