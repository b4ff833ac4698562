// list_files: the paths of a tree, sorted, by glob or by pattern.
import { numberArgument, textArgument } from './arguments.ts'
import type { Arguments } from './arguments.ts'
import { requestTime } from './engine.ts'
import type { Engine, RequestTime } from './engine.ts'
import { compileGlobs } from './glob/match.ts'
import { mark, metricsOf } from './metrics.ts'
import type { Metrics } from './metrics.ts'
import { pagingOf, takePage } from './paging.ts'
import { comparePaths } from './path-order.ts'
import { PatternRun } from './pattern-run.ts'
import { compileRegex } from './regex/program.ts'
import { selectionOf } from './selection.ts'
import type { Selection } from './selection.ts'
import type { Steps } from './steps.ts'
import { TreeWalk } from './walk.ts'

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

/** Candidates that are decided on at once, and files seen before others get their turn. */
const BATCH_FILES = 512
const BATCH_SEEN = 4096

export function* listFiles(engine: Engine, args: Arguments): Steps<ListResult> {
  const time = requestTime(engine, args)
  const selection = selectionOf(args)
  const max = numberArgument(args, 'max', 500)
  const paging = pagingOf('list_files', args)
  const filter = filterOf(engine, args, time)
  const found = yield* collect(engine, selection, filter, max, time)
  const last = typeof paging.at === 'string' ? paging.at : undefined
  const due = last === undefined ? found.files : found.files.filter((one) => comparePaths(one, last) > 0)
  const page = takePage(due, paging.maxChars)
  const next = page.items.at(-1) ?? last ?? ''
  return {
    files: page.items,
    truncated: found.more || page.cut,
    ...mark('scan_limited', found.limited),
    ...mark('partial', found.partial),
    ...(page.cut ? { next_cursor: paging.seal(next) } : {}),
    metrics: metricsOf(time, 0, found.scanned),
  }
}

/** Which of some paths are wanted; undefined when the deadline passed meanwhile. */
type PathFilter = (paths: string[]) => Steps<boolean[] | undefined>

/** A glob wins over a pattern, which is then not even read. */
function filterOf(engine: Engine, args: Arguments, time: RequestTime): PathFilter | undefined {
  const glob = textArgument(args, 'glob')
  if (glob !== undefined) {
    const matcher = compileGlobs([glob])
    // oxlint-disable-next-line require-yield
    return function* byGlob(paths) {
      return paths.map((path) => matcher.matches(path))
    }
  }
  const pattern = textArgument(args, 'regex')
  if (pattern === undefined) return undefined
  const run = new PatternRun(engine, compileRegex(pattern, { lines: false }), time)
  return (paths) => run.test(paths)
}

interface Found {
  files: string[]
  more: boolean
  limited: boolean
  partial: boolean
  scanned: number
}

function* collect(
  engine: Engine,
  selection: Selection,
  filter: PathFilter | undefined,
  max: number,
  time: RequestTime,
): Steps<Found> {
  const found: Found = { files: [], more: false, limited: false, partial: false, scanned: 0 }
  let taken = 0
  const walk = new TreeWalk(engine.root, selection.walk)
  try {
    while (!found.limited && !found.partial) {
      const batch = nextBatch(walk, selection, found, time)
      if (batch.paths.length > 0) {
        const wanted = filter === undefined ? undefined : yield* filter(batch.paths)
        if (filter !== undefined && wanted === undefined) found.partial = true
        for (const [index, path] of batch.paths.entries()) {
          if (filter !== undefined && wanted?.[index] !== true) continue
          if (taken === selection.maxFiles) {
            found.limited = true
            found.scanned = (batch.seen[index] as number) - 1
            break
          }
          taken++
          if (found.files.length < max) found.files.push(path)
          else found.more = true
        }
      }
      if (batch.end) break
      yield
    }
  } finally {
    walk.close()
  }
  return found
}

interface Batch {
  paths: string[]
  /** How many files had been seen with each of them. */
  seen: number[]
  end: boolean
}

/** Some paths that exclusion globs let through; what was seen is counted before they are asked. */
function nextBatch(
  walk: TreeWalk,
  selection: Selection,
  found: Found,
  time: RequestTime,
): Batch {
  const batch: Batch = { paths: [], seen: [], end: false }
  const stop = found.scanned + BATCH_SEEN
  while (batch.paths.length < BATCH_FILES && found.scanned < stop && !batch.end) {
    const file = walk.next()
    found.partial = file !== undefined && time.leftMs() <= 0
    batch.end = file === undefined || found.partial
    if (file === undefined || found.partial) break
    found.scanned++
    if (selection.excluded?.matches(file.path) === true) continue
    batch.paths.push(file.path)
    batch.seen.push(found.scanned)
  }
  return batch
}
