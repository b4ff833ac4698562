// What a thread that sifts is asked and what it answers; plain data that crosses a thread border.
import type { CorpusRoot } from '../../root/root.ts'
import type { PlainNeedle } from '../../finder/finder.ts'
import type { SpecialKind } from '../../walk/walk.ts'

export interface PrefilterSetup {
  root: CorpusRoot
  needle: PlainNeedle
  maxBytes: number
}

/** Files of one folder, as a walk came upon them. */
export interface PrefilterFolder {
  /** Path and a slash; empty for the root. */
  prefix: string
  /** One behind the other, each with a NUL at its end: one text is sent sooner than many. */
  names: string
  special: ReadonlyMap<string, SpecialKind> | undefined
}

export interface PrefilterJob {
  folders: PrefilterFolder[]
  /** How many there are in all. */
  files: number
}

/** Which files may hold the needle, and how much the others were. */
export interface Prefiltered {
  /** Files that were looked at. */
  files: number
  /** By number, in order: these have yet to be read and counted. */
  kept: number[]
  /** Of each: the characters of the files before it that were not kept. */
  chars: number[]
  /** Of each: how many before it were too large to be searched. */
  skipped: number[]
  allChars: number
  allSkipped: number
}

export function namesIn(names: string): string[] {
  return names.slice(0, -1).split('\0')
}

export function emptyPrefiltered(): Prefiltered {
  return { files: 0, kept: [], chars: [], skipped: [], allChars: 0, allSkipped: 0 }
}

/** Nobody has looked at any of so many files. */
export function unfiltered(files: number): Prefiltered {
  const none = Array.from({ length: files }, () => 0)
  return { ...emptyPrefiltered(), files, kept: Array.from(none.keys()), chars: none, skipped: none }
}
