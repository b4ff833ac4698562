// The selected files of the disk in path order, read in batches. Of a literal search, only the files of a batch that
// contain the literal are candidates.
import type { Steps } from '../steps.ts'
import { hasReadFault } from '../walk/walk.ts'
import type { TreeWalk } from '../walk/walk.ts'
import { FileBatch } from './file-batch.ts'
import type { ReadBatch } from './file-batch.ts'
import type { PlainNeedle } from '../finder/finder.ts'
import type {
  Candidate,
  CandidateBatch,
  Candidates,
  OpenedText,
  Scanned,
  SearchEnd,
  TextSource,
} from './plan.ts'
import { pieceFiles, ReadAhead } from './prefilter/prefilter.ts'
import type { Prefilter, PrefilterFolder, PrefilterJob } from './prefilter/prefilter.ts'
import type { SearchTask } from './task.ts'

/** Steps of the walk between two yields to the event loop, for selections that skip most files. */
const maxSteps = 4096

export class DiskFiles implements Candidates, CandidateBatch, TextSource {
  readonly #walk: TreeWalk
  readonly #task: SearchTask
  readonly #isFiltered: boolean
  readonly #prefilter: Prefilter | undefined
  /** Files that this thread reads. */
  readonly #ownBatch: FileBatch
  #batch: ReadBatch
  /** Files that prefilter threads read. They start when the search has taken a while. */
  #readAhead: ReadAhead | undefined
  /** Elapsed time at which to decide next whether to start them. */
  #decidesAtMs: number
  readonly #needle: PlainNeedle | undefined
  /** Why the walk ended. */
  #end: SearchEnd['reason'] | undefined
  /** Files that the walk returned. */
  #walked = 0
  /** Totals of the batches before this one. */
  #before: Scanned = { files: 0, chars: 0, skippedLarge: 0 }

