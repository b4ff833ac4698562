// What every operation works with: the root, a clock, the regex worker, and the request's own time.
import type { RegexWorker } from './regex/regex.ts'
import type { CorpusRoot } from './root/root.ts'
import type { Source } from './source.ts'

/** What an operation needs the tree for: the names of its files, or also what they hold. */
export type TreeUse = 'walk' | 'search'

export interface Engine {
  root: CorpusRoot
  source: Source
  /** Since when the request runs, as `monotonicMs` tells it. */
  began: number
  monotonicMs(): number
  regexWorker: RegexWorker
  /** What patterns may take per request where the client set no deadline. */
  regexMs: number
  /** Ends waiting for the worker when the request is cancelled. */
  signal: AbortSignal | undefined
  /** Hits may come as JSON (see `GrepResult`). */
  writesHits?: boolean
}

/** The time of one request: since when it runs and when it has to come to an end. */
export interface RequestTime {
  elapsedMs(): number
  /** Milliseconds until the client's `deadline_ms`; Infinity without one. */
  leftMs(): number
  hasDeadline: boolean
}
