// Searches files whose contents are kept, in the order of the answer. What takes long is given to threads, and
// what they find is taken over here, file by file: whether a file is still what it was, hits, limits.
import { isRegular, parseRegex } from '../../regex/regex.ts'
import { scanLarge } from '../../search/search.ts'
import type { Scan } from '../../search/search.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Steps } from '../../steps.ts'
import type { KernelSearch } from './kernel-search.ts'
import type { IndexedFiles } from './query.ts'
import { FoundHits } from './hits/hits.ts'
import type { HitWriter } from './hits/hits.ts'
import { elsewhere } from './area.ts'
import type { ItemText, QueryPool, QueryRun, RunLimits, Sought } from './threads/threads.ts'

export interface IndexedSearchParts {
  kernel: Kernel
  search: KernelSearch
  /** None where there are no threads, or no memory for it. */
  pool: QueryPool | undefined
  writer: HitWriter | undefined
  /** Files to be searched before handing over, whatever pays. */
  ownFiles?: number | undefined
}

/** What this thread searches itself before it hands over: about a millisecond of work. */
const bytesBeforeHandOver = 12 << 20
const filesBeforeHandOver = 512
/** Patterns are so much slower. */
const ownRegexBytes = 64 << 10
/** Fewer files are not worth a hand-over. */
const fewItems = 32
/** Files that are handed over at once, and how far threads may be ahead. */
const atFirst = 1024
const mostAhead = 16 << 10
/** What is searched or looked at before others get their turn. */
const bytesPerTurn = 1 << 20
const turnTaken = 256
/** As long as so few hits are wanted they may all be in the first files. */
const fewHits = 1000

export class IndexedSearch {
  readonly #files: IndexedFiles
  readonly #scan: Scan
  readonly #parts: IndexedSearchParts
  readonly #limits: RunLimits
  readonly #sought: Sought | undefined
  readonly #hits: FoundHits
  #run: QueryRun | undefined
  /** Positions that were not handed over yet. */
  #further: Iterator<number> | undefined
  #isTried = false
  #item = 0
  #ownBytes = 0
  #ownFiles = 0
  #turnBytes = 0
  /** The item before which others get their turn. */
  #pauseAt = 0

  constructor(files: IndexedFiles, scan: Scan, parts: IndexedSearchParts, limits: RunLimits) {
    this.#files = files
    this.#scan = scan
    this.#parts = parts
    this.#limits = limits
    this.#sought = soughtBy(scan)
    this.#hits = new FoundHits(files, scan, parts.kernel, parts.writer)
  }

