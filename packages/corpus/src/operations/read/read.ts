// read_file by lines. range.ts reads ranges of characters or bytes.
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
import { positionFrom, sliceLines, withText } from './slices.ts'
import { citeField } from '../revision.ts'
import type { RevisionArgs } from '../revision.ts'
import type { Steps } from '../../steps.ts'

export { rangeOf } from './range.ts'
export { openBytes, positionFrom, readError, sliceLines, withText } from './slices.ts'
export type { LinePosition } from './slices.ts'

/** A range of lines (1-based, end included), of characters or of bytes (0-based, end excluded). */
export interface ReadArgs extends RevisionArgs, RequestArgs {
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
  /** Only for a range of characters (0-based, end excluded). */
  start_char?: number
  end_char?: number
  total_chars?: number
  /** Only for a range of bytes. */
  start_byte?: number
  end_byte?: number
  total_bytes?: number
  truncated: boolean
  text: string
  sha256?: string
  /** The commit and the citation `commit:path:lines` of a request with `rev`. */
  rev?: string
  cite?: string
  next_cursor?: string
  metrics: Metrics & { lines_returned: number }
}

export function* readFile(engine: Engine, args: Arguments): Steps<ReadResult> {
  const range = rangeOf(args)
  if (range !== undefined) return yield* readRange(engine, args, range)
  const time = requestTime(engine, args)
  const requestedPath = requiredText(args, 'path')
  const request = lineRange(args)
  const hash = booleanArgument(args, 'hash', false)
  const paging = pagingOf('read_file', args)
  return yield* withText(engine, requestedPath, time, (text, file) => {
    const { start, end } = request
    const past = start > text.lines
    const last = past ? text.lines : Math.min(end, start + request.max - 1, text.lines)
    const from = positionFrom(paging.position, { line: start, skip: 0 })
    const slice = sliceLines(text, from, past ? 0 : last, paging)
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
      ...citeField(engine, file.path, from.line, endLine),
      ...(hash ? { sha256: sha256(slice.text) } : {}),
      ...(slice.next === undefined
        ? {}
        : { next_cursor: paging.cursorAt([slice.next.line, slice.next.skip]) }),
      metrics: { ...metricsOf(time, text.chars, 1), lines_returned: returned },
    }
  })
}

/** Clamps the start to 1 and the end to the start. */
function lineRange(args: Arguments): { start: number; end: number; max: number } {
  const max = numberArgument(args, 'max_lines', 400)
  const start = Math.max(1, optionalInteger(args, 'start_line') ?? 1)
  const end = Math.max(start, optionalInteger(args, 'end_line') ?? start)
  return { start, end, max }
}
