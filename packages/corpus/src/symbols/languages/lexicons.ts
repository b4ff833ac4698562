// Comments and strings of each language, by their first byte.
import {
  blockComment,
  charLiteral,
  erase,
  lineComment,
  lineEnd,
  lineString,
  longString,
  slashComments,
  startsWith,
  tripleOrLine,
} from '../blank.ts'
import type { Handler, Lexicon } from '../blank.ts'
import { regexLiteral, templateLiteral } from './script/script.ts'

const isWordByte = (byte: number | undefined): boolean =>
  byte !== undefined &&
  (byte === 0x5f || byte >= 0x80 || /[A-Za-z0-9]/.test(String.fromCharCode(byte)))

const backtickString: Handler = (bytes, at) =>
  longString(bytes, at, { open: '`', close: '`', escapes: false })

export const javaLexicon: Lexicon = {
  '/': slashComments(false),
  '"': tripleOrLine(true),
  "'": lineString,
}

export const goLexicon: Lexicon = {
  '/': slashComments(false),
  '"': lineString,
  "'": lineString,
  '`': backtickString,
}

export const scriptLexicon: Lexicon = {
  '/': slashComments(false, regexLiteral),
  '"': lineString,
  "'": lineString,
  '`': templateLiteral,
}

/** C and C++: raw strings, and apostrophes between the digits of a number. */
export const cLexicon: Lexicon = {
  '/': slashComments(false),
  '"': (bytes, at) => (bytes[at - 1] === 0x52 ? rawCString(bytes, at) : lineString(bytes, at)),
  "'": (bytes, at) =>
    isWordByte(bytes[at - 1]) && isWordByte(bytes[at + 1]) ? at + 1 : lineString(bytes, at),
}

/** Blanks `R"x(...)x"`. */
function rawCString(bytes: Buffer, at: number): number {
  const open = bytes.indexOf('(', at)
  if (open === -1 || open - at > 17) return lineString(bytes, at)
  const tag = bytes.toString('latin1', at + 1, open)
  if (!/^[^ ()\\\t\n]*$/.test(tag)) return lineString(bytes, at)
  return longString(bytes, at, { open: `"${tag}(`, close: `)${tag}"`, escapes: false })
}

export const csharpLexicon: Lexicon = {
  '/': slashComments(false),
  '"': (bytes, at) => {
    if (startsWith(bytes, at, '"""')) return tripleOrLine(false)(bytes, at)
    const before = [bytes[at - 1], bytes[at - 2]]
    const verbatim = before[0] === 0x40 || (before[0] === 0x24 && before[1] === 0x40)
    return verbatim ? verbatimString(bytes, at) : lineString(bytes, at)
  },
  "'": lineString,
}

/** Blanks `@"..."`, in which a quote is doubled. */
function verbatimString(bytes: Buffer, at: number): number {
  let end = bytes.indexOf('"', at + 1)
  while (end !== -1 && bytes[end + 1] === 0x22) end = bytes.indexOf('"', end + 2)
  const to = end === -1 ? bytes.length : end
  erase(bytes, at + 1, to)
  return to + 1
}

export const rustLexicon: Lexicon = {
  '/': slashComments(true),
  '"': (bytes, at) => {
    const raw = rawRustMarks(bytes, at)
    return longString(bytes, at, raw ?? { open: '"', close: '"', escapes: true })
  },
  "'": charLiteral,
}

/** Delimiters of `r#"..."#`: equal numbers of `#` before and after. */
function rawRustMarks(
  bytes: Buffer,
  at: number,
): { open: string; close: string; escapes: boolean } | undefined {
  let marks = 0
  while (bytes[at - 1 - marks] === 0x23) marks++
  if (bytes[at - 1 - marks] !== 0x72) return undefined
  return { open: '"', close: `"${'#'.repeat(marks)}`, escapes: false }
}

export const swiftLexicon: Lexicon = {
  '/': slashComments(true),
  '"': (bytes, at) => {
    if (bytes[at - 1] === 0x23)
      return longString(bytes, at, { open: '"', close: '"#', escapes: false })
    return tripleOrLine(true)(bytes, at)
  },
}

export const kotlinLexicon: Lexicon = {
  '/': slashComments(true),
  '"': tripleOrLine(false),
  "'": charLiteral,
}

export const pythonLexicon: Lexicon = {
  '#': lineComment,
  '"': tripleOrLine(true),
  "'": tripleOrLine(true),
}

