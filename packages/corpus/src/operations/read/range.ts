// read_file by a range of characters or bytes, 0-based, end excluded. Adjacent ranges join without a gap, because
// both ends move back to the start of a character. `max_lines` ends a page; `next_cursor` continues it.
import {
  argumentError,
  booleanArgument,
  numberArgument,
  optionalNumber,
  requiredText,
} from '../arguments.ts'
import type { Arguments } from '../arguments.ts'
import { requestTime } from '../request-time.ts'
import type { Engine } from '../../engine.ts'
import { sha256 } from '../../hash.ts'
import { metricsOf } from '../metrics.ts'
import { charsThatFit, pagingOf, offsetFrom } from '../paging.ts'
import type { ReadResult } from './read.ts'
import { openBytes, readError, withText } from './slices.ts'
import type { OpenBytes } from './slices.ts'
import type { Steps } from '../../steps.ts'
import {
  codePointLength,
  codePointOffset,
  countLineFeeds,
  cutPoint,
  decodeText,
  skipLines,
} from '../../text/text.ts'

export interface Range {
  unit: 'char' | 'byte'
  start: number
  end: number
}

/** Characters or bytes per page if the request sets no `max_chars`. */
const defaultRange = 100_000

/** The requested range; undefined if the request is for lines. */
export function rangeOf(args: Arguments): Range | undefined {
  const [charStart, charEnd] = ['start_char', 'end_char'].map((name) => optionalNumber(args, name))
  const [byteStart, byteEnd] = ['start_byte', 'end_byte'].map((name) => optionalNumber(args, name))
  const chars = charStart !== undefined || charEnd !== undefined
  const bytes = byteStart !== undefined || byteEnd !== undefined
  const lines = ['start_line', 'end_line'].some((name) => (args[name] ?? undefined) !== undefined)
  if (!chars && !bytes) return undefined
  if ((chars && bytes) || lines) {
    throw argumentError('ask for a range of lines, of characters or of bytes, not for two of them')
  }
  const start = (chars ? charStart : byteStart) ?? 0
  const end = Math.max(start, (chars ? charEnd : byteEnd) ?? Infinity)
  return { unit: chars ? 'char' : 'byte', start, end }
}

export function readRange(engine: Engine, args: Arguments, range: Range): Steps<ReadResult> {
  return range.unit === 'char' ? readChars(engine, args, range) : readBytes(engine, args, range)
}

function* readChars(engine: Engine, args: Arguments, range: Range): Steps<ReadResult> {
  const time = requestTime(engine, args)
  const hash = booleanArgument(args, 'hash', false)
  const maxLines = numberArgument(args, 'max_lines', Infinity)
  const paging = pagingOf('read_file', args)
  return yield* withText(engine, requiredText(args, 'path'), time, (text, file) => {
    const requestedEnd = Math.min(range.end, text.chars)
    const start = Math.min(Math.max(range.start, offsetFrom(paging.position)), text.chars)
    const maxEnd = Math.max(
      start,
      Math.min(requestedEnd, start + (paging.maxChars ?? defaultRange)),
    )
    const { line, text: read } = text.readChars(start, maxEnd)
    const found = withinAnswer(read, paging.maxAnswer)
    const slice = { line, text: found.slice(0, offsetAfterLines(found, maxLines)) }
    const end = slice.text === read ? maxEnd : start + codePointLength(slice.text)
    // A line feed at the end starts no line.
    const body = slice.text.slice(0, -1)
    const lines = slice.text === '' ? 0 : countLineFeeds(body, body.length) + 1
    return {
      path: file.path,
      start_line: slice.line,
      end_line: slice.line + Math.max(0, lines - 1),
      total_lines: text.lines,
      start_char: start,
      end_char: end,
      total_chars: text.chars,
      truncated: end < requestedEnd,
      text: slice.text,
      ...(hash ? { sha256: sha256(slice.text) } : {}),
      ...(end < requestedEnd ? { next_cursor: paging.cursorAt(end) } : {}),
      metrics: { ...metricsOf(time, text.chars, 1), lines_returned: lines },
    }
  })
}

/** Reads only the requested bytes, so that the cost does not depend on the size of the file. */
function* readBytes(engine: Engine, args: Arguments, range: Range): Steps<ReadResult> {
  const time = requestTime(engine, args)
  const hash = booleanArgument(args, 'hash', false)
  const maxLines = numberArgument(args, 'max_lines', Infinity)
  const paging = pagingOf('read_file', args)
  const requestedPath = requiredText(args, 'path')
  const file = openBytes(engine, requestedPath)
  try {
    const total = file.size
    const requestedEnd = charBoundary(file, Math.min(range.end, total), total)
    const from = Math.min(Math.max(range.start, offsetFrom(paging.position)), total)
    const start = charBoundary(file, from, total)
    const maxEnd = Math.min(requestedEnd, start + (paging.maxChars ?? defaultRange))
    const found = Buffer.allocUnsafe(
      Math.max(0, pageEnd(file, start, maxEnd, requestedEnd) - start),
    )
    const read = found.subarray(0, file.read(found, start))
    const length = skipLines(read, 0, maxLines)
    const end = start + (length === read.length ? found.length : length)
    const text = decodeText(read.subarray(0, length))
    if (text !== withinAnswer(text, paging.maxAnswer)) {
      // A character has at most six bytes in an answer, so a sixth of the limit always fits.
      const max_chars = Math.max(1, Math.floor((paging.maxAnswer as number) / 6))
      return yield* readBytes(engine, { ...args, max_chars }, range)
    }
    return {
      path: file.path,
      start_byte: start,
      end_byte: end,
      total_bytes: total,
      truncated: end < requestedEnd,
      text,
      ...(hash ? { sha256: sha256(text) } : {}),
      ...(end < requestedEnd ? { next_cursor: paging.cursorAt(end) } : {}),
      metrics: {
        ...metricsOf(time, codePointLength(text), 1),
        lines_returned: text === '' ? 0 : countLineFeeds(text, text.length - 1) + 1,
      },
    }
  } catch (error) {
    throw readError(engine, requestedPath, error)
  } finally {
    file.close()
  }
}

/** The start of a text that fits into an answer. */
function withinAnswer(text: string, maxAnswer: number | undefined): string {
  if (maxAnswer === undefined || text.length * 6 + 2 <= maxAnswer) return text
  return text.slice(0, codePointOffset(text, Math.max(1, charsThatFit(text, maxAnswer))))
}

/** The offset after `count` lines of a text whose line ends are all `\n`. */
function offsetAfterLines(text: string, count: number): number {
  let end = 0
  for (let done = 0; done < count && end < text.length; done++) {
    const feed = text.indexOf('\n', end)
    end = feed === -1 ? text.length : feed + 1
  }
  return end
}

/** The start of the character at an offset; CRLF counts as one character. */
function charBoundary(file: OpenBytes, at: number, total: number): number {
  if (at <= 0 || at >= total) return at
  const from = Math.max(0, at - 4)
  const around = Buffer.alloc(at - from + 1)
  file.read(around, from)
  const local = at - from
  if (around[local - 1] === 0x0d) return around[local] === 0x0a ? at - 1 : at
  return from + cutPoint(around, local)
}

/** The end of a page, after at least one character, so that paging always advances. */
function pageEnd(file: OpenBytes, start: number, end: number, requestedEnd: number): number {
  const cut = charBoundary(file, end, requestedEnd)
  if (cut > start || end <= start) return Math.max(start, cut)
  for (let next = end + 1; next < requestedEnd; next++) {
    const later = charBoundary(file, next, requestedEnd)
    if (later > start) return later
  }
  return requestedEnd
}
