// The two ways to search: in this thread, or by the worker over files that may hold a match.
import type { PatternRun } from '../regex/regex.ts'
import type { LineFinder, PlainNeedle } from '../finder/finder.ts'

export type Search = PlainSearch | WorkerSearch

export interface PlainSearch {
  find: LineFinder
  /** What finds the same by bytes alone, for files that can be asked so. */
  plain?: PlainNeedle | undefined
}

export interface WorkerSearch {
  run: PatternRun
  /** Cheap and never wrong when it says no. */
  mayMatch(bytes: Buffer): boolean
}
