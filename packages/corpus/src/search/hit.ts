// A matching line as the client receives it: its text, cut if it is very long, and the lines around it.
import { isAscii, isUtf8 } from 'node:buffer'
import {
  afterLineEnd,
  codePointLength,
  codePointOffset,
  countChars,
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
  /** The line is longer than `max_line_chars`, and `text` is the part around the match. */
  text_truncated?: true
  /** Columns of the match and of the first character of `text` in the line, from 1. */
  column?: number
  text_column?: number
  /** Hash of the complete line. */
  sha256?: string
  /** `commit:path:line`, at a revision. */
  cite?: string
  context?: ContextLine[]
}

export interface HitForm {
  maxLineChars: number
  /** Lines of context before and after a hit. */
  context: number
  hash: boolean
  /** The commit of a search at a revision. */
  rev?: string | undefined
}

/** The hit for a line. `around` returns its context where `bytes` are only a part of the file. */
export function lineHit(
  path: string,
  bytes: Buffer,
  found: FoundLine,
  form: HitForm,
  around: (found: FoundLine) => ContextLine[] = (line) => contextIn(bytes, line, form),
): LineHit {
  // Minified code has lines of megabytes.
  if (found.end - found.start > form.maxLineChars && !form.hash && form.context === 0) {
    const cut = cutBytes(bytes, found, form.maxLineChars)
    if (cut !== undefined) return { path, line: found.line, ...cut, ...citeOf(path, found, form) }
  }
  const text = bytes.toString('utf8', found.start, found.end)
  // Most hits end here, and there may be a million of them.
  if (text.length <= form.maxLineChars && !form.hash && form.context === 0) {
    const { line } = found
    if (form.rev === undefined) return { path, line, text }
    return { path, line, text, ...citeOf(path, found, form) }
  }
  return {
    path,
    line: found.line,
    ...cutAround(text, () => columnOf(bytes, found), form.maxLineChars),
    ...(form.hash ? { sha256: sha256(text) } : {}),
    ...citeOf(path, found, form),
    ...(form.context > 0 ? { context: around(found) } : {}),
  }
}

function citeOf(path: string, { line }: FoundLine, { rev }: HitForm): { cite?: string } {
  return rev === undefined ? {} : { cite: `${rev}:${path}:${line}` }
}

/** Characters of the texts of a hit. */
export function textChars({ text, context = [] }: LineHit): number {
  return context.reduce((sum, line) => sum + codePointLength(line.text), codePointLength(text))
}

/** A hit whose texts have `chars` characters: its own text first, then its context. */
export function cutHit(hit: LineHit, chars: number): LineHit {
  let left = chars
  const cut = <Line extends ContextLine | LineHit>(line: Line): Line => {
    const end = codePointOffset(line.text, left)
    const text = line.text.slice(0, end)
    left -= codePointLength(text)
    return text === line.text ? line : { ...line, text, text_truncated: true }
  }
  const own = cut(hit)
  if (hit.context === undefined) return own
  return { ...own, context: hit.context.map(cut).filter(({ text }) => text !== '') }
}

/** A line of context, cut at its end. */
export function contextLine(line: number, text: string, maxChars: number): ContextLine {
  const end = codePointOffset(text, maxChars)
  return end === text.length
    ? { line, text }
    : { line, text: text.slice(0, end), text_truncated: true }
}

function columnOf(bytes: Buffer, found: FoundLine): number {
  if (found.matchOffset === undefined) return found.column ?? 1
  return codePointLength(decodeBytes(bytes.subarray(found.start, found.matchOffset))) + 1
}

type HitText = Pick<LineHit, 'text' | 'text_truncated' | 'column' | 'text_column'>

/** The part of a line around the match: a quarter of it lies before the match. */
function cutAround(text: string, column: () => number, maxChars: number): HitText {
  if (text.length <= maxChars || codePointLength(text) <= maxChars) return { text }
  const match = column() - 1
  const lastStart = Math.max(0, codePointLength(text) - maxChars)
  const from = Math.max(0, Math.min(match - (maxChars >> 2), lastStart))
  const start = codePointOffset(text, from)
  const rest = text.slice(start)
  return {
    text: rest.slice(0, codePointOffset(rest, maxChars)),
    text_truncated: true,
    column: match + 1,
    text_column: from + 1,
  }
}

/** The same for a line of well-formed UTF-8 with a known match, without decoding all of it. */
function cutBytes(bytes: Buffer, found: FoundLine, maxChars: number): HitText | undefined {
  if (found.matchOffset === undefined) return undefined
  const line = bytes.subarray(found.start, found.end)
  const isPlain = isAscii(line)
  if (!isPlain && !isUtf8(line)) return undefined
  const chars = isPlain ? line.length : countChars(line)
  if (chars <= maxChars) return undefined
  const matchAt = found.matchOffset - found.start
  const match = isPlain ? matchAt : countChars(line.subarray(0, matchAt))
  const from = Math.max(0, Math.min(match - (maxChars >> 2), chars - maxChars))
  const start = isPlain ? from : movedBy(line, matchAt, from - match)
  const end = isPlain ? start + maxChars : movedBy(line, start, maxChars)
  return {
    text: line.toString('utf8', start, end),
    text_truncated: true,
    column: match + 1,
    text_column: from + 1,
  }
}

/** The offset of the character `count` characters after the one at an offset, or before it. */
function movedBy(line: Buffer, offset: number, count: number): number {
  const step = Math.sign(count)
  let at = offset
  for (let left = Math.abs(count); left > 0; left--) {
    do at += step
    while (((line[at] ?? 0) & 0xc0) === 0x80)
  }
  return at
}

/** The line of a hit with up to `form.context` lines before and after it. */
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

/** The offset of the line end before the line at `start`. */
function beforeLineEnd(bytes: Buffer, start: number): number {
  const isPair = bytes[start - 1] === 0x0a && bytes[start - 2] === 0x0d
  return start - (isPair ? 2 : 1)
}