export const rubyLexicon: Lexicon = {
  '#': (bytes, at) => (bytes[at + 1] === 0x7b ? at + 1 : lineComment(bytes, at)),
  '"': lineString,
  "'": lineString,
  '`': lineString,
  '=': (bytes, at) => {
    if ((at > 0 && bytes[at - 1] !== 0x0a) || !startsWith(bytes, at, '=begin')) return at + 1
    return blockComment(bytes, at, { open: '=begin', close: '\n=end', nests: false })
  },
  '<': hereDocument(/^<<[~-]?(["'`]?)([A-Z_][A-Za-z0-9_]*)\1/),
  _: (bytes, at) => {
    const ends = (at === 0 || bytes[at - 1] === 0x0a) && startsWith(bytes, at, '__END__\n')
    if (ends) erase(bytes, at, bytes.length)
    return ends ? bytes.length : at + 1
  },
}

export const shellLexicon: Lexicon = {
  '#': (bytes, at) =>
    at === 0 || /[\s;&|()]/.test(String.fromCharCode(bytes[at - 1] as number))
      ? lineComment(bytes, at)
      : at + 1,
  '"': (bytes, at) => longString(bytes, at, { open: '"', close: '"', escapes: true }),
  "'": (bytes, at) => longString(bytes, at, { open: "'", close: "'", escapes: false }),
  '\\': (_bytes, at) => at + 2,
  '<': hereDocument(/^<<-?[ \t]*(["']?)([A-Za-z_][A-Za-z0-9_]*)\1/),
}

const phpDocument = hereDocument(/^<<<[ \t]*(["']?)([A-Za-z_][A-Za-z0-9_]*)\1/)

export const phpLexicon: Lexicon = {
  '/': slashComments(false),
  '#': (bytes, at) => (bytes[at + 1] === 0x5b ? at + 1 : lineComment(bytes, at)),
  '"': (bytes, at) => longString(bytes, at, { open: '"', close: '"', escapes: true }),
  "'": (bytes, at) => longString(bytes, at, { open: "'", close: "'", escapes: true }),
  '<': (bytes, at) => {
    if (bytes[at + 1] !== 0x3f) return phpDocument(bytes, at)
    // The tag that starts a code section.
    const end = at + (startsWith(bytes, at, '<?php') ? 5 : 2)
    erase(bytes, at, end)
    return end
  },
  '?': (bytes, at) => {
    if (bytes[at + 1] !== 0x3e) return at + 1
    // Text between code sections.
    const next = bytes.indexOf('<?', at + 2)
    const to = next === -1 ? bytes.length : next
    erase(bytes, at, to)
    return to
  },
}

/** Blanks a here-document: it starts on the next line and ends with a line that is its word. */
function hereDocument(opening: RegExp): Handler {
  return (bytes, at) => {
    if (bytes[at + 1] !== 0x3c || bytes[at - 1] === 0x3c) return at + 1
    const found = opening.exec(bytes.toString('latin1', at, at + 80))
    if (found === null) return at + 1
    const word = found[2] as string
    const from = lineEnd(bytes, at) + 1
    if (unterminated.bytes !== bytes) unterminated = { bytes, count: 0 }
    const end = unterminated.count < maxUnterminated ? hereDocumentEnd(bytes, word, from) : -1
    if (end === -1) unterminated.count++
    // The rest of the opening line is code.
    if (end !== -1) erase(bytes, from, end)
    return at + found[0].length
  }
}

/**
 * Unterminated here-documents in the current file; after `maxUnterminated`, none is searched for.
 */
let unterminated: { bytes: Buffer | undefined; count: number } = { bytes: undefined, count: 0 }
const maxUnterminated = 20

/** Candidates tried for the end of a here-document; the word may occur everywhere. */
const maxCandidates = 1000

/** Offset after the word that ends a here-document, at the start of a line. */
function hereDocumentEnd(bytes: Buffer, word: string, from: number): number {
  let at = bytes.indexOf(word, from)
  for (let tries = 0; at !== -1 && tries < maxCandidates; tries++) {
    let start = at
    while (start > from && (bytes[start - 1] === 0x20 || bytes[start - 1] === 0x09)) start--
    const startsLine = start === from || bytes[start - 1] === 0x0a
    if (startsLine && !isWordByte(bytes[at + word.length])) return at + word.length
    at = bytes.indexOf(word, at + 1)
  }
  return -1
}
