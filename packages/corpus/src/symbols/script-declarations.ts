// Names that JavaScript declares beside the first of a statement: `var a = 1, b` and `const { a, b: [c] } = d`.
import { closing, commaPieces } from './brackets.ts'
import type { SymbolSink } from './sink.ts'

const nameHere = /[A-Za-z_$\x80-\xff][\w$\x80-\xff]*/y
const LONGEST_PATTERN = 2000
/** Lists longer than this are tables of a machine's making. */
const MOST_NAMES = 500
const MOST_DEPTH = 5

/** Adds what is declared behind a keyword just matched; the offset behind the last name. */
export function addDeclarations(sink: SymbolSink, text: string, match: RegExpExecArray): number {
  return addList(sink, text, match.index + match[0].length, match[1] as string)
}

/** Declarations between commas; the offset behind the last. */
function addList(sink: SymbolSink, text: string, from: number, kind: string): number {
  let at = from
  for (let count = 0; count < MOST_NAMES; count++) {
    const end = addTarget(sink, text, at, kind)
    if (end === at) return at
    const comma = nextComma(text, end)
    if (comma === -1) return end
    at = skipSpace(text, comma + 1)
  }
  return at
}

/** A name or a pattern; the offset behind it, or where it was looked for. */
function addTarget(sink: SymbolSink, text: string, at: number, kind: string): number {
  const first = text.charCodeAt(at)
  if (first === 0x7b || first === 0x5b) {
    const end = closing(text, at, LONGEST_PATTERN)
    if (end - at >= LONGEST_PATTERN) return at
    addPattern(sink, { text: text.slice(at + 1, end - 1), at: at + 1 }, kind, 0)
    return end
  }
  nameHere.lastIndex = at
  const name = nameHere.exec(text)
  if (name === null) return at
  sink.add(kind, name[0], at)
  return at + name[0].length
}

const boundName = /^(\s*(?:\.\.\.)?\s*)([A-Za-z_$\x80-\xff][\w$\x80-\xff]*)\s*(?:=|$)/

function addPattern(
  sink: SymbolSink,
  pattern: { text: string; at: number },
  kind: string,
  depth: number,
): void {
  if (depth > MOST_DEPTH) return
  for (const piece of commaPieces(pattern.text)) {
    // What is bound stands behind the colon, if there is one.
    const renamed = /^\s*[\w$\x80-\xff"'[\].]+\s*:\s*/.exec(piece.text)?.[0] ?? ''
    const own = piece.text.slice(renamed.length)
    const at = pattern.at + piece.at + renamed.length
    const name = boundName.exec(own)
    if (name !== null) sink.add(kind, name[2] as string, at + (name[1] as string).length)
    else if (/^\s*[[{]/.test(own)) {
      const open = own.search(/[[{]/)
      const inside = own.slice(open + 1, closing(own, open) - 1)
      addPattern(sink, { text: inside, at: at + open + 1 }, kind, depth + 1)
    }
  }
}

/** What follows a longer value is not looked for. */
const LONGEST_VALUE = 4000

/** The comma behind a declaration and its value; -1 when the statement ends before. */
function nextComma(text: string, from: number): number {
  for (let at = from; at < text.length && at < from + LONGEST_VALUE; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x28 || code === 0x5b || code === 0x7b) at = closing(text, at, LONGEST_VALUE) - 1
    else if (code === 0x2c) return at
    else if (code === 0x3b || code === 0x7d || code === 0x29) return -1
    else if (code === 0x0a && !goesOn(text, at)) return -1
  }
  return -1
}

/** A comma at the beginning of the next line goes on with the list. */
function goesOn(text: string, feed: number): boolean {
  return text.charCodeAt(skipSpace(text, feed)) === 0x2c
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (text.charCodeAt(at) <= 0x20) at++
  return at
}
