// The jobs of prefilter threads and their results: plain data that is posted between threads.
import type { CorpusRoot } from '../../root/root.ts'
import type { PlainNeedle } from '../../finder/finder.ts'
import type { SpecialKind } from '../../walk/walk.ts'

export interface PrefilterSetup {
  root: CorpusRoot
  needle: PlainNeedle
  maxBytes: number
}

/** Files of one folder, in the order of the walk. */
export interface PrefilterFolder {
  /** Path with a slash at its end; empty for the root. */
  prefix: string
  /** The names, each with a NUL at its end: one string is cloned faster than many. */
  names: string
  special: ReadonlyMap<string, SpecialKind> | undefined
}

export interface PrefilterJob {
  folders: PrefilterFolder[]
  /** Number of files. */
  files: number
}

/** The files that may contain the needle, and the totals of the others. */
export interface Prefiltered {
  /** Number of files of the job. */
  files: number
  /** Numbers of the files that may match, in order. The search reads and counts them again. */
  kept: number[]
  /** Per kept file: characters of the files before it that were not kept. */
  chars: number[]
  /** Per kept file: files before it that are too large. */
  skipped: number[]
  /** Totals of all files that were not kept. */
  allChars: number
  allSkipped: number
  /** Paths of files that could not be read. */
  failed: string[]
}

export function splitNames(names: string): string[] {
  return names.slice(0, -1).split('\0')
}

export function emptyPrefiltered(): Prefiltered {
  return { files: 0, kept: [], chars: [], skipped: [], allChars: 0, allSkipped: 0, failed: [] }
}

/** The result of a job that no thread finished: every file may match. */
export function unfiltered(files: number): Prefiltered {
  const none = Array.from({ length: files }, () => 0)
  return { ...emptyPrefiltered(), files, kept: Array.from(none.keys()), chars: none, skipped: none }
}
