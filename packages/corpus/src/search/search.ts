// Searches the files of a source for a text or a pattern, in path and line order.
import type { Engine, RequestTime } from '../engine.ts'
import { compileRegex, PatternRun } from '../regex/regex.ts'
import type { Steps } from '../steps.ts'
import { literalFinder, locateLines, nothingFound, plainNeedle } from '../finder/finder.ts'
import type { PlainSearch, Search } from './strategy.ts'
import type { SearchRequest } from './request.ts'
import type { SearchFiles } from './disk-files.ts'
import { scanLarge } from './scan-large.ts'
import type { Scan } from './scan-large.ts'
import { SearchResult } from './result.ts'
import { WorkerBatch } from './worker-batch.ts'

export { DiskFiles } from './disk-files.ts'
export type { SearchFiles } from './disk-files.ts'
export { servePrefilter, PrefilterUse } from './prefilter/prefilter.ts'
export type { SiftOptions } from './prefilter/prefilter.ts'
export type { ContextLine, LineHit } from './hit.ts'
export type { SearchRequest, Resume } from './request.ts'
export type { GrepHit, Taken, SearchResult } from './result.ts'
export { scanLarge } from './scan-large.ts'
export type { Scan } from './scan-large.ts'

/** What was found, and how far the files were gone through. */
export interface Searched {
  tally: SearchResult
  files: Pick<SearchFiles, 'limited' | 'late'>
}

export function* search(
  engine: Engine,
  request: SearchRequest,
  time: RequestTime,
): Steps<Searched> {
  const tally = new SearchResult(request, engine.writesHits)
  const search = searchOf(engine, request, time)
  const files = yield* engine.source.files(request, time)
  try {
    if (!tally.stopped) yield* scan({ files, tally, request, search })
    if (!tally.stopped) tally.taken = files.taken()
  } finally {
    files.close()
  }
  return { tally, files }
}

function searchOf(engine: Engine, request: SearchRequest, time: RequestTime): Search {
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
