// grep: matching lines of a tree, by text or by pattern, in path and line order.
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
import { plainNeedle } from './plain-needle.ts'
import type { PlainSearch, Search } from './search.ts'
import { grepRequest } from './request.ts'
import type { GrepRequest } from './request.ts'
import { scanLarge } from './scan-large.ts'
import type { Scan } from './scan-large.ts'
import { Tally } from './tally.ts'
import type { GrepHit } from './tally.ts'
import { WorkerBatch } from './worker-batch.ts'

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
  const tally = new Tally(request, engine.writesHits)
  const search = searchOf(engine, request, time)
  const files = yield* engine.source.files(request, time)
  try {
    if (!tally.stopped) yield* scan({ files, tally, request, search })
    if (!tally.stopped) tally.taken = files.taken()
  } finally {
    files.close()
  }
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

function hitsOf({ hits, isWritten, giveBack }: Tally): Pick<GrepResult, 'hits' | 'written'> {
  if (!isWritten) return { hits: hits as GrepHit[] }
  return { hits: [], written: { pieces: hits, release: () => giveBack?.(hits) } }
}

function searchOf(engine: Engine, request: GrepRequest, time: RequestTime): Search {
  const { pattern, caseSensitive } = request
  if (!request.regex) {
    const plain = plainNeedle(pattern, caseSensitive)
    return { find: literalFinder(pattern, caseSensitive), plain }
  }
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

function* scan(scan: Scan): Steps<void> {
  const { files, tally, search } = scan
  const batch = 'run' in search ? new WorkerBatch(search, files) : undefined
  const here = 'find' in search ? searchHere(scan, search) : undefined
  for (;;) {
    if (files.ahead !== undefined && (yield* files.ahead(scan))) return
    const ended = batch?.gather() ?? here?.() ?? true
    if (batch !== undefined && !(yield* batch.flush(tally))) files.late = true
    if (tally.stopped || files.late) return
    const large = files.takeLarge()
    if (large !== undefined) yield* scanLarge(scan, large)
    if (ended || tally.stopped || files.late) return
    yield files.waiting
  }
}

/** What is searched before others get their turn. */
const turnBytes = 4 << 20
const turnFiles = 256

/** Searches some files; true when there are no more. */
function searchHere({ files, tally }: Scan, { find, plain }: PlainSearch): () => boolean {
  if (plain !== undefined) files.lookFor(plain)
  return () => {
    let bytesRead = 0
    for (let count = 0; count < turnFiles && bytesRead < turnBytes; count++) {
      if (!files.next()) return true
      if (files.resting === true) return false
      let bytes = files.read()
      if (files.hasLarge) return false
      if (bytes === undefined) continue
      let found = files.find(tally.wantedIn(files)) ?? find(bytes, tally.wantedIn(files))
      if (found.length > 0 && !files.isCurrent()) {
        bytes = files.read()
        if (files.hasLarge) return false
        if (bytes === undefined) continue
        found = find(bytes, tally.wantedIn(files))
      }
      if (found.length > 0) tally.add(files.taken(), bytes, found)
      if (tally.stopped) return true
      bytesRead += bytes.length
    }
    return false
  }
}
