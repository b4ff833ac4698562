// Searches files whose contents are kept, in the order of the answer. What takes long is given to threads, and
// what they find is taken over here, file by file: whether a file is still what it was, hits, limits.
import { columnFinder } from '../../regex/dfa/first-column.ts'
import { isRegular } from '../../regex/dfa/nfa.ts'
import { parseRegex } from '../../regex/parse.ts'
import type { FoundLine } from '../../grep/found-line.ts'
import type { Scan } from '../../grep/scan-large.ts'
import { scanLarge } from '../../grep/scan-large.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Steps } from '../../steps.ts'
import { decodeBytes } from '../../text/lines.ts'
import type { KernelSearch } from '../kernel-search.ts'
import type { KnownFiles } from '../known-files.ts'
import type { HitWriter } from '../query-hits/hit-writer.ts'
import { ELSEWHERE, Item, ITEM_WORDS, LINE_BYTES, NO_PLACE, WORDS_PER_LINE } from './query-area.ts'
import type { Sought } from './query-jobs.ts'
import type { QueryPool } from './query-pool.ts'
import type { QueryRun, RunLimits } from './query-run.ts'

export interface KnownSearchParts {
  kernel: Kernel
  search: KernelSearch
  /** None where there are no threads, or no memory for it. */
  pool: QueryPool | undefined
  writer: HitWriter | undefined
  /** Files to be searched before handing over, whatever pays. */
  ownFiles?: number | undefined
}

/** What this thread searches itself before it hands over: less than a millisecond's work. */
const OWN_BYTES = 2 << 20
const OWN_FILES = 128
/** Patterns are so much slower. */
const OWN_REGEX_BYTES = 64 << 10
/** Fewer files are not worth a hand-over. */
const FEW_ITEMS = 32
/** What is searched or looked at before others get their turn. */
const TURN_BYTES = 1 << 20
const TURN_ITEMS = 4096
const TURN_TAKEN = 256
const LINES_AT_ONCE = 1024
/** As long as so few hits are wanted they may all be in the first files. */
const FEW_HITS = 1000

/** Lines that were found: words at an address of the kernel's memory, or lines. */
type Found = { words: number; count: number } | { lines: FoundLine[]; bytes: Buffer }

export class KnownSearch {
  readonly #files: KnownFiles
  readonly #scan: Scan
  readonly #parts: KnownSearchParts
  readonly #limits: RunLimits
  readonly #sought: Sought | undefined
  #run: QueryRun | undefined
  #isTried = false
  #item = 0
  #ownBytes = 0
  #ownFiles = 0
  #turnBytes = 0
  #columnOf: ((line: string) => number) | undefined

  constructor(files: KnownFiles, scan: Scan, parts: KnownSearchParts, limits: RunLimits) {
    this.#files = files
    this.#scan = scan
    this.#parts = parts
    this.#limits = limits
    this.#sought = soughtBy(scan)
  }

