// Definitions that begin with a known word. Places where a statement can begin are found byte by byte, and
// only where the first word is one that counts are patterns tried: most of a file is passed over at the
// speed of a loop.
import type { SymbolSink } from './sink.ts'

export interface Row {
  /** Sticky; group 1 is the keyword unless `kind` is given, the last group the name. */
  pattern: RegExp
  kind?: string
  /** What it is called when the text does not say. */
  name?: string
  /** Beyond an outline. */
  all?: true
  /** Adds what the match defines in its own way; the offset behind it. */
  others?: (sink: SymbolSink, text: string, match: RegExpExecArray) => number
}

export interface Starts {
  /** Those of an outline, and those of all detail. */
  rows: { outline: readonly Row[]; all: readonly Row[] }
  /** First words of definitions, modifiers included. */
  words: ReadonlySet<number>
  /** A definition may also follow a brace or semicolon on its line. */
  inline: boolean
  /** What a statement of interest begins with: 1 for letters, 2 for marks such as `@`. */
  first: Uint8Array
}

/** A row; the source is matched where a statement begins. */
export function row(source: string, extra: Omit<Row, 'pattern'> = {}): Row {
  return { pattern: new RegExp(source, 'my'), ...extra }
}

export function starts(
  words: string,
  rows: readonly Row[],
  { inline = true, marks = '' }: { inline?: boolean; marks?: string } = {},
): Starts {
  return {
    rows: { outline: rows.filter((one) => one.all !== true), all: rows },
    words: new Set(words.split(' ').map(wordHash)),
    inline,
    first: firstBytes(words, marks),
  }
}

function firstBytes(words: string, marks: string): Uint8Array {
  const first = new Uint8Array(256)
  for (const word of words.split(' ')) first[word.charCodeAt(0)] = 1
  for (const mark of marks) first[mark.charCodeAt(0)] = 2
  return first
}

function wordHash(word: string): number {
  let hash = 0
  for (let at = 0; at < word.length; at++) hash = (hash * 31 + word.charCodeAt(at)) | 0
  return hash
}

const LF = 0x0a

/** Adds what the rows find where statements begin. `bytes` and `text` are the same, blanked. */
export function addStarts(sink: SymbolSink, bytes: Buffer, text: string, given: Starts): void {
  const { first } = given
  const rows = given.rows[sink.detail]
  for (let at = 0; at < bytes.length;) {
    at = skipSpace(bytes, at)
    if (at >= bytes.length) return
    const kind = first[bytes[at] as number] as number
    if (kind === 2 || (kind === 1 && given.words.has(hashAt(bytes, at)))) {
      at = tryRows(sink, text, rows, at)
    }
    at = given.inline ? nextStart(bytes, at) : nextLine(bytes, at)
  }
}

function skipSpace(bytes: Buffer, from: number): number {
  let at = from
  for (; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte !== 0x20 && (byte < 9 || byte > 13)) break
  }
  return at
}

function hashAt(bytes: Buffer, from: number): number {
  let hash = 0
  const to = Math.min(from + 24, bytes.length)
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number
    const isWord = (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a) || byte === 0x5f
    if (!isWord && !(byte >= 0x30 && byte <= 0x39)) break
    hash = (hash * 31 + byte) | 0
  }
  return hash
}

/** Line feed, semicolon and braces. */
const ends = new Uint8Array(256)
for (const char of '\n;{}') ends[char.charCodeAt(0)] = 1

/** Behind a line feed, brace or semicolon. */
function nextStart(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && ends[bytes[at] as number] === 0) at++
  return at + 1
}

function nextLine(bytes: Buffer, from: number): number {
  const feed = bytes.indexOf(LF, from)
  return feed === -1 ? bytes.length : feed + 1
}

/** Adds what the first row that matches defines; gives the offset behind it. */
function tryRows(sink: SymbolSink, text: string, rows: readonly Row[], at: number): number {
  for (const { pattern, kind, name: given, others } of rows) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match === null) continue
    if (others !== undefined) return others(sink, text, match)
    const found = match[match.length - 1] as string
    const keyword = match[1] as string
    // A definition that has no name but its keyword, such as `init`.
    const name = found === '' ? keyword : found
    const place = at + match[0].lastIndexOf(name)
    sink.add(kind ?? keyword, given ?? name.replaceAll('`', ''), place)
    return at + match[0].length
  }
  return at
}
