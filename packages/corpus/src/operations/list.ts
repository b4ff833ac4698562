// list_files: the paths of a tree, sorted, by glob or by pattern.
import { numberArgument, textArgument } from './arguments.ts'
import type { Arguments } from './arguments.ts'
import { requestTime } from './request-time.ts'
import type { Engine, RequestTime } from '../engine.ts'
import { compileGlobs } from '../glob/glob.ts'
import { mark, metricsOf } from './metrics.ts'
import type { Metrics } from './metrics.ts'
import { pagingOf, takePage } from './paging.ts'
import type { RequestArgs } from './paging.ts'
import { comparePaths } from '../walk/walk.ts'
import type { Selection, Walk } from '../walk/walk.ts'
import { compileRegex, PatternRun } from '../regex/regex.ts'
import { selectionOf } from './selection.ts'
import type { SelectionArgs } from './selection.ts'
import type { Steps } from '../steps.ts'

export interface ListArgs extends SelectionArgs, RequestArgs {
  glob?: string | undefined
  /** Matches paths; ignored if `glob` is set. */
  regex?: string | undefined
  /** Maximum number of returned paths. */
  max?: number | undefined
}

export interface ListResult {
  files: string[]
  /** More files match than `max` let through. */
  truncated: boolean
  /** `max_files` ended the walk before its end. */
  scan_limited?: true
  /** `deadline_ms` ended it. */
  partial?: true
  next_cursor?: string
  metrics: Metrics
}

export function* listFiles(engine: Engine, args: Arguments): Steps<ListResult> {
  const time = requestTime(engine, args)
  const selection = selectionOf(args)
  const max = numberArgument(args, 'max', 500)
  const paging = pagingOf('list_files', args)
  const filter = filterOf(engine, args, time)
  const found = yield* collect(engine, filter, { selection, max, time })
  const last = typeof paging.at === 'string' ? paging.at : undefined
  const due =
    last === undefined ? found.files : found.files.filter((one) => comparePaths(one, last) > 0)
  const page = takePage(due, paging.maxChars)
  const next = page.items.at(-1) ?? last ?? ''
  return {
    files: page.items,
    // Nothing was let through, whatever there is.
    truncated: found.more || page.cut || selection.maxFiles === 0,
    ...mark('scan_limited', found.limited),
    ...mark('partial', found.partial),
    ...(page.cut ? { next_cursor: paging.seal(next) } : {}),
    metrics: metricsOf(time, 0, found.scanned),
  }
}

/** Which of some paths are wanted: told at once, or by a pattern that runs for a while. */
type PathFilter = WantedPaths | { choose(paths: string[]): Steps<boolean[] | undefined> }

interface WantedPaths {
  wants(path: string): boolean
  /** It wants every path. */
  all?: boolean
}

/** A glob wins over a pattern, which is then not even read. */
function filterOf(engine: Engine, args: Arguments, time: RequestTime): PathFilter {
  const glob = textArgument(args, 'glob')
  if (glob !== undefined) {
    const matcher = compileGlobs([glob])
    return { wants: (path) => matcher.matches(path) }
  }
  const pattern = textArgument(args, 'regex')
  if (pattern === undefined) return { wants: () => true, all: true }
  const run = new PatternRun(engine, compileRegex(pattern, { lines: false }), time)
  const { inline } = run
  return inline === undefined
    ? { choose: (paths) => run.test(paths) }
    : { wants: (path) => inline.test(path) }
}

interface Listing {
  walk: Walk
  selection: Selection
  max: number
  time: RequestTime
}

/** What the walk has given so far. */
class Found {
  files: string[] = []
  more = false
  limited = false
  partial = false
  scanned = 0
  taken = 0
}

function* collect(
  engine: Engine,
  filter: PathFilter,
  listing: Omit<Listing, 'walk'>,
): Steps<Found> {
  const walk = engine.source.walk(listing.selection.walk)
  const found = new Found()
  const all = { ...listing, walk }
  try {
    if ('wants' in filter) yield* collectAtOnce(all, filter, found)
    else yield* collectByPattern(all, filter.choose, found)
  } finally {
    walk.close()
  }
  return found
}

/** Files that are looked at before others get their turn. */
const turnFiles = 1024

function* collectAtOnce(
  { walk, selection, max, time }: Listing,
  { wants, all }: WantedPaths,
  found: Found,
): Steps<void> {
  const { excluded, maxFiles } = selection
  let turnEnd = turnFiles
  const many = all === true && excluded === undefined && !time.hasDeadline
  while (walk.next()) {
    const { path } = walk
    const wanted = excluded?.matches(path) !== true && wants(path)
    if (wanted && !take(found, path, max, maxFiles)) return
    found.scanned++
    if (time.hasDeadline && isLate(time, found)) return
    if (many) takeMany(walk, found, Math.min(max, maxFiles))
    if (found.scanned >= turnEnd) {
      turnEnd = found.scanned + turnFiles
      yield
    }
  }
}

/** Takes files that follow without a look at each; `most` is how many may be taken in all. */
function takeMany(walk: Walk, found: Found, most: number): void {
  const { files } = found
  const before = files.length
  walk.nextPaths?.(files, Math.min(turnFiles, most - before))
  found.taken += files.length - before
  found.scanned += files.length - before
}

/** False when the file is one too many to be looked at. */
function take(found: Found, path: string, max: number, maxFiles: number): boolean {
  if (found.taken === maxFiles) {
    found.limited = true
    return false
  }
  found.taken++
  if (found.files.length < max) found.files.push(path)
  else found.more = true
  return true
}

function isLate(time: RequestTime, found: Found): boolean {
  found.partial = time.leftMs() <= 0
  return found.partial
}

/** Candidates that a pattern decides on at once. */
const batchFiles = 512

function* collectByPattern(
  { walk, selection, max, time }: Listing,
  choose: (paths: string[]) => Steps<boolean[] | undefined>,
  found: Found,
): Steps<void> {
  for (let more = true; more && !found.partial;) {
    const batch: { path: string; seen: number }[] = []
    for (let count = 0; more && batch.length < batchFiles && count < turnFiles; count++) {
      more = walk.next()
      if (!more || isLate(time, found)) break
      found.scanned++
      const { path } = walk
      if (selection.excluded?.matches(path) !== true) batch.push({ path, seen: found.scanned })
    }
    const wanted = yield* choose(batch.map(({ path }) => path))
    if (wanted === undefined) {
      found.partial = true
      return
    }
    for (const [index, { path, seen }] of batch.entries()) {
      if (wanted[index] !== true || take(found, path, max, selection.maxFiles)) continue
      found.scanned = seen - 1
      return
    }
    yield
  }
}
