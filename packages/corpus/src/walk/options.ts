// What a walk visits, and the interface of all walks: over the disk, the index and a git revision.
import type { PathMatcher } from '../glob/glob.ts'
import type { ExcludedCount } from './excluded.ts'
import { comparePaths } from './path-order.ts'

export interface WalkOptions {
  includeHidden: boolean
  /** Names of folders that the request skips, at any depth below the root. */
  excludedFolders: ReadonlySet<string>
  /** Names of folders that are skipped by default, unless the request names their path. */
  defaultFolders?: ReadonlySet<string> | undefined
  /** Paths that the request names, and the folders above them. Default rules do not hide them. */
  named?: ReadonlySet<string> | undefined
  gitignore: boolean
  /** Whether a folder (its path and a slash) can contain a match. */
  wanted?: ((prefix: string) => boolean) | undefined
  /** What the request selects where no default rule hides it; used to count what is hidden. */
  selects?: PathMatcher | undefined
  /** Starts at this path. */
  from?: string | undefined
}

/** Iterates over files in path order. */
export interface Walk {
  /** Path of the current file. */
  readonly path: string
  /** What the default rules hid so far. Complete after a complete walk without `from`. */
  readonly excluded: ExcludedCount
  /** Advances to the next file; false at the end. */
  next(): boolean
  /** Appends the paths of the next files in the current folder, as far as they need no checks. */
  nextPaths?(into: string[], max: number): void
  /** Opens the current file; the caller closes the descriptor. -1 if it is not readable. */
  open(): number
  /** The content of the current file, where it comes from memory; undefined if it is not readable. */
  read?(): Buffer | undefined
  /** Changes with the content of the current file; undefined if that is unknown. */
  stamp?(): string | undefined
  close(): void
}

/** Whether a folder (its path and a slash) can contain a requested file. */
export function shouldEnter({ from, wanted }: WalkOptions, prefix: string): boolean {
  if (from !== undefined && !from.startsWith(prefix) && comparePaths(prefix, from) < 0) return false
  return wanted === undefined || wanted(prefix)
}
