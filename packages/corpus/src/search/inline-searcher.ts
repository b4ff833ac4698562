// Searches texts one after the other in the main thread.
import { closeSync } from 'node:fs'
import type { LargeFile } from '../content/content.ts'
import type { Steps } from '../steps.ts'
import { searchLarge } from './large-search.ts'
import type { InlineMatcher } from './matcher.ts'
import type { Candidate, CandidateBatch, Searcher, SearchState, TextSource } from './plan.ts'
import type { SearchTask } from './task.ts'

/** Work between two yields to the event loop. */
const turnFiles = 256
const turnBytes = 4 << 20

export class InlineSearcher implements Searcher {
  /** Texts searched so far. */
  readonly work = { files: 0, bytes: 0 }
  readonly #texts: TextSource
  readonly #task: SearchTask
  readonly #matcher: InlineMatcher

  constructor(texts: TextSource, task: SearchTask, matcher: InlineMatcher) {
    this.#texts = texts
    this.#task = task
    this.#matcher = matcher
  }

  *search(batch: CandidateBatch): Steps<SearchState> {
    const { work } = this
    let { files, bytes } = work
    for (let file = batch.next(); file !== undefined; file = batch.next()) {
      const large = this.searchFile(file)
      if (large !== undefined) {
        const state = yield* this.searchLarge(file, large)
        if (state === 'expired') return state
      }
      if (this.#task.result.isComplete) break
      if (work.files - files < turnFiles && work.bytes - bytes < turnBytes) continue
      yield
      ;({ files, bytes } = work)
    }
    return 'searched'
  }

  /** Searches one file at once, and again if it is stale. Returns a large file unsearched. */
  searchFile(file: Candidate): LargeFile | undefined {
    const text = this.#texts.open(file)
    if (!Buffer.isBuffer(text)) return text
    this.work.files++
    this.work.bytes += text.length
    const found = this.#matcher.find(text, this.#linesWanted(file))
    if (found.length === 0) return undefined
    if (this.#texts.isStale(file)) return this.searchAgain(file)
    this.#task.result.add(file, this.#texts.path(file), text, found)
    return undefined
  }

  /** Searches a stale file as it is now. Returns a large file unsearched. */
  searchAgain(file: Candidate): LargeFile | undefined {
    const text = this.#texts.reread(file)
    if (!Buffer.isBuffer(text)) return text
    const found = this.#matcher.find(text, this.#linesWanted(file))
    if (found.length > 0) this.#task.result.add(file, this.#texts.path(file), text, found)
    return undefined
  }

  /** Searches a large file in parts and closes it. */
  *searchLarge(file: Candidate, large: LargeFile): Steps<SearchState> {
    try {
      const path = this.#texts.path(file)
      return yield* searchLarge({ number: file, path, large }, this.#task)
    } finally {
      closeSync(large.fd)
    }
  }

  #linesWanted(file: Candidate): number {
    return this.#task.result.linesWanted(file, this.#texts)
  }
}
