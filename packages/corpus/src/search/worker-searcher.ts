// Searches texts with the regex worker. It collects texts in shared memory, over several batches, until they are worth a
// round trip.
import { closeSync } from 'node:fs'
import { maxReadBytes } from '../content/content.ts'
import { locateLines } from '../finder/finder.ts'
import type { Steps } from '../steps.ts'
import { searchLarge } from './large-search.ts'
import type { LargeCandidate } from './large-search.ts'
import type { WorkerMatcher } from './matcher.ts'
import type { Candidate, CandidateBatch, OpenedText, Scanned } from './plan.ts'
import type { SearchEnd, Searcher, TextSource } from './plan.ts'
import type { SearchTask } from './task.ts'

interface Entry {
  file: Candidate
  path: string
  bytes: Buffer
  offset: number
  linesWanted: number
  /** Taken at once, because the batch of the file may end before the round trip. */
  scanned: Scanned
}

/** Limits of a round trip: files that were opened, and bytes that were collected. */
const maxFiles = 512
const maxBytes = 4 << 20

export class WorkerSearcher implements Searcher {
  readonly #texts: TextSource
  readonly #task: SearchTask
  readonly #matcher: WorkerMatcher
  #memory: { shared: SharedArrayBuffer; buffer: Buffer } | undefined
  #entries: Entry[] = []
  #opened = 0
  #used = 0

  constructor(texts: TextSource, task: SearchTask, matcher: WorkerMatcher) {
    this.#texts = texts
    this.#task = task
    this.#matcher = matcher
  }

  *search(batch: CandidateBatch): Steps<SearchEnd | undefined> {
    for (;;) {
      const next = this.#collect(batch)
      if (next === 'end') return undefined
      const end = next === 'full' ? yield* this.#searchEntries() : yield* this.#searchWith(next)
      if (end !== undefined) return end
      yield
    }
  }

  *finish(): Steps<SearchEnd | undefined> {
    return yield* this.#searchEntries()
  }

  /** Opens texts until a round trip pays, a file is large, or the batch ends. */
  #collect(batch: CandidateBatch): 'full' | 'end' | LargeCandidate {
    while (this.#opened < maxFiles && this.#used < maxBytes) {
      const file = batch.next()
      if (file === undefined) return 'end'
      this.#opened++
      const text = this.#open(file)
      if (text === undefined) continue
      const path = this.#texts.path(file)
      if (!Buffer.isBuffer(text)) return { number: file, path, large: text }
      if (text.length > 0) this.#add(file, path, text)
    }
    return 'full'
  }

  /** The current text of a file, if it may match. */
  #open(file: Candidate): OpenedText {
    const text = this.#texts.open(file)
    if (!Buffer.isBuffer(text)) return text
    if (!this.#matcher.mayMatch(text)) return undefined
    if (!this.#texts.isStale(file)) return text
    const current = this.#texts.reread(file)
    return Buffer.isBuffer(current) && !this.#matcher.mayMatch(current) ? undefined : current
  }

  #add(file: Candidate, path: string, text: Buffer): void {
    const offset = this.#used
    this.#used += text.length
    this.#memory ??= createMemory()
    const bytes = this.#memory.buffer.subarray(offset, this.#used)
    text.copy(bytes)
    const linesWanted = this.#task.result.linesWanted(file, this.#texts)
    const scanned = this.#texts.scanned(file)
    this.#entries.push({ file, path, bytes, offset, linesWanted, scanned })
  }

  /** Searches the collected texts, then a large file, which it closes. */
  *#searchWith(file: LargeCandidate): Steps<SearchEnd | undefined> {
    try {
      const end = yield* this.#searchEntries()
      if (end !== undefined) return end
      const state = yield* searchLarge(file, this.#task)
      if (state === 'searched' && !this.#task.result.isComplete) return undefined
      const reason = state === 'expired' ? 'expired' : 'complete'
      return { reason, scanned: this.#texts.scanned(file.number) }
    } finally {
      closeSync(file.large.fd)
    }
  }

  *#searchEntries(): Steps<SearchEnd | undefined> {
    const { result } = this.#task
    const entries = this.#entries
    this.#entries = []
    this.#opened = 0
    this.#used = 0
    if (entries.length === 0) return undefined
    const found = yield* this.#runPattern(entries)
    if (found === undefined) {
      return { reason: 'expired', scanned: (entries.at(-1) as Entry).scanned }
    }
    for (const [index, { file, path, bytes, scanned }] of entries.entries()) {
      result.add(file, { path, bytes, lines: locateLines(bytes, found[index] ?? []) })
      if (result.isComplete) return { reason: 'complete', scanned }
    }
    return undefined
  }

  *#runPattern(entries: Entry[]): Steps<number[][] | undefined> {
    const bytes = this.#memory?.shared as SharedArrayBuffer
    const spans = entries.flatMap(({ bytes, offset }) => [offset, bytes.length])
    const perFile = Math.max(...entries.map(({ linesWanted }) => linesWanted))
    const limit = this.#task.result.linesWantedOverall(perFile)
    return yield* this.#matcher.run.search({ bytes, spans, perFile, limit })
  }
}

/** A file that is read at once fits into the rest of memory that is not full. */
function createMemory(): { shared: SharedArrayBuffer; buffer: Buffer } {
  const shared = new SharedArrayBuffer(maxBytes + maxReadBytes + 1)
  return { shared, buffer: Buffer.from(shared) }
}
