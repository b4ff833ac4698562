// The files that contain a name, found by a search, so that only they are scanned.
import type { Engine } from '../../engine.ts'
import type { HitChoice } from '../../search/search.ts'
import type { Steps } from '../../steps.ts'
import type { Arguments } from '../arguments.ts'
import { grep } from '../grep/grep.ts'
import type { GrepResult } from '../grep/grep.ts'

const noLimit = 2_000_000_000
/** Arguments of the walk that a search inside another operation inherits. */
const inherited = [
  ...['include_hidden', 'default_excludes', 'exclude_dirs', 'exclude_globs', 'respect_gitignore'],
  ...['max_files', 'deadline_ms', 'rev', 'paths'],
]

/** A pattern for a name that no character of a word precedes or follows. */
export function wordPattern(name: string, { isPrefix = false } = {}): string {
  const escaped = name.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
  const start = /^\w/.test(name) ? String.raw`\b` : ''
  const end = /\w$/.test(name) && !isPrefix ? String.raw`\b` : ''
  return start + escaped + end
}

interface OwnArguments {
  pattern: string
  regex: boolean
  mode: 'hits' | 'files'
  max_hits?: number
}

/** Searches with the selection of another operation's arguments. */
export function searchFor(
  engine: Engine,
  args: Arguments,
  own: OwnArguments,
  choice?: HitChoice,
): Steps<GrepResult> {
  const selection = Object.fromEntries(
    inherited.flatMap((name) => (Object.hasOwn(args, name) ? [[name, args[name]]] : [])),
  )
  const glob = args.glob ?? undefined
  const paths = glob === undefined ? {} : { paths: [glob] }
  return grep(
    { ...engine, writesHits: false },
    { ...selection, ...paths, max_hits: noLimit, ...own },
    choice,
  )
}
