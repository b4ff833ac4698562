// The files that a grep looks into, in order: selected, counted, opened, small enough, read.
import type { RequestTime } from '../engine.ts'
import type { Walk } from '../walk.ts'
import { FileReads } from './file-reads.ts'
import type { LargeFile } from './file-reads.ts'
import type { FoundLine } from './found-line.ts'
import type { PlainNeedle } from './plain-needle.ts'
import type { GrepRequest } from './request.ts'
import type { Taken } from './tally.ts'

/** Files to search, wherever they come from. */
export interface GrepFiles {
  /** `max_files` was reached and one more file is there. */
  limited: boolean
  /** The client's deadline passed. */
  late: boolean
  readonly path: string
  /** Goes to the next file that has to be searched; false at the end or when it has to stop. */
  next(): boolean
  /** The current file whole, until the next call; undefined when it is not to be searched so. */
  read(): Buffer | undefined
  /** From now on files may be searched for this without being handed out. */
  lookFor(needle: PlainNeedle): void
  /** Lines of the file just read that hold it; undefined where it has to be searched otherwise. */
  find(limit: number): FoundLine[] | undefined
  /** Whether what was read is what the file holds now; if not, it has to be read again. */
  isCurrent(): boolean
  /** `read` came upon a file that has to be searched in parts. */
  readonly hasLarge: boolean
  /** That file, for the caller to search and close. */
  takeLarge(): LargeFile | undefined
  addChars(chars: number): void
  /** How much was taken so far, this file included. */
  taken(): Taken
  close(): void
}

export class SelectedFiles implements GrepFiles {
  limited = false
  late = false
  readonly #walk: Walk
  readonly #request: GrepRequest
  readonly #time: RequestTime
  readonly #reads: FileReads
  readonly #filtered: boolean
  #files = 0

  constructor(walk: Walk, request: GrepRequest, time: RequestTime) {
    this.#walk = walk
    this.#request = request
    this.#time = time
    this.#filtered = request.selection.excluded !== undefined || request.paths !== undefined
    this.#reads = new FileReads(request.maxBytes)
  }

  get path(): string {
    return this.#walk.path
  }

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

  read(): Buffer | undefined {
    return this.#reads.read(this.#walk.open())
  }

  lookFor(): void {}

  find(): undefined {
    return undefined
  }

  /** It was read just now. */
  isCurrent(): boolean {
    return true
  }

  get hasLarge(): boolean {
    return this.#reads.hasLarge
  }

  takeLarge(): LargeFile | undefined {
    return this.#reads.takeLarge()
  }

  addChars(chars: number): void {
    this.#reads.chars += chars
  }

  taken(): Taken {
    const { chars, skippedLarge } = this.#reads
    return { path: this.#walk.path, files: this.#files, chars, skippedLarge }
  }

  close(): void {
    this.#reads.close()
    this.#walk.close()
  }

  #isWanted(path: string): boolean {
    const { paths, selection } = this.#request
    if (selection.excluded?.matches(path) === true) return false
    return paths === undefined || paths.matches(path)
  }
}
