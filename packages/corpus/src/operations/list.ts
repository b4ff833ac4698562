// list_files: the paths of a tree, sorted, by glob or by pattern.
import { numberArgument, textArgument } from './arguments.ts'
import type { Arguments } from './arguments.ts'
import { requestTime } from './request-time.ts'
import type { Engine, RequestTime } from '../engine.ts'
import { isHidden } from '../deny/deny.ts'
import type { DenyRules } from '../deny/deny.ts'
import { compileGlobs } from '../glob/glob.ts'
import type { PathMatcher } from '../glob/glob.ts'
import { flagIf, metricsOf } from './metrics.ts'
import type { Metrics } from './metrics.ts'
import { pagingOf, cutPage } from './paging.ts'
import type { RequestArgs } from './paging.ts'
import { comparePaths } from '../walk/walk.ts'
import type { Excluded, Selection, Walk } from '../walk/walk.ts'
import { selectionOf } from './selection/selection.ts'
import type { SelectionArgs } from './selection/selection.ts'
import { lazily } from '../steps.ts'
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
  /** More than `max` files match, or the page is full. */
  truncated: boolean
  /** `max_files` ended the walk early. */
  scan_limited?: true
  /** `deadline_ms` ended the walk early. */
  partial?: true
  next_cursor?: string
  /** What the default rules hide; absent where the walk ended early. */
  excluded?: Excluded
  metrics: Metrics
}

export function* listFiles(engine: Engine, args: Arguments): Steps<ListResult> {
  const time = requestTime(engine, args)
  const glob = textArgument(args, 'glob')
  const matcher = glob === undefined ? undefined : compileGlobs([glob])
  const selected = selectionOf(args, glob === undefined ? [] : [glob], matcher)
  const selection = withoutHidden(selected, engine.root.deny)
  const max = numberArgument(args, 'max', 500)
  const paging = pagingOf('list_files', args)
  const filter = yield* filterOf(engine, args, matcher, time)
  const found = yield* collect(engine, filter, { selection, max, time })
  const last = typeof paging.position === 'string' ? paging.position : undefined
  const files =
    last === undefined ? found.files : found.files.filter((file) => comparePaths(file, last) > 0)
  const page = cutPage(files, paging)
  const next = page.items.at(-1) ?? last ?? ''
  return {
    files: page.items,
    // With `max_files: 0` the walk sees nothing, so there may be more.
    truncated: found.hasMore || page.isCut || selection.maxFiles === 0,
    ...flagIf('scan_limited', found.isLimited),
    ...flagIf('partial', found.isPartial),
    ...(page.isCut ? { next_cursor: paging.cursorAt(next) } : {}),
    ...(found.excluded === undefined ? {} : { excluded: found.excluded }),
    metrics: metricsOf(time, 0, found.scanned),
  }
}

/** Leaves out files outside the allow-list. */
function withoutHidden(selection: Selection, rules: DenyRules | undefined): Selection {
  if (rules?.allow === undefined) return selection
  const { excluded } = selection
  const matches = (path: string): boolean =>
    excluded?.matches(path) === true || isHidden(rules, path)
  return { ...selection, excluded: { matches, canMatchPrefix: () => true } }
}

/** Tests each path inline, or a batch of paths with a pattern that may run in the worker. */
type PathFilter = InlineFilter | { choose(paths: string[]): Steps<boolean[] | undefined> }

interface InlineFilter {
  matches(path: string): boolean
  matchesAll?: boolean
}

const regexEngine = lazily(() => import('../regex/regex.ts'))

/** A glob takes precedence: the pattern is then not even parsed. */
function* filterOf(
  engine: Engine,
  args: Arguments,
  matcher: PathMatcher | undefined,
  time: RequestTime,
): Steps<PathFilter> {
  if (matcher !== undefined) return { matches: (path) => matcher.matches(path) }
  const pattern = textArgument(args, 'regex')
  if (pattern === undefined) return { matches: () => true, matchesAll: true }
  const { compileRegex, PatternRun } = yield* regexEngine()
  const run = new PatternRun(engine, compileRegex(pattern, { lines: false }), time)
  const { inline } = run
  return inline === undefined
    ? { choose: (paths) => run.test(paths) }
    : { matches: (path) => inline.test(path) }
}

interface Listing {
  walk: Walk
  selection: Selection
  max: number
  time: RequestTime
}

/** The result of the walk so far. */
class Found {
  files: string[] = []
  hasMore = false
  isLimited = false
  isPartial = false
  scanned = 0
  selected = 0
  excluded: Excluded | undefined
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
    if ('matches' in filter) yield* collectInline(all, filter, found)
    else yield* collectByPattern(all, filter.choose, found)
    if (!found.isLimited && !found.isPartial) found.excluded = walk.excluded.fields().excluded
  } finally {
    walk.close()
  }
  return found
}

/** Files per step. */
const turnFiles = 1024

function* collectInline(
  { walk, selection, max, time }: Listing,
  { matches, matchesAll }: InlineFilter,
  found: Found,
): Steps<void> {
  const { excluded, maxFiles } = selection
  let turnEnd = turnFiles
  const needsNoCheck = matchesAll === true && excluded === undefined && !time.hasDeadline
  while (walk.next()) {
    const { path } = walk
    const isSelected = excluded?.matches(path) !== true && matches(path)
    if (isSelected && !addFile(found, path, max, maxFiles)) return
    found.scanned++
    if (time.hasDeadline && checkDeadline(time, found)) return
    if (needsNoCheck) addFollowing(walk, found, Math.min(max, maxFiles))
    if (found.scanned >= turnEnd) {
      turnEnd = found.scanned + turnFiles
      yield
    }
  }
}

/** Adds the following files without a check of each, up to `max` files in total. */
function addFollowing(walk: Walk, found: Found, max: number): void {
  const { files } = found
  const before = files.length
  walk.nextPaths?.(files, Math.min(turnFiles, max - before))
  found.selected += files.length - before
  found.scanned += files.length - before
}

/** Returns false if the walk has reached `maxFiles`. */
function addFile(found: Found, path: string, max: number, maxFiles: number): boolean {
  if (found.selected === maxFiles) {
    found.isLimited = true
    return false
  }
  found.selected++
  if (found.files.length < max) found.files.push(path)
  else found.hasMore = true
  return true
}

function checkDeadline(time: RequestTime, found: Found): boolean {
  found.isPartial = time.remainingMs() <= 0
  return found.isPartial
}

/** Paths per run of the pattern. */
const batchFiles = 512

function* collectByPattern(
  { walk, selection, max, time }: Listing,
  choose: (paths: string[]) => Steps<boolean[] | undefined>,
  found: Found,
): Steps<void> {
  for (let more = true; more && !found.isPartial;) {
    const batch: { path: string; seen: number }[] = []
    for (let count = 0; more && batch.length < batchFiles && count < turnFiles; count++) {
      more = walk.next()
      if (!more || checkDeadline(time, found)) break
      found.scanned++
      const { path } = walk
      if (selection.excluded?.matches(path) !== true) batch.push({ path, seen: found.scanned })
    }
    const wanted = yield* choose(batch.map(({ path }) => path))
    if (wanted === undefined) {
      found.isPartial = true
      return
    }
    for (const [index, { path, seen }] of batch.entries()) {
      if (wanted[index] !== true || addFile(found, path, max, selection.maxFiles)) continue
      found.scanned = seen - 1
      return
    }
    yield
  }
}
