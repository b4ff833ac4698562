// Finds definitions that start with a known word. A loop over the bytes finds the starts of
// statements. Patterns run only where the first word is in the table, so most of a file is skipped
// at loop speed.
import { markTable, nextMark, wordChars } from './marks.ts'
import type { SymbolSink } from './sink.ts'

interface Row {
  /** Sticky. Group 1 is the keyword unless `kind` is set; the last group is the name. */
  pattern: RegExp
  kind: string | undefined
  /** The name when the text has none. */
  name: string | undefined
  /** Not part of an outline. */
  detailOnly: boolean
  /** Matches only at the start of a line, after white space. */
  lineStartOnly: boolean
  /** Adds the definitions after the end of the match; returns the offset after them. */
  addRest: ((sink: SymbolSink, text: string, bytes: Buffer, end: number) => number) | undefined
}

export interface Starts {
  words: string
  /** Words that may precede the first words. */
  modifiers: string
  rows: readonly Row[]
  /** A definition may also follow a brace or semicolon on its line. */
  inline: boolean
  /** Characters other than letters that may start a definition, such as `@`. */
  marks: string
}

/** A row of the table; `source` is matched at the start of a statement. */
export function row(source: string, extra: Partial<Omit<Row, 'pattern'>> = {}): Row {
  const { kind, name, detailOnly = false, lineStartOnly = false, addRest } = extra
  return {
    pattern: new RegExp(source, 'my'),
    kind,
    name,
    detailOnly,
    lineStartOnly,
    addRest,
  }
}

/**
 * A table. `words` are the first words of definitions after any modifiers; each occurs in some
 * row's source.
 */
export function starts(
  words: string,
  rows: readonly Row[],
  { modifiers = '', inline = true, marks = '' }: Partial<Omit<Starts, 'words' | 'rows'>> = {},
): Starts {
  return { words, modifiers, rows, inline, marks }
}

/** A compiled table. */
interface Plan {
  /** Rows by first word: those whose source contains the word. */
  byWord: ReadonlyMap<number, readonly Row[]>
  /** All rows, for statements that start with a mark or have arguments after a modifier. */
  rows: readonly Row[]
  /** First bytes of relevant statements: 1 for letters, 2 for marks. */
  firstBytes: Uint8Array
  inline: boolean
}

/** In `byWord`: the next word decides. */
const modifierRows: readonly Row[] = []

/**
 * Adds the definitions at the starts of statements. `bytes` and `text` are the same file, blanked.
 */
type StartsAdder = (sink: SymbolSink, bytes: Buffer, text: string) => void

/** Combines several tables into one pass over the file. */
export function createStartsAdder(...tables: readonly Starts[]): StartsAdder {
  const outline = planOf(tables, (row) => !row.detailOnly)
  const all = planOf(tables, () => true)
  return (sink, bytes, text) => addStarts(sink, bytes, text, sink.wantsAll ? all : outline)
}

function planOf(tables: readonly Starts[], isWanted: (row: Row) => boolean): Plan {
  const rows = tables.flatMap((one) => one.rows).filter(isWanted)
  const byWord = new Map<number, readonly Row[]>()
  const firstBytes = new Uint8Array(256)
  const mark = (text: string, value: number): void => {
    firstBytes[text.charCodeAt(0)] = value
  }
  for (const word of tables.flatMap((one) => wordsOf(one.modifiers))) {
    byWord.set(wordHash(word), modifierRows)
    mark(word, 1)
  }
  for (const word of tables.flatMap((one) => wordsOf(one.words))) {
    byWord.set(
      wordHash(word),
      rows.filter((one) => one.pattern.source.includes(word)),
    )
    mark(word, 1)
  }
  for (const char of tables.flatMap((one) => [...one.marks])) mark(char, 2)
  return { byWord, rows, firstBytes, inline: tables.some((one) => one.inline) }
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
  const { firstBytes, inline } = plan
  for (let at = skipSpace(bytes, 0); at < bytes.length; at = skipSpace(bytes, at)) {
    const kind = firstBytes[bytes[at] as number] as number
    if (kind !== 0) {
      const rows = kind === 2 ? plan.rows : rowsFor(bytes, at, plan)
      if (rows !== undefined) at = tryRows(sink, bytes, text, rows, at)
    }
    at = inline ? nextMark(bytes, statementEnds, at) + 1 : nextLine(text, at)
  }
}

/** Rows that may match here, chosen by the first word that is not a modifier. */
function rowsFor(bytes: Buffer, from: number, plan: Plan): readonly Row[] | undefined {
  let at = from
  for (let count = 0; count < maxModifiers; count++) {
    const rows = plan.byWord.get(hashAt(bytes, at))
    if (rows !== modifierRows) return rows
    const end = wordEnd(bytes, at)
    at = skipSpace(bytes, end)
    // `pub (crate)`, `private[this]`, `extern "C"`
    if (argumentMarks[bytes[at] as number] === 1) return plan.rows
    if (at === end) return undefined
  }
  return undefined
}

/** No definition has more; without a limit, a file of modifiers would take quadratic time. */
const maxModifiers = 20
const argumentMarks = markTable('(["')

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

const wordBytes = markTable(wordChars)

const statementEnds = markTable('\n;{}')

function nextLine(text: string, from: number): number {
  const feed = text.indexOf('\n', from)
  return feed === -1 ? text.length : feed + 1
}

/** Adds the definition of the first matching row; returns the offset after it. */
function tryRows(
  sink: SymbolSink,
  bytes: Buffer,
  text: string,
  rows: readonly Row[],
  at: number,
): number {
  for (const { pattern, kind, name: fixedName, lineStartOnly, addRest } of rows) {
    if (lineStartOnly && !isAtLineStart(bytes, at)) continue
    pattern.lastIndex = at
    if (addRest !== undefined) {
      if (pattern.test(text)) return addRest(sink, text, bytes, pattern.lastIndex)
      continue
    }
    const match = pattern.exec(text)
    if (match === null) continue
    const found = match[match.length - 1] as string
    const keyword = match[1] as string
    // A definition whose only name is its keyword, such as `init`.
    const name = found === '' ? keyword : found
    const offset = at + match[0].lastIndexOf(name)
    sink.add(kind ?? keyword, fixedName ?? name.replaceAll('`', ''), offset)
    return at + match[0].length
  }
  return at
}

function isAtLineStart(bytes: Buffer, at: number): boolean {
  let last = at - 1
  while (last >= 0 && isBlank(bytes[last] as number)) last--
  return last < 0 || bytes[last] === 0x0a
}

/** White space other than a line end. */
function isBlank(byte: number): boolean {
  return byte === 0x20 || (byte >= 9 && byte <= 13 && byte !== 0x0a)
}
