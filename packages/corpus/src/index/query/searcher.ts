// Searches indexed files in path order. Cached contents are searched by the kernel, first in this thread and then,
// if there is more than about a millisecond of work, by threads that run ahead of it. Hits are collected here,
// file by file, so that order, limits and staleness are those of a search in one thread.
import { isRegular, parseRegex } from '../../regex/regex.ts'
import {
  InlineSearcher,
  knownHits,
  plainSearcher,
  rememberNothing,
  WorkerSearcher,
} from '../../search/search.ts'
import type {
  Candidate,
  CandidateBatch,
  LineHit,
  SearchEnd,
  Searcher,
  SearchTask,
} from '../../search/search.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Steps } from '../../steps.ts'
import { notSearched } from './layout.ts'
import type { IndexedCandidates } from './candidates.ts'
import { KernelHits } from '../../kernel-search/kernel-search.ts'
import type { HitWriter, KernelSearch } from '../../kernel-search/kernel-search.ts'
import type { IndexedTexts } from './texts.ts'
import type { ItemText, QueryPattern, QueryPool, QueryRun, RunLimits } from './threads/threads.ts'

export interface SearcherOptions {
  candidates: IndexedCandidates
  texts: IndexedTexts
  kernel: Kernel
  /** Searches for the request's literal; undefined for a pattern, or a literal that is too long. */
  literal: KernelSearch | undefined
  /** Undefined without threads, or without memory for them. */
  pool: QueryPool | undefined
  writer: HitWriter | undefined
  /** Files that this thread searches before it hands over, instead of the measured amounts. */
  ownFiles?: number | undefined
  signal: AbortSignal | undefined
}

/** What this thread searches before it hands over: about a millisecond of work. */
const ownBytes = 12 << 20
const maxOwnFiles = 512
/** Patterns are slower: this many bytes take as long. */
const ownRegexBytes = 64 << 10
/** Fewer files are not worth a hand-over. */
const minItems = 32
/** Files that are published together, and how many threads may be ahead of this one. */
const publishedItems = 1024
const maxItemsAhead = 16 << 10
/** Work between two yields to the event loop. */
const turnBytes = 1 << 20
const turnItems = 256
/** Up to this many hits, all of them may be in the first files. */
const fewHits = 1000

type FileState = 'done' | 'stale' | 'slow'

export class IndexedSearcher implements Searcher {
  readonly #options: SearcherOptions
  readonly #task: SearchTask
  readonly #limits: RunLimits
  readonly #pattern: QueryPattern | undefined
  readonly #hits: KernelHits
  /** Searches what the kernel cannot. */
  readonly #fallback: InlineSearcher | WorkerSearcher
  /** Texts searched in this thread. */
  readonly #work: { files: number; bytes: number }
  readonly #isFolded: boolean
  /** By file. Remembered, because the threads never get a file whose hits are known. */
  readonly #knownHits = new Map<Candidate, readonly LineHit[] | undefined>()
  #run: QueryRun | undefined
  /** Candidates that the threads do not have yet. */
  #ahead: Iterator<Candidate> | undefined
  #isHandOverTried = false
  /** The item of the run that is collected next. */
  #item = 0
  /** Ends of the current turn. */
  #turnEndBytes = turnBytes
  #turnEndItem = 0

  constructor(options: SearcherOptions, task: SearchTask) {
    const { matcher, time } = task
    const { texts, kernel, writer, signal } = options
    this.#options = options
    this.#task = task
    this.#limits = { time, signal }
    this.#pattern = threadPattern(task)
    this.#hits = new KernelHits(texts, task, kernel, writer)
    const fallback = plainSearcher(texts, task)
    this.#fallback = fallback
    this.#work = fallback instanceof InlineSearcher ? fallback.work : { files: 0, bytes: 0 }
    this.#isFolded = matcher.kind === 'inline' && matcher.needle?.isFolded === true
  }

