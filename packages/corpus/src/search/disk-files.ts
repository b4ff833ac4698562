// The files that a grep looks into, in order: selected, counted, opened, small enough, read.
import type { RequestTime } from '../engine.ts'
import type { Steps } from '../steps.ts'
import type { TreeWalk } from '../walk/walk.ts'
import { FileBatch } from './file-batch.ts'
import type { ReadBatch } from './file-batch.ts'
import type { LargeFile } from '../content/content.ts'
import type { FoundLine, PlainNeedle } from '../finder/finder.ts'
import type { SearchRequest } from './request.ts'
import type { Scan } from './scan-large.ts'
import { pieceFiles, ReadAhead } from './prefilter/prefilter.ts'
import type { PrefilterFolder, PrefilterJob, PrefilterUse } from './prefilter/prefilter.ts'
import type { Taken } from './result.ts'

/** Files to search, wherever they come from. */
export interface SearchFiles {
  /** `max_files` was reached and one more file is there. */
  limited: boolean
  /** The client's deadline passed. */
  late: boolean
  readonly path: string
  /** Goes to the next file that has to be searched; false at the end or when it has to stop. */
  next(): boolean
  /** `next` came upon nothing yet and let go for others' sake: there is no file, but it goes on. */
  readonly resting?: boolean
  /** What it waits for while it rests, if anything. */
  readonly waiting?: Promise<unknown> | undefined
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

/** Steps of the walk before others get their turn, when little of what it comes upon is wanted. */
const mostSteps = 4096

export class DiskFiles implements SearchFiles {
  limited = false
  late = false
  resting = false
  waiting: Promise<unknown> | undefined
  readonly #walk: TreeWalk
  readonly #request: SearchRequest
  readonly #time: RequestTime
  readonly #filtered: boolean
  readonly #sift: PrefilterUse | undefined
  /** What is read here. */
  readonly #own: FileBatch
  #batch: ReadBatch
  /** What other threads read, once the search has taken a while. */
  #ahead: ReadAhead | undefined
  /** When to look next whether they should. */
  #looksAt: number
  #needle: PlainNeedle | undefined
  /** Why the walk is over. */
  #end: 'all' | 'limited' | 'late' | undefined
  /** Files that the walk has given. */
  #walked = 0
  /** Of the batches before this one. */
  readonly #before = { files: 0, chars: 0, skippedLarge: 0 }

  constructor(walk: TreeWalk, request: SearchRequest, time: RequestTime, sift?: PrefilterUse) {
    this.#walk = walk
    this.#request = request
    this.#time = time
    this.#filtered = request.selection.excluded !== undefined || request.paths !== undefined
    this.#sift = sift
    this.#looksAt = sift?.lookMs ?? Infinity
    this.#own = new FileBatch(request.maxBytes)
    this.#batch = this.#own
  }

  get path(): string {
    return this.#batch.path
  }

  next(): boolean {
    this.resting = false
    this.waiting = undefined
    if (this.#batch.seek()) return true
    if (this.#isOver) return this.#stop()
    this.#goOn()
    this.resting = true
    return true
  }

  get #isOver(): boolean {
    return this.#end !== undefined && (this.#ahead?.isEmpty ?? true)
  }

  #stop(): false {
    this.limited = this.#end === 'limited'
    this.late = this.#end === 'late'
    return false
  }

  /** Takes the next batch, or does something for those after it. */
  #goOn(): void {
    this.#addBefore(this.#batch.length - 1)
    this.#own.clear()
    this.#batch = this.#own
    const ahead = (this.#ahead ??= this.#beginAhead())
    if (ahead !== undefined) this.#feed(ahead)
    if (ahead === undefined || ahead.isEmpty) this.#readOwn()
    else this.#batch = ahead.next() ?? this.#readAhead(ahead)
  }

  #feed(ahead: ReadAhead): void {
    while (ahead.wantsJob && this.#end === undefined) ahead.give(this.#gather())
  }

  #beginAhead(): ReadAhead | undefined {
    const [use, needle] = [this.#sift, this.#needle]
    if (use === undefined || needle === undefined) return undefined
    const elapsedMs = this.#time.elapsedMs()
    if (elapsedMs < this.#looksAt) return undefined
    this.#looksAt = elapsedMs + use.lookMs
    const { root, progress: share } = this.#walk
    const { maxBytes } = this.#request
    const sifters = use.begin(elapsedMs, share, { root, needle, maxBytes })
    return sifters === undefined ? undefined : new ReadAhead(root, sifters, maxBytes)
  }

  /** While others are not ready: reads files that come after theirs, or waits. */
  #readAhead(ahead: ReadAhead): ReadBatch {
    if (this.#end === undefined && ahead.pays && !ahead.isFull) {
      this.#readOwn()
      ahead.take(this.#own)
    } else this.waiting = ahead.coming
    return this.#own
  }

  #readOwn(): void {
    try {
      for (let step = 0; step < mostSteps && this.#own.hasRoom; step++) {
        if (this.#end !== undefined) break
        this.#readMore()
      }
    } finally {
      this.#walk.leaveFolder()
    }
  }

  #readMore(): void {
    const isPlain = !this.#filtered && !this.#time.hasDeadline && this.#left > 0
    const run = isPlain ? this.#walk.run() : undefined
    const taken = run === undefined ? 0 : this.#own.addRun(run, this.#left)
    this.#walked += taken
    if (taken > 0) this.#walk.skip(taken)
    else if (this.#advance()) this.#own.add(this.#walk.prefix, this.#walk.name, this.#walk.open())
  }

  /** The next files, for others to read. */
  #gather(): PrefilterJob {
    const folders: PrefilterFolder[] = []
    let last: PrefilterFolder | undefined
    let files = 0
    for (let step = 0; step < mostSteps && files < pieceFiles; step++) {
      if (this.#end !== undefined) break
      if (!this.#advance()) continue
      const { prefix, name, special } = this.#walk
      if (last?.prefix !== prefix) folders.push((last = { prefix, names: '', special }))
      last.names += `${name}\0`
      files++
    }
    return { folders, files }
  }

  /** Goes to the next file; false when it is not wanted, or when that is the end. */
  #advance(): boolean {
    const walk = this.#walk
    if (!walk.next()) this.#end = 'all'
    else if (this.#time.hasDeadline && this.#time.leftMs() <= 0) this.#end = 'late'
    else if (this.#filtered && !this.#isWanted(walk.path)) return false
    else if (this.#left <= 0) this.#end = 'limited'
    else {
      this.#walked++
      return true
    }
    return false
  }

  /** Files that may still be taken. */
  get #left(): number {
    const { selection, resume } = this.#request
    return selection.maxFiles - (resume?.files ?? 0) - this.#walked
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
    if (needle.folded) return
    this.#needle = needle
    this.#own.lookFor(needle)
  }

  find(): undefined {
    return undefined
  }

  /** It was read just now. */
  isCurrent(): boolean {
    return true
  }

  get hasLarge(): boolean {
    return this.#batch.isLarge
  }

  takeLarge(): LargeFile | undefined {
    return this.#batch.takeLarge()
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
    this.#ahead?.close()
    this.#own.close()
    this.#walk.close()
  }

  #isWanted(path: string): boolean {
    const { paths, selection } = this.#request
    if (selection.excluded?.matches(path) === true) return false
    return paths === undefined || paths.matches(path)
  }
}
