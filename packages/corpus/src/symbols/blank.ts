// Blanks comments and the insides of strings, so that what looks like a definition there is none. Lengths
// and line ends stay: a place in the result is the same place in the file. CR becomes LF or a space.

/** Handles what may begin at `at`; gives the offset to go on from. */
export type Handler = (bytes: Buffer, at: number) => number

/** Handlers by the byte that a comment or string begins with. */
export type Lexicon = Readonly<Record<string, Handler>>

const LF = 0x0a
const CR = 0x0d
const SPACE = 0x20
const BACKSLASH = 0x5c

/** Made once per language; what it gives changes bytes in place. */
export function createBlanker(lexicon: Lexicon): (bytes: Buffer) => void {
  const handlers: (Handler | undefined)[] = Array.from({ length: 256 })
  const marks = new Uint8Array(256)
  for (const [char, handler] of Object.entries(lexicon)) {
    handlers[char.charCodeAt(0)] = handler
    marks[char.charCodeAt(0)] = 1
  }
  return (bytes) => {
    unifyLineEnds(bytes)
    for (let at = nextMark(bytes, marks, 0); at < bytes.length; at = nextMark(bytes, marks, at)) {
      const handler = handlers[bytes[at] as number] as Handler
      at = Math.max(at + 1, handler(bytes, at))
    }
  }
}

function nextMark(bytes: Buffer, marks: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && marks[bytes[at] as number] === 0) at++
  return at
}

function unifyLineEnds(bytes: Buffer): void {
  for (let at = bytes.indexOf(CR); at !== -1; at = bytes.indexOf(CR, at + 1)) {
    bytes[at] = bytes[at + 1] === LF ? SPACE : LF
  }
}

/** A call for fewer bytes costs more than going through them. */
const FEW_BYTES = 64

/** Blanks bytes among which no line feed is. */
function fillSpaces(bytes: Buffer, from: number, to: number): void {
  if (to - from > FEW_BYTES) bytes.fill(SPACE, from, to)
  else for (let at = from; at < to; at++) bytes[at] = SPACE
}

/** Blanks from `from` up to `to`, line feeds excepted. */
export function erase(bytes: Buffer, from: number, to: number): void {
  if (to - from <= FEW_BYTES) {
    for (let at = from; at < to; at++) if (bytes[at] !== LF) bytes[at] = SPACE
    return
  }
  for (let at = from; at < to;) {
    const feed = bytes.indexOf(LF, at)
    const end = feed === -1 || feed > to ? to : feed
    fillSpaces(bytes, at, end)
    at = end + 1
  }
}

/** Whether this text (ASCII) stands at a place. */
export function startsWith(bytes: Buffer, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (bytes[at + index] !== text.charCodeAt(index)) return false
  }
  return true
}

export function lineEnd(bytes: Buffer, at: number): number {
  const feed = bytes.indexOf(LF, at)
  return feed === -1 ? bytes.length : feed
}

/** A comment to the end of the line. */
export function lineComment(bytes: Buffer, at: number): number {
  const end = lineEnd(bytes, at)
  fillSpaces(bytes, at, end)
  return end
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
    if (next === 0x2f) return lineComment(bytes, at)
    if (next === 0x2a) return blockComment(bytes, at, marks)
    return other === undefined ? at + 1 : other(bytes, at)
  }
}

/**
 * A string that ends on its line, with backslash escapes. A quote without a partner there is none
 * (an apostrophe in text between tags, a lifetime) and stays.
 */
export function lineString(bytes: Buffer, at: number): number {
  const quote = bytes[at]
  for (let end = at + 1; end < bytes.length; end++) {
    const byte = bytes[end]
    if (byte === LF) return at + 1
    if (byte === BACKSLASH) {
      // A line that goes on after a backslash.
      if (bytes[end + 1] === LF) return continuedString(bytes, at, end + 1)
      end++
    } else if (byte === quote) {
      fillSpaces(bytes, at + 1, end)
      return end + 1
    }
  }
  return at + 1
}

function continuedString(bytes: Buffer, at: number, from: number): number {
  const quote = bytes[at]
  for (let end = from + 1; end < bytes.length; end++) {
    const byte = bytes[end]
    if (byte === BACKSLASH) end++
    else if (byte === LF) return at + 1
    else if (byte === quote) {
      erase(bytes, at + 1, end)
      return end + 1
    }
  }
  return at + 1
}

/** A string up to a closing mark, over any number of lines. */
export function longString(
  bytes: Buffer,
  at: number,
  marks: { open: string; close: string; escapes: boolean },
): number {
  const from = at + marks.open.length
  let end = bytes.indexOf(marks.close, from)
  while (marks.escapes && end !== -1 && isEscaped(bytes, from, end)) {
    end = bytes.indexOf(marks.close, end + 1)
  }
  const to = end === -1 ? bytes.length : end
  erase(bytes, from, to)
  return end === -1 ? to : end + marks.close.length
}

function isEscaped(bytes: Buffer, from: number, at: number): boolean {
  let before = at
  while (before > from && bytes[before - 1] === BACKSLASH) before--
  return (at - before) % 2 === 1
}

/** A single character between apostrophes; anything else after one is left alone. */
export function charLiteral(bytes: Buffer, at: number): number {
  if (bytes[at + 1] === BACKSLASH) return lineString(bytes, at)
  const lead = bytes[at + 1] as number
  const width = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
  if (bytes[at + 1 + width] !== 0x27 || lead === LF) return at + 1
  bytes.fill(SPACE, at + 1, at + 1 + width)
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
