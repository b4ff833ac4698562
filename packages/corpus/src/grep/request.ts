// What a grep request asks for.
import { booleanArgument, choiceArgument, numberArgument, requiredText } from '../arguments.ts'
import { textsArgument } from '../arguments.ts'
import type { Arguments } from '../arguments.ts'
import { compilePaths } from '../glob/match.ts'
import type { PathMatcher } from '../glob/match.ts'
import { pagingOf } from '../paging.ts'
import type { Paging } from '../paging.ts'
import { selectionOf } from '../selection.ts'
import type { Selection } from '../selection.ts'
import type { HitForm } from './hit.ts'

export type GrepMode = 'hits' | 'count' | 'files'

export interface GrepRequest {
  pattern: string
  regex: boolean
  caseSensitive: boolean
  /** Only these files; undefined for all. */
  paths: PathMatcher | undefined
  selection: Selection
  /** Equal for requests that are about the same files. */
  selectionKey: string
  maxHits: number
  maxBytes: number
  mode: GrepMode
  form: HitForm
  paging: Paging
  /** Where the page before ended. */
  resume: Resume | undefined
}

export interface Resume {
  path: string
  /** Lines up to this one were delivered. */
  line: number
  hits: number
  /** Files taken before this one. */
  files: number
}

/** Arguments that say which files are searched. */
const selectionNames = [
  ...['include_hidden', 'default_excludes', 'exclude_dirs', 'respect_gitignore', 'exclude_globs'],
  'paths',
]

export function grepRequest(args: Arguments): GrepRequest {
  const pattern = requiredText(args, 'pattern')
  const paths = textsArgument(args, 'paths')
  const paging = pagingOf('grep', args)
  const selection = selectionOf(args)
  const matcher = paths.length === 0 ? undefined : compilePaths(paths)
  const resume = resumeOf(paging.at)
  selection.walk = {
    ...selection.walk,
    wanted: matcher === undefined ? undefined : (prefix) => matcher.couldBegin(prefix),
    from: resume?.path,
  }
  return {
    pattern,
    regex: booleanArgument(args, 'regex', false),
    caseSensitive: booleanArgument(args, 'case_sensitive', true),
    paths: matcher,
    selection,
    selectionKey: JSON.stringify(selectionNames.map((name) => args[name] ?? null)),
    maxHits: numberArgument(args, 'max_hits', 200),
    maxBytes: numberArgument(args, 'max_bytes', 2_000_000),
    mode: choiceArgument(args, 'mode', ['hits', 'count', 'files'], 'hits'),
    form: {
      maxLineChars: numberArgument(args, 'max_line_chars', 1000),
      context: numberArgument(args, 'context', 0),
      hash: booleanArgument(args, 'hash', false),
    },
    paging,
    resume,
  }
}

function resumeOf(at: unknown): Resume | undefined {
  if (!Array.isArray(at)) return undefined
  const [path, line, hits, files] = at as unknown[]
  if (typeof path !== 'string' || ![line, hits, files].every(Number.isSafeInteger)) return undefined
  return { path, line: line as number, hits: hits as number, files: files as number }
}
