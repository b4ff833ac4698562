// What the default rules hide from a walk: folders such as `build`, names that start with a dot, and denied files.
// A request that names a path lifts the rules for that path and the folders above it, not for what is below.
import { expandedGlobs } from '../glob/glob.ts'
import type { WalkOptions } from './walk.ts'

/** What the default rules hide from a request. */
export interface Excluded {
  /** Folders that were not entered; their contents are not counted. */
  folders: number
  /** Hidden files in the folders that were entered. */
  files: number
  /** The rules, sorted: names of folders, and `hidden` for names that start with a dot. */
  by: string[]
}

/** Counts what a complete walk hides. */
export class ExcludedCount {
  folders = 0
  files = 0
  /** Files that are listed but never read. */
  denied = 0
  readonly #by = new Set<string>()
  readonly #options: WalkOptions

  constructor(options: WalkOptions) {
    this.#options = options
  }

  /** Counts a hidden entry if the request could select it. */
  add(path: string, isFolder: boolean, rule: string): void {
    const { selects } = this.#options
    if (isFolder) {
      if (selects?.canMatchPrefix(`${path}/`) === false) return
      this.folders++
    } else {
      if (selects?.matches(path) === false) return
      this.files++
    }
    this.#by.add(rule)
  }

  addDenied(path: string): void {
    if (this.#options.selects?.matches(path) !== false) this.denied++
  }

  /** The fields of a result; absent where nothing was hidden. */
  fields(): { excluded?: Excluded; skipped_denied?: number } {
    const { folders, files, denied } = this
    return {
      ...(folders + files === 0 ? {} : { excluded: { folders, files, by: [...this.#by].sort() } }),
      ...(denied === 0 ? {} : { skipped_denied: denied }),
    }
  }
}

/** The default rule that hides an entry; undefined if none does, or if the request names the entry. */
export function hidingRule(
  { includeHidden, defaultFolders, named }: WalkOptions,
  path: string,
  name: string,
  isFolder: boolean,
): string | undefined {
  const isDefault = isFolder && defaultFolders?.has(name) === true
  if (!isDefault && (includeHidden || name.charCodeAt(0) !== 0x2e)) return undefined
  if (named?.has(path) === true) return undefined
  return isDefault ? name : 'hidden'
}

/** The paths that globs name: their literal folder part, or all of a glob without wildcards, and all folders above. */
export function namedPaths(globs: readonly string[]): ReadonlySet<string> | undefined {
  const named = new Set<string>()
  for (const glob of globs) {
    addWithParents(named, glob)
    for (const expanded of expandedGlobs(glob)) addWithParents(named, literalPart(expanded))
  }
  return named.size === 0 ? undefined : named
}

/** `build` for `build/*.js`, all of `build/a.js`, and nothing for `*.py`. */
function literalPart(glob: string): string {
  const wildcard = glob.search(/[*?[]/)
  return wildcard === -1 ? glob : glob.slice(0, Math.max(0, glob.lastIndexOf('/', wildcard)))
}

function addWithParents(named: Set<string>, path: string): void {
  const parts = path.split('/').filter((part) => part !== '')
  for (let count = 1; count <= parts.length; count++) named.add(parts.slice(0, count).join('/'))
}
