// The two ways to search: in this thread, or by the worker over files that may hold a match.
import type { PatternRun } from '../pattern-run.ts'
import type { LineFinder } from './found-line.ts'

export type Search = { find: LineFinder } | WorkerSearch

export interface WorkerSearch {
  run: PatternRun
  /** Cheap and never wrong when it says no. */
  mayMatch(bytes: Buffer): boolean
}
