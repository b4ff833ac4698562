// Searches a file that is too large to be held in memory: counts it first, then searches it part by part.
import type { Steps } from '../steps.ts'
import { countText } from '../text/text.ts'
import { indexText } from '../content/content.ts'
import type { LargeFile, TextFile } from '../content/content.ts'
import { locateLines, nothingFound } from '../finder/finder.ts'
import type { FoundLine } from '../finder/finder.ts'
import { FileParts } from './file-parts.ts'
import type { FilePart } from './file-parts.ts'
import { contextLine } from './hit.ts'
import type { ContextLine, HitForm } from './hit.ts'
import type { Matcher } from './matcher.ts'
import type { Candidate } from './plan.ts'
import type { SearchTask } from './task.ts'

export interface LargeCandidate {
  number: Candidate
  path: string
  large: LargeFile
}

/** The caller closes the file. A read error ends the search of this file only, as for any unreadable file. */
export function* searchLarge(
  file: LargeCandidate,
  task: SearchTask,
): Steps<'searched' | 'expired'> {
  const { fd, size } = file.large
  try {
    const text = yield* indexText(fd, size, task.time.startFile())
    task.result.largeChars += text.chars
    return yield* searchParts(file, text, task)
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    task.result.unreadable++
    return 'searched'
  }
}

function* searchParts(
  { number, path, large }: LargeCandidate,
  text: TextFile,
  { request, result, matcher }: SearchTask,
): Steps<'searched' | 'expired'> {
  const parts = new FileParts(large.fd, large.size)
  let linesBefore = 0
  let count = 0
  for (let part = parts.next(); part !== undefined && !result.isComplete; part = parts.next()) {
    const found = yield* findInPart(matcher, part, result.linesWanted(number, { path: () => path }))
    if (found === undefined) return 'expired'
    count += found.length
    if (request.mode === 'files' && count > 0) break
    if (request.mode === 'hits') {
      const shift = linesBefore
      const lines = found.map((one) => ({ ...one, line: one.line + shift }))
      const around = (line: FoundLine): ContextLine[] => contextFrom(text, line, request.form)
      result.add(number, { path, bytes: part.bytes, lines }, around)
    }
    linesBefore += countText(part.bytes).lineEnds
    yield
  }
  if (request.mode !== 'hits') result.addCount(number, path, count)
  return 'searched'
}

/** Undefined when the deadline passed. */
function* findInPart(
  matcher: Matcher,
  part: FilePart,
  limit: number,
): Steps<FoundLine[] | undefined> {
  if (matcher.kind === 'inline') return matcher.find(part.bytes, limit)
  if (!matcher.mayMatch(part.bytes)) return nothingFound
  const spans = [0, part.bytes.length]
  const found = yield* matcher.run.search({ bytes: part.shared, spans, perFile: limit, limit })
  return found === undefined ? undefined : locateLines(part.bytes, found[0] ?? [])
}

/** The lines around a hit, which may lie in other parts. */
function contextFrom(text: TextFile, found: FoundLine, form: HitForm): ContextLine[] {
  const first = Math.max(1, found.line - form.context)
  const last = Math.min(text.lines, found.line + form.context)
  const lines = text.readLines(first, last).split('\n')
  return lines.map((line, index) => contextLine(first + index, line, form.maxLineChars))
}