  /** True when there is nothing left to do; otherwise the next file is not for here. */
  *search(): Steps<boolean> {
    const { tally } = this.#scan
    try {
      while (!tally.stopped) {
        if (this.#isDue) yield* this.#handOver()
        if (!this.#files.next()) return true
        const isDone = this.#run === undefined ? yield* this.#here() : yield* this.#fromThreads()
        if (!isDone || this.#files.late) return isDone
      }
      tally.taken = this.#files.taken()
      return true
    } finally {
      this.#run?.stop()
    }
  }

  /** Whether threads should go on. */
  get #isDue(): boolean {
    if (this.#isTried || this.#sought === undefined || this.#parts.pool === undefined) return false
    const { request } = this.#scan
    const { ownFiles } = this.#parts
    if (ownFiles !== undefined) return this.#ownFiles >= ownFiles
    if (this.#sought.kind === 'regex') {
      return !('find' in this.#scan.search) || this.#ownBytes >= OWN_REGEX_BYTES
    }
    if (request.mode !== 'hits' || request.maxHits > FEW_HITS) return this.#ownFiles >= FEW_ITEMS
    return this.#ownBytes >= OWN_BYTES || this.#ownFiles >= OWN_FILES
  }

  /** Gives all further files to the threads, if they are there and it is worth it. */
  *#handOver(): Steps<void> {
    this.#isTried = true
    const { request, tally } = this.#scan
    const pool = this.#parts.pool as QueryPool
    pool.start()
    if (!(yield* pool.becomeIdle())) return
    const positions = yield* this.#keptPositions()
    const isAlways = this.#sought?.kind === 'regex' || this.#parts.ownFiles !== undefined
    const fewest = isAlways ? 1 : FEW_ITEMS
    const items = positions.length < fewest ? undefined : pool.room(positions.length)
    if (items === undefined) return
    const { memory } = this.#parts.kernel
    const words = new Uint32Array(memory.buffer, items, positions.length * ITEM_WORDS)
    positions.forEach((position, index) => {
      const { address, length, isAscii } = this.#files.textAt(position)
      const at = index * ITEM_WORDS
      words[at + Item.address] = address
      words[at + Item.length] = length * 2 + (isAscii ? 1 : 0)
      words[at + Item.outcome] = 0
    })
    const limit = request.mode === 'files' ? 1 : request.mode === 'count' ? Infinity : tally.left
    const job = {
      ...{ sought: this.#sought as Sought, items, count: positions.length },
      ...{ limit: request.resume === undefined ? limit : Infinity, counts: request.mode !== 'hits' },
    }
    this.#run = pool.begin(job, this.#limits)
  }

  *#keptPositions(): Steps<number[]> {
    const positions: number[] = []
    let seen = 0
    for (const position of this.#files.further()) {
      if (++seen % TURN_ITEMS === 0) yield
      if (this.#isForThreads(position)) positions.push(position)
    }
    return positions
  }

  #isForThreads(position: number): boolean {
    const { search } = this.#scan
    const folds = 'find' in search && search.plain?.folded === true
    return this.#files.isKept(position, folds)
  }

  *#fromThreads(): Steps<boolean> {
    if (!this.#isForThreads(this.#files.position)) return yield* this.#here()
    if (this.#item % TURN_TAKEN === 0) yield
    const run = this.#run as QueryRun
    const item = this.#item++
    let outcome = run.outcome(item)
    if (outcome === 0) {
      const state = yield* run.until(item)
      if (state === 'late') return this.#endLate()
      if (state === 'lost') {
        this.#run = undefined
        return yield* this.#here()
      }
      outcome = run.outcome(item)
    }
    if (outcome === ELSEWHERE) return yield* this.#here()
    if (outcome === 1) return true
    return yield* this.#take({ words: run.linesAt(item), count: outcome - 1 })
  }

  #endLate(): boolean {
    this.#files.back()
    this.#files.late = true
    return true
  }

  /** Searches the current file in this thread. */
  *#here(): Steps<boolean> {
    const { files, tally, search } = this.#scan
    const { kernel } = this.#parts
    if (!('find' in search)) return this.#leave()
    this.#ownFiles++
    if (this.#turnBytes > TURN_BYTES) {
      this.#turnBytes = 0
      yield
    }
    const limit = tally.wantedIn(files)
    if (search.plain !== undefined && this.#files.isPrepared && this.#isForThreads(this.#files.position)) {
      const { address, length } = this.#files.textAt(this.#files.position)
      this.#countOwn(length)
      const count = this.#parts.search.find(address, length, limit)
      if (count === 0) return true
      if (count !== undefined) {
        this.#files.foundSome(count)
        return yield* this.#take({ words: this.#parts.search.linesAt, count })
      }
    }
    const bytes = files.read()
    if (files.hasLarge) return yield* this.#large()
    if (bytes === undefined) return true
    this.#countOwn(bytes.length)
    const lines = search.find(bytes, limit)
    return lines.length === 0 ? true : yield* this.#take({ lines, bytes })
  }

  #countOwn(bytes: number): void {
    this.#ownBytes += bytes
    this.#turnBytes += bytes
  }

  *#large(): Steps<boolean> {
    const large = this.#scan.files.takeLarge()
    if (large !== undefined) yield* scanLarge(this.#scan, large)
    return true
  }

  /** The current file has to be searched in another way. */
  #leave(): boolean {
    this.#files.back()
    return false
  }

  /** Takes over what was found in the current file, unless it has changed. */
  *#take(found: Found): Steps<boolean> {
    const { files, tally, search, request } = this.#scan
    if (!files.isCurrent()) {
      if (!('find' in search)) return this.#leave()
      const bytes = files.read()
      if (files.hasLarge) return yield* this.#large()
      const lines = bytes === undefined ? [] : search.find(bytes, tally.wantedIn(files))
      if (bytes === undefined || lines.length === 0) return true
      tally.add(this.#files.place(), bytes, lines)
      return true
    }
    if ('lines' in found) tally.add(this.#files.place(), found.bytes, found.lines)
    else if (request.mode !== 'hits') tally.addCount(this.#files.place(), found.count)
    else this.#addWords(found.words, found.count)
    return true
  }

  #addWords(words: number, count: number): void {
    const { tally, request, files } = this.#scan
    const { writer } = this.#parts
    const taken = this.#files.place()
    const most = Math.min(count, tally.wantedIn(files))
    const pen = tally.writable && writer?.begin(taken.path) === true ? writer : undefined
    const { address, length } = this.#files.textAt(this.#files.position)
    const bytes = this.#parts.kernel.bytes().subarray(address, address + length)
    for (let done = 0; done < most && !tally.stopped;) {
      const at = words + done * LINE_BYTES
      const written = pen?.write(address, at, most - done, request.form.maxLineChars)
      if (written !== undefined && written.count > 0) {
        tally.addWritten(taken, written.json, written.count)
        done += written.count
        continue
      }
      const count = pen === undefined ? Math.min(LINES_AT_ONCE, most - done) : 1
      const lines = Array.from({ length: count }, (_, index) =>
        this.#lineAt(at + index * LINE_BYTES, bytes),
      )
      tally.add(taken, bytes, lines)
      done += count
    }
  }

  #lineAt(words: number, bytes: Buffer): FoundLine {
    const view = new Uint32Array(this.#parts.kernel.memory.buffer, words, WORDS_PER_LINE)
    const [line, start, end, at] = view as unknown as [number, number, number, number]
    if (at !== NO_PLACE) return { line, start, end, at }
    // Only where a line is cut does it matter where on it the match is.
    if (end - start <= this.#scan.request.form.maxLineChars) return { line, start, end }
    return { line, start, end, column: this.#column(decodeBytes(bytes.subarray(start, end))) }
  }

  #column(line: string): number {
    const { pattern, caseSensitive } = this.#scan.request
    this.#columnOf ??= columnFinder(parseRegex(pattern, { ignoreCase: !caseSensitive }))
    return this.#columnOf?.(line) ?? 1
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
