// Which files of the tree a request is about.
import type { PathMatcher } from '../glob/glob.ts'
import type { WalkOptions } from './walk.ts'

export interface Selection {
  walk: WalkOptions
  /** Paths that are left out. */
  excluded: PathMatcher | undefined
  /** How many files may be taken; the walk ends when one more is found. */
  maxFiles: number
}

/** Folders that hold no source of the project itself, by name. */
export const defaultExcludedFolders: readonly string[] = [
  ...['.git', '.hg', '.svn', '.venv', 'venv', 'node_modules', 'dist', 'build'],
  ...['.next', '.turbo', '.cache', '.pytest_cache'],
]
