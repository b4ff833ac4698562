// read_file by lines, the plain form. Ranges of characters or bytes are in range.ts.
import { booleanArgument, numberArgument, optionalInteger, requiredText } from '../arguments.ts'
import type { Arguments } from '../arguments.ts'
import { requestTime } from '../request-time.ts'
import type { Engine } from '../../engine.ts'
import { sha256 } from '../../hash.ts'
import { metricsOf } from '../metrics.ts'
import type { Metrics } from '../metrics.ts'
import { pagingOf } from '../paging.ts'
import type { RequestArgs } from '../paging.ts'
import { readRange, rangeOf } from './range.ts'
import { placeOf, takeLines, withText } from './slices.ts'
import type { Steps } from '../../steps.ts'

export { placeOf, readError, takeLines, withText } from './slices.ts'
export type { LinePlace } from './slices.ts'

/** A range of lines (1-based, end included), of characters or of bytes (0-based, end excluded). */
export interface ReadArgs extends RequestArgs {
  path: string
  start_line?: number | undefined
  end_line?: number | undefined
  start_char?: number | undefined
  end_char?: number | undefined
  start_byte?: number | undefined
  end_byte?: number | undefined
  max_lines?: number | undefined
  /** Adds the SHA-256 of the text. */
  hash?: boolean | undefined
}

export interface ReadResult {
  path: string
  start_line?: number
  end_line?: number
  total_lines?: number
  /** Present when the range was one of characters (0-based, end excluded). */
  start_char?: number
  end_char?: number
  total_chars?: number
  /** Present when the range was one of bytes. */
  start_byte?: number
  end_byte?: number
  total_bytes?: number
  truncated: boolean
  text: string
  sha256?: string
  next_cursor?: string
  metrics: Metrics & { lines_returned: number }
}

export function* readFile(engine: Engine, args: Arguments): Steps<ReadResult> {
  const range = rangeOf(args)
  if (range !== undefined) return yield* readRange(engine, args, range)
  const time = requestTime(engine, args)
  const asked = requiredText(args, 'path')
  const request = linesOf(args)
  const hash = booleanArgument(args, 'hash', false)
  const paging = pagingOf('read_file', args)
  return yield* withText(engine, asked, (text, file) => {
    const { start, end } = request
    const past = start > text.lines
    const last = past ? text.lines : Math.min(end, start + request.max - 1, text.lines)
    const from = placeOf(paging.at, { line: start, skip: 0 })
    const slice = takeLines(text, from, past ? 0 : last, paging.maxChars)
    const endLine = slice.next === undefined ? last : slice.end
    const nothing = past || (slice.text === '' && slice.next !== undefined)
    const returned = nothing ? 0 : Math.max(0, endLine - from.line + 1)
    return {
      path: file.path,
      start_line: from.line,
      end_line: endLine,
      total_lines: text.lines,
      truncated: (!past && end - start + 1 > request.max) || slice.next !== undefined,
      text: slice.text,
      ...(hash ? { sha256: sha256(slice.text) } : {}),
      ...(slice.next === undefined
        ? {}
        : { next_cursor: paging.seal([slice.next.line, slice.next.skip]) }),
      metrics: { ...metricsOf(time, text.chars, 1), lines_returned: returned },
    }
  })
}

/** Lines below 1 count as 1; an end before the start is the start. */
function linesOf(args: Arguments): { start: number; end: number; max: number } {
  const max = numberArgument(args, 'max_lines', 400)
  const start = Math.max(1, optionalInteger(args, 'start_line') ?? 1)
  const end = Math.max(start, optionalInteger(args, 'end_line') ?? start)
  return { start, end, max }
}
