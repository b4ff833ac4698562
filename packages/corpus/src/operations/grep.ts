// grep: matching lines of a tree, by text or by pattern, in path and line order.
import type { Engine } from '../engine.ts'
import { compilePaths } from '../glob/glob.ts'
import { search } from '../search/search.ts'
import type { GrepHit, SearchRequest, Resume, SearchResult } from '../search/search.ts'
import type { Steps } from '../steps.ts'
import {
  booleanArgument,
  choiceArgument,
  numberArgument,
  requiredText,
  textsArgument,
} from './arguments.ts'
import type { Arguments } from './arguments.ts'
import { mark, metricsOf } from './metrics.ts'
import type { Metrics } from './metrics.ts'
import { pagingOf } from './paging.ts'
import type { Paging } from './paging.ts'
import { requestTime } from './request-time.ts'
import { selectionOf } from './selection.ts'

export interface GrepResult {
  hits: GrepHit[]
  /** The hits instead, where they may be written. */
  written?: WrittenHits
  /** All matching lines, in count mode, also those of files beyond `max_hits`. */
  count?: number
  /** The number of hits reached `max_hits`, or the page is full. */
  truncated: boolean
  scan_limited?: true
  partial?: true
  /** Files that were larger than `max_bytes`. */
  skipped_large?: number
  next_cursor?: string
  metrics: Metrics & { hits: number }
}

export interface WrittenHits {
  /** In order; bytes are several hits as JSON, with commas between. */
  pieces: (GrepHit | Uint8Array)[]
  /** Nobody reads the pieces any more: their memory is used for further answers. May be left out. */
  release(): void
}

export function* grep(engine: Engine, args: Arguments): Steps<GrepResult> {
  const time = requestTime(engine, args)
  const request = grepRequest(args)
  const { tally, files } = yield* search(engine, request, time)
  const { taken, next } = tally
  return {
    ...hitsOf(tally),
    ...(request.mode === 'count' ? { count: tally.lines } : {}),
    truncated: tally.truncated || request.selection.maxFiles === 0,
    ...mark('scan_limited', files.limited && !tally.stopped),
    ...mark('partial', files.late && !tally.stopped),
    ...(taken.skippedLarge > 0 ? { skipped_large: taken.skippedLarge } : {}),
    ...(next === undefined ? {} : { next_cursor: request.paging.seal(next) }),
    metrics: { ...metricsOf(time, taken.chars, taken.files), hits: tally.count },
  }
}

function hitsOf({ hits, isWritten, giveBack }: SearchResult): Pick<GrepResult, 'hits' | 'written'> {
  if (!isWritten) return { hits: hits as GrepHit[] }
  return { hits: [], written: { pieces: hits, release: () => giveBack?.(hits) } }
}

/** Arguments that say which files are searched. */
const selectionNames = [
  ...['include_hidden', 'default_excludes', 'exclude_dirs', 'respect_gitignore', 'exclude_globs'],
  'paths',
]

function grepRequest(args: Arguments): SearchRequest & { paging: Paging } {
  const pattern = requiredText(args, 'pattern')
  const paths = textsArgument(args, 'paths')
  const paging = pagingOf('grep', args)
  const selection = selectionOf(args)
  const matcher = paths.length === 0 ? undefined : compilePaths(paths)
  const resume = resumeOf(paging.at)
  selection.walk = {
    ...selection.walk,
    wanted: matcher === undefined ? undefined : (prefix) => matcher.canMatchPrefix(prefix),
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
    maxChars: paging.maxChars,
    resume,
  }
}

function resumeOf(at: unknown): Resume | undefined {
  if (!Array.isArray(at)) return undefined
  const [path, line, hits, files] = at as unknown[]
  if (typeof path !== 'string' || ![line, hits, files].every(Number.isSafeInteger)) return undefined
  return { path, line: line as number, hits: hits as number, files: files as number }
}
