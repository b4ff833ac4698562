// Searches a file too large to be read whole: counted first, then part by part.
import { closeSync } from 'node:fs'
import type { Steps } from '../steps.ts'
import { countText } from '../text/text.ts'
import { indexText } from '../content/content.ts'
import type { LargeFile, TextFile } from '../content/content.ts'
import { locateLines, nothingFound } from '../finder/finder.ts'
import type { FoundLine } from '../finder/finder.ts'
import { contextLine } from './hit.ts'
import type { ContextLine, HitForm } from './hit.ts'
import { FileParts } from './large-file.ts'
import type { FilePart } from './large-file.ts'
import type { SearchRequest } from './request.ts'
import type { Search } from './strategy.ts'
import type { SearchFiles } from './disk-files.ts'
import type { SearchResult } from './result.ts'

export interface Scan {
  files: SearchFiles
  tally: SearchResult
  request: SearchRequest
  search: Search
}

/** Closes the file. One that fails half-way is left as it is, like any unreadable file. */
export function* scanLarge(scan: Scan, large: LargeFile): Steps<void> {
  const { files, tally } = scan
  try {
    const text = yield* indexText(large.fd, large.size)
    files.addChars(text.chars)
    tally.taken = files.taken()
    yield* scanParts(scan, large, text)
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
  } finally {
    closeSync(large.fd)
  }
}

function* scanParts(scan: Scan, large: LargeFile, text: TextFile): Steps<void> {
  const { files, tally, request, search } = scan
  const parts = new FileParts(large.fd, large.size)
  const taken = files.taken()
  let before = 0
  let count = 0
  for (let part = parts.next(); part !== undefined && !tally.stopped; part = parts.next()) {
    const found = yield* findInPart(search, part, tally.wantedIn(taken))
    if (found === undefined) {
      files.late = true
      return
    }
    count += found.length
    if (request.mode === 'files' && count > 0) break
    if (request.mode === 'hits') {
      const shift = before
      const shifted = found.map((one) => ({ ...one, line: one.line + shift }))
      tally.add(taken, part.bytes, shifted, (line) => contextFrom(text, line, request.form))
    }
    before += countText(part.bytes).lineEnds
    yield
  }
  if (request.mode !== 'hits') tally.addCount(taken, count)
}

function* findInPart(
  search: Search,
  part: FilePart,
  limit: number,
): Steps<FoundLine[] | undefined> {
  if ('find' in search) return search.find(part.bytes, limit)
  if (!search.mayMatch(part.bytes)) return nothingFound
  const spans = [0, part.bytes.length]
  const found = yield* search.run.search({ bytes: part.shared, spans, perFile: limit, limit })
  return found === undefined ? undefined : locateLines(part.bytes, found[0] ?? [])
}

/** Lines around a hit, which may lie in other parts. */
function contextFrom(text: TextFile, found: FoundLine, form: HitForm): ContextLine[] {
  const first = Math.max(1, found.line - form.context)
  const last = Math.min(text.lines, found.line + form.context)
  const lines = text.readLines(first, last).split('\n')
  return lines.map((line, index) => contextLine(first + index, line, form.maxLineChars))
}
