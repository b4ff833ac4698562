// The files that a grep looks into, in order: selected, counted, opened, small enough, read.
import { closeSync } from 'node:fs'
import type { ContainedFile } from '@zee/core/contained-path'
import type { Engine, RequestTime } from '../engine.ts'
import { countChars } from '../text/count.ts'
import { readFully } from '../text/text-file.ts'
import { TreeWalk } from '../walk.ts'
import type { WalkedFile } from '../walk.ts'
import type { GrepRequest } from './request.ts'
import type { Taken } from './tally.ts'

/** Larger files are searched in parts (see large-file.ts). */
export const WHOLE_FILE_BYTES = 16 << 20

export class SelectedFiles {
  /** `max_files` was reached and one more file is there. */
  limited = false
  /** The client's deadline passed. */
  late = false
  readonly #walk: TreeWalk
  readonly #request: GrepRequest
  readonly #time: RequestTime
  #files = 0
  #chars = 0
  #skippedLarge = 0

  constructor(engine: Engine, request: GrepRequest, time: RequestTime) {
    this.#walk = new TreeWalk(engine.root, request.selection.walk)
    this.#request = request
    this.#time = time
  }

  /** The next file that the request is about. Undefined between two looks at the clock, too. */
  next(): WalkedFile | 'end' | undefined {
    const { paths, selection, resume } = this.#request
    for (let seen = 0; seen < 256; seen++) {
      const file = this.#walk.next()
      if (file === undefined) return 'end'
      if (this.#time.leftMs() <= 0) {
        this.late = true
        return 'end'
      }
      if (selection.excluded?.matches(file.path) === true) continue
      if (paths?.matches(file.path) === false) continue
      if ((resume?.files ?? 0) + this.#files >= selection.maxFiles) {
        this.limited = true
        return 'end'
      }
      this.#files++
      return file
    }
    return undefined
  }

  /** The file open for reading; undefined when it cannot be or is larger than asked for. */
  open(file: WalkedFile): ContainedFile | undefined {
    const opened = this.#walk.open(file)
    if (opened === undefined) return undefined
    if (opened.stats.size <= this.#request.maxBytes) return opened
    this.#skippedLarge++
    closeSync(opened.fd)
    return undefined
  }

  /** Reads a file whole and closes it; one that fails half-way counts as unreadable. */
  read(opened: ContainedFile, into: (size: number) => Buffer): Buffer | undefined {
    try {
      const { size } = opened.stats
      if (size === 0) return empty
      const buffer = into(size)
      const bytes = buffer.subarray(0, readFully(opened.fd, buffer.subarray(0, size), 0))
      this.#chars += countChars(bytes)
      return bytes
    } catch {
      return undefined
    } finally {
      closeSync(opened.fd)
    }
  }

  addChars(chars: number): void {
    this.#chars += chars
  }

  /** How much was taken so far, this file included. */
  taken(path: string): Taken {
    return { path, files: this.#files, chars: this.#chars, skippedLarge: this.#skippedLarge }
  }

  close(): void {
    this.#walk.close()
  }
}

const empty = Buffer.alloc(0)
