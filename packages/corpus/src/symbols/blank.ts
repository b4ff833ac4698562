// Blanks comments and the contents of strings, so that text in them never looks like a definition.
// Lengths and line ends stay, so offsets in the result are offsets in the file. CR becomes LF or a
// space.
import { markTable, nextMark } from './marks.ts'

/** Handles a comment or string that may start at `at`; returns the offset to continue from. */
export type Handler = (bytes: Buffer, at: number) => number

/** Handlers by the first byte of a comment or string. */
export type Lexicon = Readonly<Record<string, Handler>>

const lf = 0x0a
const cr = 0x0d
const space = 0x20
const backslash = 0x5c
const slashByte = 0x2f
const star = 0x2a

/** Compiles a lexicon to a function that blanks bytes in place. */
export function createBlanker(lexicon: Lexicon): (bytes: Buffer) => void {
  const handlers: (Handler | undefined)[] = Array.from({ length: 256 })
  const marks = new Uint8Array(256)
  for (const [char, handler] of Object.entries(lexicon)) {
    handlers[char.charCodeAt(0)] = handler
    marks[char.charCodeAt(0)] = 1
  }
  return (bytes) => {
    if (startsWith(bytes, 0, '\xef\xbb\xbf')) erase(bytes, 0, 3)
    unifyLineEnds(bytes)
    unmatchedUntil.fill(0)
    for (let at = nextMark(bytes, marks, 0); at < bytes.length; at = nextMark(bytes, marks, at)) {
      const handler = handlers[bytes[at] as number] as Handler
      at = Math.max(at + 1, handler(bytes, at))
    }
  }
}

const returnMarks = markTable('\r')

function unifyLineEnds(bytes: Buffer): void {
  const first = bytes.indexOf(cr)
  if (first === -1) return
  for (let at = first; at < bytes.length; at = nextMark(bytes, returnMarks, at + 1)) {
    bytes[at] = bytes[at + 1] === lf ? space : lf
  }
}

/** Blanks `from` to `to`, except line feeds. */
export function erase(bytes: Buffer, from: number, to: number): void {
  for (let at = from; at < to; at++) if (bytes[at] !== lf) bytes[at] = space
}

/** Whether this text (one character per byte) starts at `at`. */
export function startsWith(bytes: Buffer, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (bytes[at + index] !== text.charCodeAt(index)) return false
  }
  return true
}

export function lineEnd(bytes: Buffer, at: number): number {
  const feed = bytes.indexOf(lf, at)
  return feed === -1 ? bytes.length : feed
}

/** Blanks a comment to the end of the line. */
export function lineComment(bytes: Buffer, at: number): number {
  let end = at
  for (; end < bytes.length && bytes[end] !== lf; end++) bytes[end] = space
  return end
}

/** Blanks `/* ... *\/` without nesting while it searches for the end: the most common comment. */
function starComment(bytes: Buffer, at: number): number {
  let last = 0
  bytes[at] = space
  bytes[at + 1] = space
  for (let end = at + 2; end < bytes.length; end++) {
    const byte = bytes[end] as number
    if (byte !== lf) bytes[end] = space
    if (byte === slashByte && last === star) return end + 1
    last = byte
  }
  return bytes.length
}

/** Blanks a comment between two delimiters, which may nest. */
export function blockComment(
  bytes: Buffer,
  at: number,
  marks: { open: string; close: string; nests: boolean },
): number {
  let end = bytes.indexOf(marks.close, at + marks.open.length)
  if (marks.nests) {
    let inner = bytes.indexOf(marks.open, at + marks.open.length)
    while (inner !== -1 && end !== -1 && inner < end) {
      end = bytes.indexOf(marks.close, end + marks.close.length)
      inner = bytes.indexOf(marks.open, inner + marks.open.length)
    }
  }
  const to = end === -1 ? bytes.length : end + marks.close.length
  erase(bytes, at, to)
  return to
}

/** Handles line and block comments that start with a slash; `fallback` handles any other slash. */
export function slashComments(nests: boolean, fallback?: Handler): Handler {
  const marks = { open: '/*', close: '*/', nests }
  return (bytes, at) => {
    const next = bytes[at + 1]
    if (next === slashByte) return lineComment(bytes, at)
    if (next === star) return nests ? blockComment(bytes, at, marks) : starComment(bytes, at)
    return fallback === undefined ? at + 1 : fallback(bytes, at)
  }
}

/**
 * Blanks a string that ends on its line, with backslash escapes. A quote without a partner on its
 * line (an apostrophe in text, a lifetime) is not a string and stays.
 */
export function lineString(bytes: Buffer, at: number): number {
  const quote = bytes[at] as number
  if (at < (unmatchedUntil[quote] as number)) return at + 1
  let end = at + 1
  for (; end < bytes.length && bytes[end] !== quote && bytes[end] !== lf; end++) {
    // An escaped line end continues the string.
    if (bytes[end] === backslash) end++
  }
  if (bytes[end] !== quote) {
    unmatchedUntil[quote] = end
    return at + 1
  }
  erase(bytes, at + 1, end)
  return end + 1
}

/**
 * Per quote byte: offset up to which the current file has no partner. Without it, many escaped
 * quotes would each scan to the end of the line.
 */
const unmatchedUntil = new Int32Array(256)

/** Blanks a string up to a closing delimiter, across lines. */
export function longString(
  bytes: Buffer,
  at: number,
  marks: { open: string; close: string; escapes: boolean },
): number {
  const { close, escapes } = marks
  const from = at + marks.open.length
  const first = close.charCodeAt(0)
  let end = from
  for (; end < bytes.length; end++) {
    const byte = bytes[end]
    if (byte === backslash && escapes) end++
    else if (byte === first && startsWith(bytes, end, close)) break
  }
  const to = Math.min(end, bytes.length)
  erase(bytes, from, to)
  return to === bytes.length ? to : to + close.length
}

/** Blanks a single character between apostrophes; leaves any other apostrophe alone. */
export function charLiteral(bytes: Buffer, at: number): number {
  if (bytes[at + 1] === backslash) return lineString(bytes, at)
  const lead = bytes[at + 1] as number
  const width = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
  if (bytes[at + 1 + width] !== 0x27 || lead === lf) return at + 1
  erase(bytes, at + 1, at + 1 + width)
  return at + 2 + width
}

/** Handles `"""` across lines, or an ordinary string. */
export function tripleOrLine(escapes: boolean): Handler {
  return (bytes, at) => {
    const quote = String.fromCharCode(bytes[at] as number).repeat(3)
    if (!startsWith(bytes, at, quote)) return lineString(bytes, at)
    return longString(bytes, at, { open: quote, close: quote, escapes })
  }
}
