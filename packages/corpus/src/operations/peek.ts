// peek: the first and the last lines of a file.
import { booleanArgument, numberArgument, requiredText } from './arguments.ts'
import type { Arguments } from './arguments.ts'
import { requestTime } from './request-time.ts'
import type { Engine } from '../engine.ts'
import { sha256 } from '../hash.ts'
import { metricsOf } from './metrics.ts'
import type { Metrics } from './metrics.ts'
import { pagingOf } from './paging.ts'
import type { Paging, RequestArgs } from './paging.ts'
import { positionFrom, sliceLines, withText } from './read/read.ts'
import type { LinePosition } from './read/read.ts'
import { citeField } from './revision.ts'
import type { RevisionArgs } from './revision.ts'
import type { Steps } from '../steps.ts'
import { codePointLength } from '../text/text.ts'
import type { TextFile } from '../content/content.ts'

export interface PeekArgs extends RevisionArgs, RequestArgs {
  path: string
  head_lines?: number | undefined
  tail_lines?: number | undefined
  hash?: boolean | undefined
}

export interface PeekSlice {
  start_line: number
  end_line: number
  text: string
  sha256?: string
  cite?: string
}

export interface PeekResult {
  path: string
  total_lines: number
  head: PeekSlice
  tail: PeekSlice
  next_cursor?: string
  metrics: Metrics
}

export function* peek(engine: Engine, args: Arguments): Steps<PeekResult> {
  const time = requestTime(engine, args)
  const requestedPath = requiredText(args, 'path')
  const headLines = numberArgument(args, 'head_lines', 60)
  const tailLines = numberArgument(args, 'tail_lines', 60)
  const hash = booleanArgument(args, 'hash', false)
  const paging = pagingOf('peek', args)
  const cite = (path: string, slice: PeekSlice): { cite?: string } =>
    citeField(engine, path, slice.start_line, slice.end_line)
  return yield* withText(engine, requestedPath, time, (text, file) => {
    const total = text.lines
    const first = total === 0 ? 0 : 1
    const cursor = cursorPositions(paging.position)
    // Each end may use half of an answer.
    const page = { maxAnswer: paging.maxAnswer && paging.maxAnswer >> 1 }
    const headPage = { ...page, maxChars: paging.maxChars }
    const head = slicePart(text, first, Math.min(headLines, total), cursor.head, headPage)
    const left = paging.maxChars === undefined ? undefined : paging.maxChars - head.chars
    const tailStart = total === 0 ? 0 : Math.max(1, total - tailLines + 1)
    // The tail comes on a later page while the head is incomplete.
    const budget = head.next === undefined ? left : 0
    const tail = slicePart(text, tailStart, total, cursor.tail, { ...page, maxChars: budget })
    const next = head.next ?? tail.next
    const which = head.next === undefined ? 'tail' : 'head'
    return {
      path: file.path,
      total_lines: total,
      head: { ...withHash(head.slice, hash), ...cite(file.path, head.slice) },
      tail: { ...withHash(tail.slice, hash), ...cite(file.path, tail.slice) },
      ...(next === undefined
        ? {}
        : { next_cursor: paging.cursorAt([which, next.line, next.skip]) }),
      metrics: metricsOf(time, text.chars, 1),
    }
  })
}

interface Part {
  slice: PeekSlice
  chars: number
  next: LinePosition | undefined
}

/** Slices one end of the file, from where the previous page ended. */
function slicePart(
  text: TextFile,
  start: number,
  end: number,
  position: LinePosition | 'done' | undefined,
  page: Pick<Paging, 'maxChars' | 'maxAnswer'>,
): Part {
  if (position === 'done' || start > end || end === 0) {
    const from = position === 'done' ? end + 1 : start
    return { slice: { start_line: from, end_line: end, text: '' }, chars: 0, next: undefined }
  }
  const from = position ?? { line: start, skip: 0 }
  const sliced = sliceLines(text, from, end, page)
  const last = sliced.next === undefined ? end : sliced.text === '' ? from.line - 1 : sliced.end
  const slice = { start_line: from.line, end_line: last, text: sliced.text }
  return { slice, chars: codePointLength(sliced.text), next: sliced.next }
}

function cursorPositions(cursor: unknown): { head?: LinePosition | 'done'; tail?: LinePosition } {
  if (!Array.isArray(cursor)) return {}
  const position = positionFrom(cursor.slice(1), { line: 1, skip: 0 })
  return cursor[0] === 'head' ? { head: position } : { head: 'done', tail: position }
}

function withHash(slice: PeekSlice, hash: boolean): PeekSlice {
  return hash ? { ...slice, sha256: sha256(slice.text) } : slice
}
