// The context of an operation: the root, the source of its files, the regex worker, and the time of the request.
import type { LazyRevisions } from './lazy-revisions.ts'
import type { RegexWorker } from './regex/regex.ts'
import type { Revision } from './revision/revision.ts'
import type { CorpusRoot } from './root/root.ts'
import type { Source } from './source.ts'

/** Whether an operation needs only the names of the tree's files, or also their contents. */
export type TreeUse = 'walk' | 'search'

export interface Engine {
  root: CorpusRoot
  source: Source
  revisions: LazyRevisions
  /** The revision of a request with `rev`. */
  revision?: Revision | undefined
  /** Start of the request on the clock of `monotonicMs`. */
  startedMs: number
  monotonicMs(): number
  regexWorker: RegexWorker
  /** Time limit of patterns if the client set no deadline. */
  regexMs: number
  /** Fires when the request is cancelled. */
  signal: AbortSignal | undefined
  /** Allows hits as JSON (see `GrepResult`). */
  writesHits?: boolean
}

/** Elapsed and remaining time of one request. */
export interface RequestTime {
  elapsedMs(): number
  /** Milliseconds until the client's `deadline_ms`; Infinity without one. */
  remainingMs(): number
  hasDeadline: boolean
  /** Starts to read a file. The returned function throws past the deadline, or 10 s later without one. */
  startFile(): () => void
}
