// Definitions that begin with a known word. Places where a statement can begin are found byte by byte, and
// only where the first word is one that counts are patterns tried: most of a file is passed over at the
// speed of a loop.
import { marksOf, nextMark, wordChars } from './marks.ts'
import type { SymbolSink } from './sink.ts'

interface Row {
  /** Sticky; group 1 is the keyword unless `kind` is given, the last group the name. */
  pattern: RegExp
  kind: string | undefined
  /** What it is called when the text does not say. */
  name: string | undefined
  /** Beyond an outline. */
  all: boolean
  /** Only where nothing but white space stands before it on its line. */
  onLine: boolean
  /** Adds what is defined behind the end of the match in its own way; the offset behind that. */
  others: ((sink: SymbolSink, text: string, bytes: Buffer, end: number) => number) | undefined
}

export interface Starts {
  words: string
  /** Words that may stand before those, and decide nothing. */
  modifiers: string
  rows: readonly Row[]
  /** A definition may also follow a brace or semicolon on its line. */
  inline: boolean
  /** What else than a word a definition may begin with, such as `@`. */
  marks: string
}

/** A row; the source is matched where a statement begins. */
export function row(source: string, extra: Partial<Omit<Row, 'pattern'>> = {}): Row {
  const { kind, name, all = false, onLine = false, others } = extra
  return { pattern: new RegExp(source, 'my'), kind, name, all, onLine, others }
}

/** `words` are the first words of definitions, modifiers apart; each stands in a row's source. */
export function starts(
  words: string,
  rows: readonly Row[],
  { modifiers = '', inline = true, marks = '' }: Partial<Omit<Starts, 'words' | 'rows'>> = {},
): Starts {
  return { words, modifiers, rows, inline, marks }
}

/** Starts made ready: which rows are tried where. */
interface Plan {
  /** Rows by the first word of a definition: those whose source has the word in it. */
  byWord: ReadonlyMap<number, readonly Row[]>
  /** All rows, for what begins with a mark or has arguments behind a modifier. */
  rows: readonly Row[]
  /** What a statement of interest begins with: 1 for letters, 2 for marks. */
  first: Uint8Array
  inline: boolean
}

/** Stands for "the next word decides". */
const modifier: readonly Row[] = []

/** Adds what is found where statements begin. `bytes` and `text` are the same, blanked. */
type StartsAdder = (sink: SymbolSink, bytes: Buffer, text: string) => void

/** One way through the file for all of these. */
export function createStartsAdder(...given: readonly Starts[]): StartsAdder {
  const outline = planOf(given, (row) => !row.all)
  const all = planOf(given, () => true)
  return (sink, bytes, text) => addStarts(sink, bytes, text, sink.wantsAll ? all : outline)
}

function planOf(given: readonly Starts[], isWanted: (row: Row) => boolean): Plan {
  const rows = given.flatMap((one) => one.rows).filter(isWanted)
  const byWord = new Map<number, readonly Row[]>()
  const first = new Uint8Array(256)
  const mark = (text: string, value: number): void => {
    first[text.charCodeAt(0)] = value
  }
  for (const word of given.flatMap((one) => wordsOf(one.modifiers))) {
    byWord.set(wordHash(word), modifier)
    mark(word, 1)
  }
  for (const word of given.flatMap((one) => wordsOf(one.words))) {
    byWord.set(
      wordHash(word),
      rows.filter((one) => one.pattern.source.includes(word)),
    )
    mark(word, 1)
  }
  for (const char of given.flatMap((one) => [...one.marks])) mark(char, 2)
  return { byWord, rows, first, inline: given.some((one) => one.inline) }
}

function wordsOf(list: string): string[] {
  return list === '' ? [] : list.split(' ')
}

function wordHash(word: string): number {
  let hash = 0
  for (let at = 0; at < word.length; at++) hash = (hash * 31 + word.charCodeAt(at)) | 0
  return hash
}

function addStarts(sink: SymbolSink, bytes: Buffer, text: string, plan: Plan): void {
  const { first, inline } = plan
  for (let at = skipSpace(bytes, 0); at < bytes.length; at = skipSpace(bytes, at)) {
    const kind = first[bytes[at] as number] as number
    if (kind !== 0) {
      const rows = kind === 2 ? plan.rows : rowsFor(bytes, at, plan)
      if (rows !== undefined) at = tryRows(sink, bytes, text, rows, at)
    }
    at = inline ? nextMark(bytes, ends, at) + 1 : nextLine(text, at)
  }
}

/** Rows that may match here, by the first word that is no modifier. */
function rowsFor(bytes: Buffer, from: number, plan: Plan): readonly Row[] | undefined {
  let at = from
  for (let count = 0; count < mostModifiers; count++) {
    const rows = plan.byWord.get(hashAt(bytes, at))
    if (rows !== modifier) return rows
    const end = wordEnd(bytes, at)
    at = skipSpace(bytes, end)
    // `pub (crate)`, `private[this]`, `extern "C"`
    if (behindModifier[bytes[at] as number] === 1) return plan.rows
    if (at === end) return undefined
  }
  return undefined
}

/** No definition has more; a file of nothing else must not be gone through from each of them. */
const mostModifiers = 20
const behindModifier = marksOf('(["')

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
  for (let at = from; at < to && wordBytes[bytes[at] as number] === 1; at++) {
    hash = (hash * 31 + (bytes[at] as number)) | 0
  }
  return hash
}

function wordEnd(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && wordBytes[bytes[at] as number] === 1) at++
  return at
}

const wordBytes = marksOf(wordChars)

const ends = marksOf('\n;{}')

function nextLine(text: string, from: number): number {
  const feed = text.indexOf('\n', from)
  return feed === -1 ? text.length : feed + 1
}

/** Adds what the first row that matches defines; gives the offset behind it. */
function tryRows(
  sink: SymbolSink,
  bytes: Buffer,
  text: string,
  rows: readonly Row[],
  at: number,
): number {
  for (const { pattern, kind, name: given, onLine, others } of rows) {
    if (onLine && !beginsLine(bytes, at)) continue
    pattern.lastIndex = at
    if (others !== undefined) {
      if (pattern.test(text)) return others(sink, text, bytes, pattern.lastIndex)
      continue
    }
    const match = pattern.exec(text)
    if (match === null) continue
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

function beginsLine(bytes: Buffer, at: number): boolean {
  let before = at - 1
  while (before >= 0 && isBlank(bytes[before] as number)) before--
  return before < 0 || bytes[before] === 0x0a
}

/** White space that ends no line. */
function isBlank(byte: number): boolean {
  return byte === 0x20 || (byte >= 9 && byte <= 13 && byte !== 0x0a)
}
