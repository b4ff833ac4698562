// Searches texts one after the other in the main thread.
import { closeSync } from 'node:fs'
import type { LargeFile } from '../content/content.ts'
import type { Steps } from '../steps.ts'
import type { LineHit } from './hit.ts'
import { searchLarge } from './large-search.ts'
import type { InlineMatcher } from './matcher.ts'
import type { Candidate, CandidateBatch, SearchEnd, Searcher, TextSource } from './plan.ts'
import type { SearchTask } from './task.ts'

/** Work between two yields to the event loop. */
const turnFiles = 256
const turnBytes = 4 << 20

/**
 * A faster search of a file for `limit` lines, which adds the hits to the result. Returns the length of the text in
 * bytes; undefined if it cannot search this one.
 */
export type TextSearch = (file: Candidate, limit: number) => number | undefined

export class InlineSearcher implements Searcher {
  /** Texts searched so far. */
  readonly work = { files: 0, bytes: 0 }
  readonly #texts: TextSource
  readonly #task: SearchTask
  readonly #matcher: InlineMatcher
  readonly #search: TextSearch | undefined

  constructor(texts: TextSource, task: SearchTask, matcher: InlineMatcher, search?: TextSearch) {
    this.#search = search
    this.#texts = texts
    this.#task = task
    this.#matcher = matcher
  }

  *search(batch: CandidateBatch): Steps<SearchEnd | undefined> {
    const { work } = this
    let { files, bytes } = work
    for (let file = batch.next(); file !== undefined; file = batch.next()) {
      const large = this.searchFile(file)
      const end = large === undefined ? this.endAt(file) : yield* this.searchLarge(file, large)
      if (end !== undefined) return end
      if (work.files - files < turnFiles && work.bytes - bytes < turnBytes) continue
      yield
      ;({ files, bytes } = work)
    }
    return undefined
  }

  /** Defers nothing. */
  // oxlint-disable-next-line require-yield
  *finish(): Steps<undefined> {
    return undefined
  }

  /** Searches one file at once, and again if it is stale. Returns a large file unsearched. */
  searchFile(file: Candidate): LargeFile | undefined {
    const known = knownHits(this.#texts, this.#task, file)
    if (known !== undefined) {
      this.#task.result.addKnown(file, known)
      return undefined
    }
    const wanted = this.#linesWanted(file)
    const searched = this.#search?.(file, wanted)
    if (searched !== undefined) {
      this.work.files++
      this.work.bytes += searched
      return undefined
    }
    const text = this.#texts.open(file)
    if (!Buffer.isBuffer(text)) return text
    this.work.files++
    this.work.bytes += text.length
    const lines = this.#matcher.find(text, wanted)
    if (lines.length === 0) {
      rememberNothing(this.#texts, this.#task, file)
      return undefined
    }
    if (this.#texts.isStale(file)) return this.searchAgain(file)
    const [path, stamp] = [this.#texts.path(file), this.#texts.stamp?.(file)]
    this.#task.result.add(file, { path, bytes: text, lines, stamp })
    return undefined
  }

  /** Searches a stale file as it is now. Returns a large file unsearched. */
  searchAgain(file: Candidate): LargeFile | undefined {
    const text = this.#texts.reread(file)
    if (!Buffer.isBuffer(text)) return text
    const lines = this.#matcher.find(text, this.#linesWanted(file))
    const path = this.#texts.path(file)
    if (lines.length > 0) this.#task.result.add(file, { path, bytes: text, lines })
    return undefined
  }

  /** Searches a large file in parts and closes it. */
  *searchLarge(file: Candidate, large: LargeFile): Steps<SearchEnd | undefined> {
    try {
      const path = this.#texts.path(file)
      const state = yield* searchLarge({ number: file, path, large }, this.#task)
      if (state === 'searched') return this.endAt(file)
      return { reason: 'expired', scanned: this.#texts.scanned(file) }
    } finally {
      closeSync(large.fd)
    }
  }

  /** The end of the search if the result is complete with a file. */
  endAt(file: Candidate): SearchEnd | undefined {
    if (!this.#task.result.isComplete) return undefined
    return { reason: 'complete', scanned: this.#texts.scanned(file) }
  }

  #linesWanted(file: Candidate): number {
    return this.#task.result.linesWanted(file, this.#texts)
  }
}

/** The hits of a file that the request knows without a search. */
export function knownHits(
  texts: Pick<TextSource, 'path' | 'stamp'>,
  { request: { choice } }: SearchTask,
  file: Candidate,
): readonly LineHit[] | undefined {
  const stamp = choice === undefined ? undefined : texts.stamp?.(file)
  return stamp === undefined ? undefined : choice?.known(texts.path(file), stamp)
}

/** Tells a request that remembers files that one has no hits. */
export function rememberNothing(
  texts: Pick<TextSource, 'path' | 'stamp'>,
  { request: { choice } }: SearchTask,
  file: Candidate,
): void {
  const stamp = choice === undefined ? undefined : texts.stamp?.(file)
  if (stamp !== undefined) choice?.foundNothing(texts.path(file), stamp)
}
