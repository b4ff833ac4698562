// Parses the arguments that select files of the tree: hidden files, excluded folders and globs, `max_files`.
import { booleanArgument, numberArgument, textsArgument } from '../arguments.ts'
import type { Arguments } from '../arguments.ts'
import { compileGlobs } from '../../glob/glob.ts'
import { defaultExcludedFolders } from '../../walk/walk.ts'
import type { Selection } from '../../walk/walk.ts'

/** Arguments of operations that walk the tree. */
export interface SelectionArgs {
  include_hidden?: boolean | undefined
  /** False to also enter `node_modules`, `build` and the like. */
  default_excludes?: boolean | undefined
  exclude_dirs?: string | readonly string[] | undefined
  exclude_globs?: string | readonly string[] | undefined
  respect_gitignore?: boolean | undefined
  max_files?: number | undefined
}

const defaultMaxFiles = 20_000

/** `exclude_dirs` adds to the default folders; `default_excludes: false` removes the defaults. */
export function selectionOf(args: Arguments): Selection {
  const defaults = booleanArgument(args, 'default_excludes', true) ? defaultExcludedFolders : []
  const globs = textsArgument(args, 'exclude_globs')
  return {
    walk: {
      includeHidden: booleanArgument(args, 'include_hidden', false),
      excludedFolders: new Set([...defaults, ...textsArgument(args, 'exclude_dirs')]),
      gitignore: booleanArgument(args, 'respect_gitignore', false),
    },
    excluded: globs.length === 0 ? undefined : compileGlobs(globs),
    maxFiles: numberArgument(args, 'max_files', defaultMaxFiles),
  }
}
