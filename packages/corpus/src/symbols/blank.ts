// Blanks comments and the insides of strings, so that what looks like a definition there is none. Lengths
// and line ends stay: a place in the result is the same place in the file. CR becomes LF or a space.
import { marksOf, nextMark } from './marks.ts'

/** Handles what may begin at `at`; gives the offset to go on from. */
export type Handler = (bytes: Buffer, at: number) => number

/** Handlers by the byte that a comment or string begins with. */
export type Lexicon = Readonly<Record<string, Handler>>

const lf = 0x0a
const cr = 0x0d
const space = 0x20
const backslash = 0x5c
const slashByte = 0x2f
const star = 0x2a

/** Made once per language; what it gives changes bytes in place. */
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
    lonelyUntil.fill(0)
    for (let at = nextMark(bytes, marks, 0); at < bytes.length; at = nextMark(bytes, marks, at)) {
      const handler = handlers[bytes[at] as number] as Handler
      at = Math.max(at + 1, handler(bytes, at))
    }
  }
}

const returns = marksOf('\r')

function unifyLineEnds(bytes: Buffer): void {
  const first = bytes.indexOf(cr)
  if (first === -1) return
  for (let at = first; at < bytes.length; at = nextMark(bytes, returns, at + 1)) {
    bytes[at] = bytes[at + 1] === lf ? space : lf
  }
}

/** Blanks from `from` up to `to`, line feeds excepted. */
export function erase(bytes: Buffer, from: number, to: number): void {
  for (let at = from; at < to; at++) if (bytes[at] !== lf) bytes[at] = space
}

/** Whether this text (one character per byte) stands at a place. */
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

/** A comment to the end of the line. */
export function lineComment(bytes: Buffer, at: number): number {
  let end = at
  for (; end < bytes.length && bytes[end] !== lf; end++) bytes[end] = space
  return end
}

/** `/* ... *\/` that does not nest, blanked while its end is looked for: most comments are such. */
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

/** A comment between two marks, which may nest. */
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

/** Line and block comments that begin with a slash; `other` handles any other slash. */
export function slash(nests: boolean, other?: Handler): Handler {
  const marks = { open: '/*', close: '*/', nests }
  return (bytes, at) => {
    const next = bytes[at + 1]
    if (next === slashByte) return lineComment(bytes, at)
    if (next === star) return nests ? blockComment(bytes, at, marks) : starComment(bytes, at)
    return other === undefined ? at + 1 : other(bytes, at)
  }
}

/**
 * A string that ends on its line, with backslash escapes. A quote without a partner there is none
 * (an apostrophe in text between tags, a lifetime) and stays.
 */
export function lineString(bytes: Buffer, at: number): number {
  const quote = bytes[at] as number
  if (at < (lonelyUntil[quote] as number)) return at + 1
  let end = at + 1
  for (; end < bytes.length && bytes[end] !== quote && bytes[end] !== lf; end++) {
    // Also over the end of a line, which goes on then.
    if (bytes[end] === backslash) end++
  }
  if (bytes[end] !== quote) {
    lonelyUntil[quote] = end
    return at + 1
  }
  erase(bytes, at + 1, end)
  return end + 1
}

/**
 * How far it is known, by the quote, that there is no partner in the file at hand. Behind backslashes
 * there may be many such quotes, and the way to the end of the line must not be gone for each.
 */
const lonelyUntil = new Int32Array(256)

/** A string up to a closing mark, over any number of lines. */
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

/** A single character between apostrophes; anything else after one is left alone. */
export function charLiteral(bytes: Buffer, at: number): number {
  if (bytes[at + 1] === backslash) return lineString(bytes, at)
  const lead = bytes[at + 1] as number
  const width = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
  if (bytes[at + 1 + width] !== 0x27 || lead === lf) return at + 1
  erase(bytes, at + 1, at + 1 + width)
  return at + 2 + width
}

/** `"""` over many lines, or a plain string. */
export function tripleOrLine(escapes: boolean): Handler {
  return (bytes, at) => {
    const quote = String.fromCharCode(bytes[at] as number).repeat(3)
    if (!startsWith(bytes, at, quote)) return lineString(bytes, at)
    return longString(bytes, at, { open: quote, close: quote, escapes })
  }
}