  constructor(walk: TreeWalk, task: SearchTask, prefilter?: Prefilter) {
    const { request, matcher } = task
    this.#walk = walk
    this.#task = task
    this.#isFiltered = request.selection.excluded !== undefined || request.paths !== undefined
    this.#prefilter = prefilter
    this.#decidesAtMs = prefilter?.estimateIntervalMs ?? Infinity
    this.#ownBatch = new FileBatch(request.maxBytes)
    this.#batch = this.#ownBatch
    // The kernel compares bytes: a case-insensitive needle is left to the matcher.
    const needle = matcher.kind === 'inline' ? matcher.needle : undefined
    this.#needle = needle?.isFolded === true ? undefined : needle
    if (this.#needle !== undefined) this.#ownBatch.setNeedle(this.#needle)
  }

  *nextBatch(): Steps<CandidateBatch | SearchEnd> {
    this.#endBatch()
    if (this.#end !== undefined && (this.#readAhead?.isEmpty ?? true)) {
      return { reason: this.#end, scanned: this.#before }
    }
    yield this.#fetchBatch()
    return this
  }

  next(): Candidate | undefined {
    return this.#batch.seek() ? this.#before.files + this.#batch.index : undefined
  }

  path(): string {
    return this.#batch.path
  }

  open(): OpenedText {
    return this.#batch.isLarge ? this.#batch.takeLarge() : this.#batch.bytes
  }

  /** The batch was read just now. */
  isStale(): boolean {
    return false
  }

  reread(): OpenedText {
    return this.open()
  }

  scanned(file: Candidate): Scanned {
    const { files, chars, skippedLarge } = this.#before
    const index = file - files
    return {
      files: file + 1,
      chars: chars + this.#batch.charsTo(index),
      skippedLarge: skippedLarge + this.#batch.skippedTo(index),
    }
  }

  close(): void {
    this.#readAhead?.close()
    this.#ownBatch.close()
    this.#walk.close()
  }

  #endBatch(): void {
    this.#before = this.scanned(this.#before.files + this.#batch.length - 1)
    for (const path of this.#batch.failed) {
      if (hasReadFault(this.#walk.root, path)) this.#task.result.unreadable++
    }
    this.#ownBatch.clear()
    this.#batch = this.#ownBatch
  }

  /** Gets the next batch, or works on later ones. Returns what the next batch waits for, if anything. */
  #fetchBatch(): Promise<unknown> | undefined {
    const readAhead = (this.#readAhead ??= this.#startReadAhead())
    if (readAhead !== undefined) this.#assignJobs(readAhead)
    if (readAhead === undefined || readAhead.isEmpty) {
      this.#readOwn()
      return undefined
    }
    const batch = readAhead.next()
    if (batch !== undefined) {
      this.#batch = batch
      return undefined
    }
    if (this.#end !== undefined || !readAhead.isWorthwhile || readAhead.isFull)
      return readAhead.pending
    this.#readOwn()
    readAhead.addOwn(this.#ownBatch)
    return undefined
  }

  #assignJobs(readAhead: ReadAhead): void {
    while (readAhead.canAssign && this.#end === undefined) readAhead.assign(this.#nextJob())
  }

  #startReadAhead(): ReadAhead | undefined {
    const [prefilter, needle] = [this.#prefilter, this.#needle]
    if (prefilter === undefined || needle === undefined) return undefined
    const elapsedMs = this.#task.time.elapsedMs()
    if (elapsedMs < this.#decidesAtMs) return undefined
    this.#decidesAtMs = elapsedMs + prefilter.estimateIntervalMs
    const { root, progress } = this.#walk
    const { maxBytes } = this.#task.request
    const pool = prefilter.start(elapsedMs, progress, { root, needle, maxBytes })
    return pool === undefined ? undefined : new ReadAhead(root, pool, maxBytes)
  }

  #readOwn(): void {
    try {
      for (let step = 0; step < maxSteps && this.#ownBatch.hasRoom; step++) {
        if (this.#end !== undefined) break
        this.#readMore()
      }
    } finally {
      this.#walk.leaveFolder()
    }
  }

  #readMore(): void {
    const { hasDeadline } = this.#task.time
    const isPlain = !this.#isFiltered && !hasDeadline && this.#filesLeft > 0
    const run = isPlain ? this.#walk.run() : undefined
    const added = run === undefined ? 0 : this.#ownBatch.addRun(run, this.#filesLeft)
    this.#walked += added
    if (added > 0) this.#walk.skip(added)
    else if (this.#advance()) {
      this.#ownBatch.add(this.#walk.prefix, this.#walk.name, this.#walk.open())
    }
  }

  /** The next files, for a thread to read. */
  #nextJob(): PrefilterJob {
    const folders: PrefilterFolder[] = []
    let last: PrefilterFolder | undefined
    let files = 0
    for (let step = 0; step < maxSteps && files < pieceFiles; step++) {
      if (this.#end !== undefined) break
      if (!this.#advance()) continue
      const { prefix, name, special } = this.#walk
      if (last?.prefix !== prefix) folders.push((last = { prefix, names: '', special }))
      last.names += `${name}\0`
      files++
    }
    return { folders, files }
  }

  /** Advances the walk; false if the file is not selected or the walk ends. */
  #advance(): boolean {
    const walk = this.#walk
    const { time } = this.#task
    if (!walk.next()) this.#end = 'all'
    else if (time.hasDeadline && time.remainingMs() <= 0) this.#end = 'expired'
    else if (this.#isFiltered && !this.#isSelected(walk.path)) return false
    else if (this.#filesLeft <= 0) this.#end = 'limited'
    else {
      this.#walked++
      return true
    }
    return false
  }

  /** Files that may still be searched. */
  get #filesLeft(): number {
    const { selection, resume } = this.#task.request
    return selection.maxFiles - (resume?.files ?? 0) - this.#walked
  }

  #isSelected(path: string): boolean {
    const { paths, selection } = this.#task.request
    if (selection.excluded?.matches(path) === true) return false
    return paths === undefined || paths.matches(path)
  }
}
