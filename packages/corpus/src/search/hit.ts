// A matching line as the client gets it: its text, cut when it is very long, and the lines around it.
import {
  afterLineEnd,
  codePointLength,
  codePointOffset,
  decodeBytes,
  hasReturns,
  lineEndAt,
  lineStartAt,
} from '../text/text.ts'
import { sha256 } from '../hash.ts'
import type { FoundLine } from '../finder/finder.ts'

export interface ContextLine {
  line: number
  text: string
  text_truncated?: true
}

export interface LineHit {
  path: string
  line: number
  text: string
  /** The line is longer than `max_line_chars`; `text` is the part around the match. */
  text_truncated?: true
  /** Column of the match in the line, and of the first character of `text`; from 1. */
  column?: number
  text_column?: number
  /** Of the whole line. */
  sha256?: string
  context?: ContextLine[]
}

export interface HitForm {
  maxLineChars: number
  /** Lines before and after. */
  context: number
  hash: boolean
}

/** `around` gives the context of a line where the bytes are only a part of the file. */
export function lineHit(
  path: string,
  bytes: Buffer,
  found: FoundLine,
  form: HitForm,
  around: (found: FoundLine) => ContextLine[] = (line) => contextIn(bytes, line, form),
): LineHit {
  const text = bytes.toString('utf8', found.start, found.end)
  // Most hits are no more than this, and there may be a million.
  if (text.length <= form.maxLineChars && !form.hash && form.context === 0) {
    return { path, line: found.line, text }
  }
  return {
    path,
    line: found.line,
    ...cutAround(text, () => columnOf(bytes, found), form.maxLineChars),
    ...(form.hash ? { sha256: sha256(text) } : {}),
    ...(form.context > 0 ? { context: around(found) } : {}),
  }
}

/** A line of context: cut at its end. */
export function contextLine(line: number, text: string, maxChars: number): ContextLine {
  const end = codePointOffset(text, maxChars)
  return end === text.length
    ? { line, text }
    : { line, text: text.slice(0, end), text_truncated: true }
}

function columnOf(bytes: Buffer, found: FoundLine): number {
  if (found.at === undefined) return found.column ?? 1
  return codePointLength(decodeBytes(bytes.subarray(found.start, found.at))) + 1
}

type HitText = Pick<LineHit, 'text' | 'text_truncated' | 'column' | 'text_column'>

/** The part around the match, with a quarter of it before the match. */
function cutAround(text: string, column: () => number, maxChars: number): HitText {
  if (text.length <= maxChars || codePointLength(text) <= maxChars) return { text }
  const at = column() - 1
  const latest = Math.max(0, codePointLength(text) - maxChars)
  const from = Math.max(0, Math.min(at - (maxChars >> 2), latest))
  const start = codePointOffset(text, from)
  const rest = text.slice(start)
  return {
    text: rest.slice(0, codePointOffset(rest, maxChars)),
    text_truncated: true,
    column: at + 1,
    text_column: from + 1,
  }
}

/** Up to N lines before, the line itself, up to N lines after. */
function contextIn(bytes: Buffer, found: FoundLine, form: HitForm): ContextLine[] {
  const returns = hasReturns(bytes)
  let { line, start } = found
  for (let count = 0; count < form.context && start > 0; count++) {
    start = lineStartAt(bytes, beforeLineEnd(bytes, start), returns)
    line--
  }
  const lines: ContextLine[] = []
  for (const last = found.line + form.context; line <= last && start < bytes.length; line++) {
    const end = lineEndAt(bytes, start, returns)
    const text = decodeBytes(bytes.subarray(start, end))
    lines.push(contextLine(line, text, form.maxLineChars))
    start = afterLineEnd(bytes, end)
  }
  return lines
}

/** Offset of the line end right before the line that begins at `start`. */
function beforeLineEnd(bytes: Buffer, start: number): number {
  const isPair = bytes[start - 1] === 0x0a && bytes[start - 2] === 0x0d
  return start - (isPair ? 2 : 1)
}
