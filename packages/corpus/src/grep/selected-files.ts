// The files that a grep looks into, in order: selected, counted, opened, small enough, read.
import type { RequestTime } from '../engine.ts'
import type { Steps } from '../steps.ts'
import type { TreeWalk } from '../walk.ts'
import { FileBatch } from './file-batch.ts'
import type { LargeFile } from './file-reads.ts'
import type { FoundLine } from './found-line.ts'
import { createNeedle } from './needle.ts'
import type { Needle } from './needle.ts'
import type { PlainNeedle } from './plain-needle.ts'
import type { GrepRequest } from './request.ts'
import type { Scan } from './scan-large.ts'
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
  /** `next` came upon nothing yet and let go for others' sake: there is no file, but it goes on. */
  readonly resting?: boolean
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
  /** Searches further files by itself, in order; true when there is nothing left to do. */
  ahead?(scan: Scan): Steps<boolean>
  /** How much was taken so far, this file included. */
  taken(): Taken
  close(): void
}

export class SelectedFiles implements GrepFiles {
  limited = false
  late = false
  resting = false
  readonly #walk: TreeWalk
  readonly #request: GrepRequest
  readonly #time: RequestTime
  readonly #batch: FileBatch
  readonly #filtered: boolean
  #needle: Needle | undefined
  /** Why the walk is over. */
  #end: 'all' | 'limited' | 'late' | undefined
  /** Of the batches before this one. */
  readonly #before = { files: 0, chars: 0, skippedLarge: 0 }

  constructor(walk: TreeWalk, request: GrepRequest, time: RequestTime) {
    this.#walk = walk
    this.#request = request
    this.#time = time
    this.#filtered = request.selection.excluded !== undefined || request.paths !== undefined
    this.#batch = new FileBatch(request.maxBytes)
  }

  get path(): string {
    return this.#batch.path
  }

  next(): boolean {
    this.resting = false
    if (this.#batch.seek(this.#needle)) return true
    if (this.#end !== undefined) return this.#stop()
    this.#readAhead()
    if (this.#batch.seek(this.#needle)) return true
    if (this.#end !== undefined) return this.#stop()
    this.resting = true
    return true
  }

  #stop(): false {
    this.limited = this.#end === 'limited'
    this.late = this.#end === 'late'
    return false
  }

  #readAhead(): void {
    const batch = this.#batch
    this.#addBefore(batch.length - 1)
    batch.clear()
    try {
      while (this.#end === undefined && batch.hasRoom) this.#readMore()
    } finally {
      this.#walk.rest()
    }
  }

  #readMore(): void {
    const walk = this.#walk
    const { selection, resume } = this.#request
    const left = selection.maxFiles - (resume?.files ?? 0) - this.#before.files - this.#batch.length
    const isPlain = !this.#filtered && !this.#time.hasDeadline && left > 0
    const taken = isPlain ? this.#takeRun(left) : 0
    if (taken > 0) walk.skip(taken)
    else if (!walk.next()) this.#end = 'all'
    else if (this.#time.hasDeadline && this.#time.leftMs() <= 0) this.#end = 'late'
    else if (this.#filtered && !this.#isWanted(walk.path)) return
    else if (left <= 0) this.#end = 'limited'
    else this.#batch.add(walk.prefix, walk.name, walk.open())
  }

  #takeRun(most: number): number {
    const run = this.#walk.run()
    return run === undefined ? 0 : this.#batch.addRun(run, most)
  }

  #addBefore(last: number): void {
    this.#before.files += last + 1
    this.#before.chars += this.#batch.charsTo(last)
    this.#before.skippedLarge += this.#batch.skippedTo(last)
  }

  read(): Buffer | undefined {
    return this.hasLarge ? undefined : this.#batch.bytes
  }

  /** Whatever is the same in either case has to be looked for file by file. */
  lookFor(needle: PlainNeedle): void {
    if (!needle.folded) this.#needle = createNeedle(Buffer.from(needle.bytes))
  }

  find(): undefined {
    return undefined
  }

  /** It was read just now. */
  isCurrent(): boolean {
    return true
  }

  get hasLarge(): boolean {
    const { at, length, large } = this.#batch
    return large !== undefined && at === length - 1
  }

  takeLarge(): LargeFile | undefined {
    if (!this.hasLarge) return undefined
    const { large } = this.#batch
    this.#batch.large = undefined
    return large
  }

  addChars(chars: number): void {
    this.#before.chars += chars
  }

  taken(): Taken {
    const { path, length } = this.#batch
    const at = Math.min(this.#batch.at, length - 1)
    return {
      path,
      files: this.#before.files + at + 1,
      chars: this.#before.chars + this.#batch.charsTo(at),
      skippedLarge: this.#before.skippedLarge + this.#batch.skippedTo(at),
    }
  }

  close(): void {
    this.#batch.close()
    this.#walk.close()
  }

  #isWanted(path: string): boolean {
    const { paths, selection } = this.#request
    if (selection.excluded?.matches(path) === true) return false
    return paths === undefined || paths.matches(path)
  }
}
