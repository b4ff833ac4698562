// What a thread that sifts is asked and what it answers; plain data that crosses a thread border.
import type { CorpusRoot } from '../../root.ts'
import type { PlainNeedle } from '../plain-needle.ts'
import type { SpecialKind } from '../../walk.ts'

export interface SiftSetup {
  root: CorpusRoot
  needle: PlainNeedle
  maxBytes: number
}

/** Files of one folder, as a walk came upon them. */
export interface SiftFolder {
  /** Path and a slash; empty for the root. */
  prefix: string
  /** One behind the other, each with a NUL at its end: one text is sent sooner than many. */
  names: string
  special: ReadonlyMap<string, SpecialKind> | undefined
}

export interface SiftJob {
  folders: SiftFolder[]
  /** How many there are in all. */
  files: number
}

/** Which files may hold the needle, and how much the others were. */
export interface Sifted {
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

export function emptySifted(): Sifted {
  return { files: 0, kept: [], chars: [], skipped: [], allChars: 0, allSkipped: 0 }
}

/** Nobody has looked at any of so many files. */
export function unsifted(files: number): Sifted {
  const none = Array.from({ length: files }, () => 0)
  return { ...emptySifted(), files, kept: Array.from(none.keys()), chars: none, skipped: none }
}
