// grep: matching lines of a tree, by text or by pattern, in path and line order.
import { closeSync } from 'node:fs'
import type { Arguments } from '../arguments.ts'
import { requestTime } from '../engine.ts'
import type { Engine, RequestTime } from '../engine.ts'
import { mark, metricsOf } from '../metrics.ts'
import type { Metrics } from '../metrics.ts'
import { PatternRun } from '../pattern-run.ts'
import { compileRegex } from '../regex/program.ts'
import type { Steps } from '../steps.ts'
import { locateLines, nothingFound } from './found-line.ts'
import { literalFinder } from './literal.ts'
import type { Search } from './search.ts'
import { grepRequest } from './request.ts'
import type { GrepRequest } from './request.ts'
import { scanLarge } from './scan-large.ts'
import { SelectedFiles, WHOLE_FILE_BYTES } from './selected-files.ts'
import { Tally } from './tally.ts'
import type { GrepHit } from './tally.ts'
import { WorkerBatch } from './worker-batch.ts'

export interface GrepResult {
  hits: GrepHit[]
  /** All matching lines, in count mode. */
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

export function* grep(engine: Engine, args: Arguments): Steps<GrepResult> {
  const time = requestTime(engine, args)
  const request = grepRequest(args)
  const tally = new Tally(request)
  const search = searchOf(engine, request, time)
  const files = new SelectedFiles(engine, request, time)
  try {
    if (!tally.full) yield* scan(files, tally, request, search)
  } finally {
    files.close()
  }
  const { taken, next } = tally
  return {
    hits: tally.hits,
    ...(request.mode === 'count' ? { count: tally.lines } : {}),
    truncated: tally.stopped,
    ...mark('scan_limited', files.limited && !tally.stopped),
    ...mark('partial', files.late && !tally.stopped),
    ...(taken.skippedLarge > 0 ? { skipped_large: taken.skippedLarge } : {}),
    ...(next === undefined ? {} : { next_cursor: request.paging.seal(next) }),
    metrics: { ...metricsOf(time, taken.chars, taken.files), hits: tally.hits.length },
  }
}

function searchOf(engine: Engine, request: GrepRequest, time: RequestTime): Search {
  const { pattern, caseSensitive } = request
  if (!request.regex) return { find: literalFinder(pattern, caseSensitive) }
  const regex = compileRegex(pattern, { lines: true, ignoreCase: !caseSensitive })
  const run = new PatternRun(engine, regex, time)
  const required = regex.required === undefined ? undefined : Buffer.from(regex.required)
  const mayMatch = (bytes: Buffer): boolean =>
    required === undefined || bytes.indexOf(required) !== -1
  const { inline } = run
  if (inline === undefined) return { run, mayMatch }
  return {
    find: (bytes, limit) =>
      mayMatch(bytes) ? locateLines(bytes, inline.lines(bytes, limit)) : nothingFound,
  }
}

function* scan(
  files: SelectedFiles,
  tally: Tally,
  request: GrepRequest,
  search: Search,
): Steps<void> {
  const batch = 'run' in search ? new WorkerBatch(search) : undefined
  const pool = pooled()
  for (let file = files.next(); file !== 'end'; file = files.next()) {
    yield
    if (file === undefined) continue
    const opened = files.open(file)
    if (opened === undefined) {
      if (batch === undefined) tally.taken = files.taken(file.path)
      else batch.add(files.taken(file.path), undefined)
    } else if (opened.stats.size > WHOLE_FILE_BYTES) {
      if (batch !== undefined && !(yield* batch.flush(tally))) files.late = true
      if (!tally.stopped && !files.late) {
        yield* scanLarge({ files, tally, request, search }, file.path, opened)
      } else closeSync(opened.fd)
    } else if (batch !== undefined) {
      const bytes = files.read(opened, (size) => batch.space(size))
      batch.add(files.taken(file.path), bytes)
      if (batch.full && !(yield* batch.flush(tally))) files.late = true
    } else if ('find' in search) {
      const bytes = files.read(opened, pool)
      const found = bytes === undefined ? nothingFound : search.find(bytes, tally.wantedIn(file.path))
      tally.add(files.taken(file.path), bytes ?? nothing, found)
    }
    if (tally.stopped || files.late) return
  }
  if (batch !== undefined && !(yield* batch.flush(tally))) files.late = true
}

const nothing = Buffer.alloc(0)

/** One buffer for one file after the other. */
function pooled(): (size: number) => Buffer {
  let buffer = Buffer.allocUnsafeSlow(1 << 16)
  return (size) => {
    if (size > buffer.length) buffer = Buffer.allocUnsafeSlow(Math.max(size, buffer.length * 2))
    return buffer
  }
}
