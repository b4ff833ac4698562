// grep: the lines of a tree that match a text or a pattern, in path and line order.
import { systemClock } from '@zee/core/clock'
import { ZeeError } from '@zee/core/errors'
import type { Engine } from '../../engine.ts'
import { compilePaths } from '../../glob/glob.ts'
import { search } from '../../search/search.ts'
import { certificateOf, certifiedFiles } from './certificate.ts'
import type { Certificate } from './certificate.ts'
import { formatHits } from './hit-text.ts'
import type { CollectedHits, HitChoice, SearchRequest, Resume } from '../../search/search.ts'
import { wait } from '../../steps.ts'
import type { Steps } from '../../steps.ts'
import {
  booleanArgument,
  choiceArgument,
  numberArgument,
  optionalNumber,
  requiredText,
  textsArgument,
} from '../arguments.ts'
import type { Arguments } from '../arguments.ts'
import { flagIf, metricsOf } from '../metrics.ts'
import type { Metrics } from '../metrics.ts'
import { pagingOf } from '../paging.ts'
import type { Paging, RequestArgs } from '../paging.ts'
import { requestTime } from '../request-time.ts'
import { selectionOf } from '../selection/selection.ts'
import type { Excluded } from '../../walk/walk.ts'
import type { SelectionArgs } from '../selection/selection.ts'

export { formatHits }
export type { Certificate }
export type { WrittenHits } from '../../search/search.ts'

export interface GrepArgs extends SelectionArgs, RequestArgs {
  pattern: string
  /** The pattern is a regular expression instead of a literal. */
  regex?: boolean | undefined
  case_sensitive?: boolean | undefined
  /** Globs or paths of the files to search. */
  paths?: string | readonly string[] | undefined
  mode?: 'hits' | 'count' | 'files' | undefined
  /** Lines before and after each hit. */
  context?: number | undefined
  max_hits?: number | undefined
  /** Larger files are skipped. */
  max_bytes?: number | undefined
  /** At most 2000. */
  max_line_chars?: number | undefined
  hash?: boolean | undefined
  /** `text` returns one text: each path once, with its lines below. */
  format?: 'json' | 'text' | undefined
  /** Adds a certificate over every file that was searched. */
  certify?: boolean | undefined
}

export interface GrepResult extends CollectedHits {
  /** Replaces `hits`, which is then empty, with `format: "text"`. */
  text?: string
  /** Number of matching lines in count mode, including those of files beyond `max_hits`. */
  count?: number
  /** The number of hits reached `max_hits`, or the page is full. */
  truncated: boolean
  /** `max_files` was reached, and there are more files. */
  scan_limited?: true
  /** The deadline passed. */
  partial?: true
  /** Files larger than `max_bytes`. */
  skipped_large?: number
  /** Files that the disk did not return, or that no descriptor was left for. */
  unreadable?: number
  /** Files that a rule denies. */
  skipped_denied?: number
  /** What the default rules hide; absent where the search ended early. */
  excluded?: Excluded
  certificate?: Certificate
  next_cursor?: string
  metrics: Metrics & { hits: number }
}

/** Searches until no file changes between the search and its certificate. */
const maxTries = 40
const retryMs = 25

export function* grep(engine: Engine, args: Arguments, choice?: HitChoice): Steps<GrepResult> {
  const certifies = booleanArgument(args, 'certify', false)
  const request = { ...grepRequest(args, engine.revision?.commit.name), choice }
  for (let tries = 0; tries < maxTries; tries++) {
    const result = yield* searched(engine, args, request, certifies)
    if (result !== undefined) return result
    yield* wait(new Promise((resolve) => setTimeout(resolve, retryMs)))
  }
  throw new ZeeError(
    'changing',
    'the files change while they are searched: there is no certificate',
  )
}

/** Undefined if there is no certificate, because files changed. */
function* searched(
  engine: Engine,
  args: Arguments,
  request: SearchRequest & { paging: Paging },
  certifies: boolean,
): Steps<GrepResult | undefined> {
  const { source } = engine
  const searchedMs = certifies && source.certify === undefined ? systemClock.now().getTime() : 0
  const time = requestTime(engine, args)
  const { result, reason, scanned, excluded } = yield* search(engine, request, time)
  const known = certifies ? source.certified?.(request) : undefined
  const certified =
    known ?? (certifies ? yield* certifiedFiles(source, request, searchedMs) : undefined)
  if (certifies && certified === undefined) return undefined
  const { next } = result
  const found = {
    ...(request.isText ? { hits: [], text: formatHits(result.collect().hits) } : result.collect()),
    ...(request.mode === 'count' ? { count: result.lines } : {}),
    truncated: result.isTruncated || request.selection.maxFiles === 0,
    ...flagIf('scan_limited', reason === 'limited'),
    ...flagIf('partial', reason === 'expired'),
    ...(scanned.skippedLarge > 0 ? { skipped_large: scanned.skippedLarge } : {}),
    ...(result.unreadable > 0 ? { unreadable: result.unreadable } : {}),
    ...(next === undefined ? {} : { next_cursor: request.paging.cursorAt(next) }),
    ...excluded?.fields(),
    metrics: { ...metricsOf(time, scanned.chars, scanned.files), hits: result.count },
  }
  // A copy is faster than an assignment of a property that only some results have.
  return certified === undefined ? found : { ...found, certificate: certificateOf(certified, args) }
}

/** Longer lines are cut in hits and in their context. */
const maxLineChars = 2000

/** Arguments that select the files to search. */
const selectionNames = [
  ...['include_hidden', 'default_excludes', 'exclude_dirs', 'respect_gitignore', 'exclude_globs'],
  'paths',
]

function grepRequest(args: Arguments, rev?: string): SearchRequest & { paging: Paging } {
  const pattern = requiredText(args, 'pattern')
  const paths = textsArgument(args, 'paths')
  const paging = pagingOf('grep', args)
  const matcher = paths.length === 0 ? undefined : compilePaths(paths)
  const selection = selectionOf(args, paths, matcher)
  const resume = resumeOf(paging.position)
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
      maxLineChars: Math.min(numberArgument(args, 'max_line_chars', 1000), maxLineChars),
      context: numberArgument(args, 'context', 0),
      hash: booleanArgument(args, 'hash', false),
      rev,
    },
    paging,
    maxChars: paging.maxChars,
    maxBytesOfHits: paging.maxAnswer,
    maxTextChars: optionalNumber(args, 'max_text_chars'),
    isText: choiceArgument(args, 'format', ['json', 'text'], 'json') === 'text',
    resume,
  }
}

/** The content of a cursor, which `SearchResult.next` wrote; undefined if it is invalid. */
function resumeOf(cursor: unknown): Resume | undefined {
  if (!Array.isArray(cursor)) return undefined
  const [path, line, hits, files] = cursor as unknown[]
  if (typeof path !== 'string' || ![line, hits, files].every(Number.isSafeInteger)) return undefined
  return { path, line: line as number, hits: hits as number, files: files as number }
}