  /** True when there is nothing left to do; otherwise the next file is not for here. */
  *search(): Steps<boolean> {
    const { tally } = this.#scan
    try {
      while (!tally.stopped) {
        if (this.#isDue()) yield* this.#handOver()
        if (this.#isPauseDue()) yield* this.#pause()
        if (!this.#files.next()) return true
        const quick = this.#quickly()
        if (quick === 'done') continue
        const isDone = quick === 'stale' ? yield* this.#again() : yield* this.#slowly()
        if (!isDone || this.#files.late) return isDone
      }
      tally.taken = this.#files.taken()
      return true
    } finally {
      this.#hits.flush()
      this.#run?.stop()
    }
  }

  /** Whether threads should go on. A method: what is asked before every file must not be a private getter. */
  #isDue(): boolean {
    if (this.#isTried || this.#sought === undefined || this.#parts.pool === undefined) return false
    const { request } = this.#scan
    const { ownFiles } = this.#parts
    if (ownFiles !== undefined) return this.#ownFiles >= ownFiles
    if (this.#sought.kind === 'regex') return true
    if (request.mode !== 'hits' || request.maxHits > fewHits) return this.#ownFiles >= fewItems
    return this.#ownBytes >= bytesBeforeHandOver || this.#ownFiles >= filesBeforeHandOver
  }

  /** Gives all further files to the threads, if they are there and it is worth it. */
  *#handOver(): Steps<void> {
    this.#isTried = true
    const { request, tally } = this.#scan
    const pool = this.#parts.pool as QueryPool
    pool.start()
    const further = this.#files.further()
    const first = this.#nextTexts(further, atFirst)
    if (!this.#isWorthIt(first) || !(yield* pool.becomeIdle(this.#limits.time.leftMs()))) return
    const room = first.length === atFirst ? this.#files.most : first.length
    const items = pool.room(room)
    if (items === undefined) return
    const limit = request.mode === 'files' ? 1 : request.mode === 'count' ? Infinity : tally.left
    const job = {
      ...{ sought: this.#sought as Sought, items, room, counts: request.mode !== 'hits' },
      limit: request.resume === undefined ? limit : Infinity,
    }
    this.#run = pool.begin(job, this.#limits)
    this.#further = further
    this.#publish(this.#run, first)
  }

  #isWorthIt(texts: ItemText[]): boolean {
    if (this.#parts.ownFiles !== undefined) return texts.length > 0
    if (this.#sought?.kind !== 'regex') return texts.length >= fewItems
    const bytes = texts.reduce((sum, { length }) => sum + length, 0)
    return bytes > ownRegexBytes || (bytes > 0 && !('find' in this.#scan.search))
  }

  /** Texts of the next files that threads can search, at most so many. */
  #nextTexts(further: Iterator<number>, most: number): ItemText[] {
    const texts: ItemText[] = []
    while (texts.length < most) {
      const { value: position, done } = further.next()
      if (done === true) break
      if (this.#isForThreads(position)) texts.push(this.#files.textAt(position))
    }
    return texts
  }

  #publish(run: QueryRun, texts: ItemText[]): void {
    for (const text of texts) run.add(text)
    const isComplete = texts.length < atFirst
    if (isComplete) this.#further = undefined
    run.publish(isComplete)
  }

  /** Keeps the threads supplied. */
  *#supply(run: QueryRun): Steps<void> {
    while (this.#further !== undefined && run.count - this.#item < this.#supplied()) {
      this.#publish(run, this.#nextTexts(this.#further, atFirst))
      yield
    }
  }

  /** How far threads may be ahead: where few hits are wanted, much of that would be in vain. */
  #supplied(): number {
    const { mode, maxHits } = this.#scan.request
    return mode === 'hits' && maxHits <= fewHits ? atFirst : mostAhead
  }

  #isForThreads(position: number): boolean {
    const { search } = this.#scan
    const folds = 'find' in search && search.plain?.folded === true
    return this.#files.isKept(position, folds)
  }

  #isPauseDue(): boolean {
    return this.#run === undefined ? this.#turnBytes > bytesPerTurn : this.#item >= this.#pauseAt
  }

  *#pause(): Steps<void> {
    this.#turnBytes = 0
    this.#pauseAt = this.#item + turnTaken
    yield
    if (this.#run !== undefined) yield* this.#supply(this.#run)
  }

  /** The current file, if there is neither anything to wait for nor to read. */
  #quickly(): 'done' | 'stale' | 'slow' {
    if (!this.#isForThreads(this.#files.position)) return 'slow'
    if (this.#run === undefined) return this.#find()
    const outcome = this.#run.outcome(this.#item)
    if (outcome <= 0) return 'slow'
    const item = this.#item++
    return outcome === 1 ? 'done' : this.#take(this.#run.linesAt(item), outcome - 1)
  }

  /** Looks for a needle in this thread. */
  #find(): 'done' | 'stale' | 'slow' {
    const { tally, files } = this.#scan
    if (!this.#files.isPrepared) return 'slow'
    const { address, length } = this.#files.textAt(this.#files.position)
    const count = this.#parts.search.find(address, length, tally.wantedIn(files))
    if (count === undefined) return 'slow'
    this.#countOwn(length)
    if (count === 0) return 'done'
    this.#files.foundSome(count)
    return this.#take(this.#parts.search.linesAt, count)
  }

  /** Takes over what was found in the current file, unless it has changed. */
  #take(words: number, count: number): 'done' | 'stale' {
    if (!this.#scan.files.isCurrent()) return 'stale'
    this.#hits.addWords(words, count)
    return 'done'
  }

  *#slowly(): Steps<boolean> {
    if (this.#run === undefined || !this.#isForThreads(this.#files.position)) {
      return yield* this.#here()
    }
    const item = this.#item++
    const state = yield* this.#run.until(item)
    if (state === 'late') return this.#endLate()
    if (state === 'lost') {
      this.#run = undefined
      return yield* this.#here()
    }
    const outcome = this.#run.outcome(item)
    if (outcome === elsewhere) return yield* this.#here()
    if (outcome === 1 || this.#take(this.#run.linesAt(item), outcome - 1) === 'done') return true
    return yield* this.#again()
  }

  #endLate(): boolean {
    this.#files.back()
    this.#files.late = true
    return true
  }

  /** Searches the current file as if nothing were known of it but its bytes. */
  *#here(): Steps<boolean> {
    const { files, tally, search } = this.#scan
    if (!('find' in search)) return this.#leave()
    const bytes = files.read()
    if (files.hasLarge) return yield* this.#large()
    if (bytes === undefined) return true
    this.#countOwn(bytes.length)
    const lines = search.find(bytes, tally.wantedIn(files))
    if (lines.length === 0) return true
    if (!files.isCurrent()) return yield* this.#again()
    this.#hits.addLines(lines, bytes)
    return true
  }

  /** The current file, which has changed, as it is now. */
  *#again(): Steps<boolean> {
    const { files, tally, search } = this.#scan
    if (!('find' in search)) return this.#leave()
    const bytes = files.read()
    if (files.hasLarge) return yield* this.#large()
    const lines = bytes === undefined ? [] : search.find(bytes, tally.wantedIn(files))
    if (bytes !== undefined && lines.length > 0) this.#hits.addLines(lines, bytes)
    return true
  }

  #countOwn(bytes: number): void {
    this.#ownFiles++
    this.#ownBytes += bytes
    this.#turnBytes += bytes
  }

  *#large(): Steps<boolean> {
    this.#hits.flush()
    const large = this.#scan.files.takeLarge()
    if (large !== undefined) yield* scanLarge(this.#scan, large)
    return true
  }

  /** The current file has to be searched in another way. */
  #leave(): boolean {
    this.#files.back()
    return false
  }
}

/** What threads look for; undefined when it is not for them. */
function soughtBy({ search, request }: Scan): Sought | undefined {
  const { pattern, caseSensitive, regex } = request
  if (!regex) {
    const needle = 'find' in search ? search.plain : undefined
    return needle === undefined ? undefined : { kind: 'literal', needle }
  }
  const ignoreCase = !caseSensitive
  return isRegular(parseRegex(pattern, { ignoreCase }))
    ? { kind: 'regex', pattern, ignoreCase }
    : undefined
}
