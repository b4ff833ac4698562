// Searches texts with the regex worker: collects them in shared memory until a round trip pays.
import { closeSync } from 'node:fs'
import { maxReadBytes } from '../content/content.ts'
import { locateLines } from '../finder/finder.ts'
import type { Steps } from '../steps.ts'
import { searchLarge } from './large-search.ts'
import type { LargeCandidate } from './large-search.ts'
import type { WorkerMatcher } from './matcher.ts'
import type { Candidate, CandidateBatch, Searcher, SearchState, TextSource } from './plan.ts'
import type { OpenedText } from './plan.ts'
import type { SearchTask } from './task.ts'

interface Entry {
  file: Candidate
  path: string
  bytes: Buffer
  offset: number
  linesWanted: number
}

/** Texts that are sent to the worker together. */
export const workerBatch = { files: 512, bytes: 4 << 20 }

export class WorkerSearcher implements Searcher {
  readonly #texts: TextSource
  readonly #task: SearchTask
  readonly #matcher: WorkerMatcher
  #memory: { shared: SharedArrayBuffer; buffer: Buffer } | undefined
  #entries: Entry[] = []
  #used = 0
  #lastOpened: Candidate = -1

  constructor(texts: TextSource, task: SearchTask, matcher: WorkerMatcher) {
    this.#texts = texts
    this.#task = task
    this.#matcher = matcher
  }

  *search(batch: CandidateBatch): Steps<SearchState> {
    const { result } = this.#task
    for (;;) {
      const next = this.#collect(batch)
      const state = yield* this.#searchCollected(typeof next === 'string' ? undefined : next)
      if (state === 'expired' || next === 'end' || result.isComplete) return state
      yield
    }
  }

  /** Opens texts until enough are collected, one is large, or the batch ends. */
  #collect(batch: CandidateBatch): 'full' | 'end' | LargeCandidate {
    for (let seen = 0; seen < workerBatch.files && this.#used < workerBatch.bytes; seen++) {
      const file = batch.next()
      if (file === undefined) return 'end'
      this.#lastOpened = file
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
    this.#entries.push({ file, path, bytes, offset, linesWanted })
  }

  /** Searches the collected texts, then a large file, which it closes. */
  *#searchCollected(last: LargeCandidate | undefined): Steps<SearchState> {
    try {
      const state = yield* this.#searchEntries()
      if (last === undefined || state === 'expired' || this.#task.result.isComplete) return state
      return yield* searchLarge(last, this.#task)
    } finally {
      if (last !== undefined) closeSync(last.large.fd)
    }
  }

  *#searchEntries(): Steps<SearchState> {
    const { result } = this.#task
    const entries = this.#entries
    this.#entries = []
    this.#used = 0
    if (entries.length === 0) return 'searched'
    const found = yield* this.#runPattern(entries)
    if (found === undefined) {
      result.last = this.#lastOpened
      return 'expired'
    }
    for (const [index, { file, path, bytes }] of entries.entries()) {
      if (result.isComplete) break
      result.add(file, path, bytes, locateLines(bytes, found[index] ?? []))
    }
    return 'searched'
  }

  *#runPattern(entries: Entry[]): Steps<number[][] | undefined> {
    const bytes = this.#memory?.shared as SharedArrayBuffer
    const spans = entries.flatMap(({ bytes, offset }) => [offset, bytes.length])
    const perFile = Math.max(...entries.map(({ linesWanted }) => linesWanted))
    const limit = this.#task.result.limitOverall(perFile)
    return yield* this.#matcher.run.search({ bytes, spans, perFile, limit })
  }
}

/** A file that is read at once fits into the rest of a batch that is not full. */
function createMemory(): { shared: SharedArrayBuffer; buffer: Buffer } {
  const shared = new SharedArrayBuffer(workerBatch.bytes + maxReadBytes + 1)
  return { shared, buffer: Buffer.from(shared) }
}
