// Which files of the tree a request selects.
import type { PathMatcher } from '../glob/glob.ts'
import type { WalkOptions } from './walk.ts'

export interface Selection {
  walk: WalkOptions
  /** Paths to omit. */
  excluded: PathMatcher | undefined
  /** Maximum number of files; the walk ends at the first file beyond it. */
  maxFiles: number
}

/** Names of folders that contain no source of the project itself. */
export const defaultExcludedFolders: readonly string[] = [
  ...['.git', '.hg', '.svn', '.venv', 'venv', 'node_modules', 'dist', 'build'],
  ...['.next', '.turbo', '.cache', '.pytest_cache'],
]