  *search(batch: CandidateBatch): Steps<SearchEnd | undefined> {
    const { result } = this.#task
    try {
      for (;;) {
        if (this.#shouldHandOver()) yield* this.#handOver()
        if (this.#isTurnOver()) yield* this.#endTurn()
        const file = batch.next()
        if (file === undefined) return undefined
        // No generator per file: most cached texts need nothing that has to be waited for.
        const state = this.#searchCached(file)
        const end = state === 'done' ? undefined : yield* this.#searchSlowly(file, state)
        if (end === 'left') return yield* this.#leave(file)
        if (end !== undefined) return end
        if (result.isComplete) return this.#endAt('complete', file)
      }
    } finally {
      this.#run?.stop()
    }
  }

  *finish(): Steps<SearchEnd | undefined> {
    return yield* this.#fallback.finish()
  }

  #endAt(reason: SearchEnd['reason'], file: Candidate): SearchEnd {
    return { reason, scanned: this.#options.texts.scanned(file) }
  }

  // A method, because a private getter costs more, and this runs for every file.
  #shouldHandOver(): boolean {
    const { pool, ownFiles } = this.#options
    if (this.#isHandOverTried || this.#pattern === undefined || pool === undefined) return false
    const { files, bytes } = this.#work
    if (ownFiles !== undefined) return files >= ownFiles
    if (this.#pattern.kind === 'regex') return true
    const { mode, maxHits } = this.#task.request
    if (mode !== 'hits' || maxHits > fewHits) return files >= minItems
    return bytes >= ownBytes || files >= maxOwnFiles
  }

  /** Gives all further files to the threads, if they are idle and it is worth it. */
  *#handOver(): Steps<void> {
    this.#isHandOverTried = true
    const { candidates } = this.#options
    const pool = this.#options.pool as QueryPool
    pool.start()
    const ahead = candidates.lookAhead()
    const first = this.#nextTexts(ahead)
    if (!this.#isWorthHandOver(first)) return
    if (!(yield* pool.waitUntilIdle(this.#limits.time.remainingMs()))) return
    const maxItems = first.length === publishedItems ? candidates.maxLeft : first.length
    const items = pool.reserveItems(maxItems)
    if (items === undefined) return
    const { mode } = this.#task.request
    const pattern = this.#pattern as QueryPattern
    const countsOnly = mode !== 'hits'
    const job = { pattern, items, maxItems, countsOnly, limit: this.#linesPerFile() }
    this.#run = pool.submit(job, this.#limits)
    this.#ahead = ahead
    this.#publish(this.#run, first)
  }

  /** Matching lines of a file that are worth finding ahead of time. */
  #linesPerFile(): number {
    const { request, result } = this.#task
    if (request.resume !== undefined || request.choice !== undefined) return Infinity
    if (request.mode === 'count') return Infinity
    return request.mode === 'files' ? 1 : result.left
  }

  #isWorthHandOver(texts: ItemText[]): boolean {
    if (this.#options.ownFiles !== undefined) return texts.length > 0
    if (this.#pattern?.kind !== 'regex') return texts.length >= minItems
    const bytes = texts.reduce((sum, { length }) => sum + length, 0)
    return bytes > ownRegexBytes || (bytes > 0 && this.#fallback instanceof WorkerSearcher)
  }

  /** Texts of the next files that threads can search. */
  #nextTexts(ahead: Iterator<Candidate>): ItemText[] {
    const texts: ItemText[] = []
    while (texts.length < publishedItems) {
      const { value: file, done } = ahead.next()
      if (done === true) break
      if (this.#isForKernel(file)) texts.push(this.#options.texts.cached(file))
    }
    return texts
  }

  #publish(run: QueryRun, texts: ItemText[]): void {
    for (const text of texts) run.add(text)
    const isComplete = texts.length < publishedItems
    if (isComplete) this.#ahead = undefined
    run.publish(isComplete)
  }

  /** Keeps the threads supplied. */
  *#supply(run: QueryRun): Steps<void> {
    while (this.#ahead !== undefined && run.count - this.#item < this.#itemsAhead()) {
      this.#publish(run, this.#nextTexts(this.#ahead))
      yield
    }
  }

  /** Where few hits are wanted, most work ahead would be wasted. */
  #itemsAhead(): number {
    const { mode, maxHits } = this.#task.request
    return mode === 'hits' && maxHits <= fewHits ? publishedItems : maxItemsAhead
  }

  #isForKernel(file: Candidate): boolean {
    const { texts } = this.#options
    if (this.#knownHitsOf(file) !== undefined) return false
    return texts.isCached(file) && (!this.#isFolded || texts.hasPlainCase(file))
  }

  #isTurnOver(): boolean {
    if (this.#run === undefined) return this.#work.bytes > this.#turnEndBytes
    return this.#item >= this.#turnEndItem
  }

  *#endTurn(): Steps<void> {
    this.#turnEndBytes = this.#work.bytes + turnBytes
    this.#turnEndItem = this.#item + turnItems
    yield
    if (this.#run !== undefined) yield* this.#supply(this.#run)
  }

  /** Searches a file, or collects what a thread found in it, if neither has to be waited for. */
  #searchCached(file: Candidate): FileState {
    const known = this.#knownHitsOf(file)
    if (known !== undefined) return this.#addKnown(file, known)
    if (!this.#isForKernel(file)) return 'slow'
    if (this.#run === undefined) return this.#searchHere(file)
    const outcome = this.#run.outcome(this.#item)
    if (outcome <= 0) return 'slow'
    const item = this.#item++
    return this.#addWords(file, this.#run.linesAt(item), outcome - 1)
  }

  #knownHitsOf(file: Candidate): readonly LineHit[] | undefined {
    if (this.#task.request.choice === undefined) return undefined
    const known = this.#knownHits.get(file)
    if (known !== undefined || this.#knownHits.has(file)) return known
    const hits = knownHits(this.#options.texts, this.#task, file)
    this.#knownHits.set(file, hits)
    return hits
  }

  #addKnown(file: Candidate, hits: readonly LineHit[]): FileState {
    if (hits.length > 0 && this.#options.texts.isStale(file)) return 'stale'
    this.#task.result.addKnown(file, hits)
    return 'done'
  }

  #searchHere(file: Candidate): FileState {
    const { literal, texts } = this.#options
    if (literal === undefined) return 'slow'
    const { address, length } = texts.cached(file)
    const count = literal.find(address, length, this.#task.result.linesWanted(file, texts))
    if (count === undefined) return 'slow'
    this.#work.files++
    this.#work.bytes += length
    return this.#addWords(file, literal.linesAt, count)
  }

  /** Adds lines that the kernel found, unless the file is stale. */
  #addWords(file: Candidate, words: number, count: number): FileState {
    if (count === 0) {
      rememberNothing(this.#options.texts, this.#task, file)
      return 'done'
    }
    if (this.#options.texts.isStale(file)) return 'stale'
    this.#hits.add(file, words, count)
    return 'done'
  }

  /** Searches a file that has to be waited for or read. Files for the worker are left to `#leave`. */
  *#searchSlowly(file: Candidate, state: FileState): Steps<SearchEnd | 'left' | undefined> {
    let isStale = state === 'stale'
    if (!isStale && this.#run !== undefined && this.#isForKernel(file)) {
      const collected = yield* this.#collect(this.#run, file)
      if (collected === 'expired') return this.#endAt('expired', file - 1)
      if (collected === 'done') return undefined
      isStale = collected === 'stale'
    }
    const fallback = this.#fallback
    if (fallback instanceof WorkerSearcher) return 'left'
    const large = isStale ? fallback.searchAgain(file) : fallback.searchFile(file)
    return large === undefined ? undefined : yield* fallback.searchLarge(file, large)
  }

  /** Waits for what a thread finds in a file; `slow` if the thread did not search it. */
  *#collect(run: QueryRun, file: Candidate): Steps<FileState | 'expired'> {
    const item = this.#item++
    const state = yield* run.waitFor(item)
    if (state === 'expired') return 'expired'
    if (state === 'lost') {
      this.#run = undefined
      return 'slow'
    }
    const outcome = run.outcome(item)
    if (outcome === notSearched) return 'slow'
    return this.#addWords(file, run.linesAt(item), outcome - 1)
  }

  /** Leaves a file and all after it to the fallback: the worker needs many files per round trip. */
  *#leave(file: Candidate): Steps<SearchEnd | undefined> {
    this.#run?.stop()
    return yield* this.#fallback.search(this.#options.candidates.restartAt(file))
  }
}

/** What threads search for; undefined if they cannot. */
function threadPattern({ matcher, request }: SearchTask): QueryPattern | undefined {
  const { pattern, caseSensitive, regex } = request
  if (!regex) {
    const needle = matcher.kind === 'inline' ? matcher.needle : undefined
    return needle === undefined ? undefined : { kind: 'literal', needle }
  }
  const ignoreCase = !caseSensitive
  return isRegular(parseRegex(pattern, { ignoreCase }))
    ? { kind: 'regex', pattern, ignoreCase }
    : undefined
}
