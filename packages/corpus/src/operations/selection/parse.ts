// Parses the arguments that select files of the tree: hidden files, excluded folders and globs, `max_files`.
import { booleanArgument, numberArgument, textsArgument } from '../arguments.ts'
import type { Arguments } from '../arguments.ts'
import { compileGlobs } from '../../glob/glob.ts'
import { defaultExcludedFolders, namedPaths } from '../../walk/walk.ts'
import type { RevisionArgs } from '../revision.ts'
import type { PathMatcher } from '../../glob/glob.ts'
import type { Selection } from '../../walk/walk.ts'

/** Arguments of operations that walk the tree. */
export interface SelectionArgs extends RevisionArgs {
  include_hidden?: boolean | undefined
  /** False to also enter `node_modules`, `build` and the like. */
  default_excludes?: boolean | undefined
  exclude_dirs?: string | readonly string[] | undefined
  exclude_globs?: string | readonly string[] | undefined
  respect_gitignore?: boolean | undefined
  max_files?: number | undefined
}

const defaultMaxFiles = 20_000

const defaultFolders: ReadonlySet<string> = new Set(defaultExcludedFolders)

/**
 * `exclude_dirs` adds to the default folders; `default_excludes: false` removes the defaults. `globs` are those of the
 * request, which may name paths in spite of the defaults; `matcher` matches them.
 */
export function selectionOf(
  args: Arguments,
  globs: readonly string[] = [],
  matcher?: PathMatcher,
): Selection {
  const excludes = textsArgument(args, 'exclude_globs')
  const excluded = excludes.length === 0 ? undefined : compileGlobs(excludes)
  return {
    walk: {
      includeHidden: booleanArgument(args, 'include_hidden', false),
      excludedFolders: new Set(textsArgument(args, 'exclude_dirs')),
      defaultFolders: booleanArgument(args, 'default_excludes', true) ? defaultFolders : undefined,
      named: namedPaths(globs),
      gitignore: booleanArgument(args, 'respect_gitignore', false),
      selects: selectedPaths(matcher, excluded),
    },
    excluded,
    maxFiles: numberArgument(args, 'max_files', defaultMaxFiles),
  }
}

function selectedPaths(
  matcher: PathMatcher | undefined,
  excluded: PathMatcher | undefined,
): PathMatcher | undefined {
  if (excluded === undefined) return matcher
  return {
    matches: (path) => matcher?.matches(path) !== false && !excluded.matches(path),
    canMatchPrefix: (prefix) => matcher?.canMatchPrefix(prefix) !== false,
  }
}
