// Names in JavaScript declaration lists and patterns: `var a = 1, b` and `const { a, b: [c] } = d`.
import { afterClosing, afterClosingByte, splitAtCommas } from '../../brackets.ts'
import { markTable, nextMark, wordChars } from '../../marks.ts'
import type { SymbolSink } from '../../sink.ts'

const maxPatternBytes = 2000
/** Longer lists are generated tables. */
const maxNames = 500
const maxDepth = 5

/**
 * Adds the names declared after a keyword that ends before `from`; returns the offset after them.
 */
export function addDeclarations(
  sink: SymbolSink,
  text: string,
  bytes: Buffer,
  from: number,
): number {
  const kind = keywordBefore(bytes, from)
  let at = from
  for (let count = 0; count < maxNames; count++) {
    const end = targetEnd(bytes, at)
    if (end === at) return at
    if (isOpening(bytes[at]))
      addPattern(sink, { text: text.slice(at + 1, end - 1), at: at + 1 }, kind, 0)
    else sink.add(kind, text.slice(at, end), at)
    const comma = nextComma(bytes, end)
    if (comma === -1) return end
    at = skipSpace(bytes, comma + 1)
  }
  return at
}

function keywordBefore(bytes: Buffer, from: number): string {
  let last = from - 1
  while (nameBytes[bytes[last] as number] === 0) last--
  const byte = bytes[last]
  return byte === letterR ? 'var' : bytes[last - 1] === letterE ? 'let' : 'const'
}

const letterR = 0x72
const letterE = 0x65

/** Offset after a name or a pattern; `at` if there is neither. */
function targetEnd(bytes: Buffer, at: number): number {
  if (isOpening(bytes[at])) {
    const end = afterClosingByte(bytes, at, maxPatternBytes)
    return end - at >= maxPatternBytes ? at : end
  }
  let end = at
  while (end < bytes.length && nameBytes[bytes[end] as number] === 1) end++
  return isDigit(bytes[at]) ? at : end
}

const nameBytes = markTable(`${wordChars}$`, 1)

const isDigit = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= 0x30 && byte <= 0x39

/** A brace or a square bracket. */
const isOpening = (byte: number | undefined): boolean => byte === 0x7b || byte === 0x5b

const boundName = /^(\s*(?:\.\.\.)?\s*)([A-Za-z_$\x80-\xff][\w$\x80-\xff]*)\s*(?:=|$)/

function addPattern(
  sink: SymbolSink,
  pattern: { text: string; at: number },
  kind: string,
  depth: number,
): void {
  if (depth > maxDepth) return
  for (const piece of splitAtCommas(pattern.text, sink)) {
    // After a colon comes the bound name.
    const renamed = /^\s*[\w$\x80-\xff"'[\].]+\s*:\s*/.exec(piece.text)?.[0] ?? ''
    const target = piece.text.slice(renamed.length)
    const at = pattern.at + piece.at + renamed.length
    const name = boundName.exec(target)
    if (name !== null) sink.add(kind, name[2] as string, at + (name[1] as string).length)
    else if (/^\s*[[{]/.test(target)) {
      const open = target.search(/[[{]/)
      const inside = target.slice(open + 1, afterClosing(target, open) - 1)
      addPattern(sink, { text: inside, at: at + open + 1 }, kind, depth + 1)
    }
  }
}

/** Longer values end the search for further names. */
const maxValueBytes = 4000

const valueMarks = markTable('([{,;})\n')

/** Offset of the comma after a declaration and its value; -1 if the statement ends first. */
function nextComma(bytes: Buffer, from: number): number {
  const end = Math.min(bytes.length, from + maxValueBytes)
  for (let at = nextMark(bytes, valueMarks, from); at < end;) {
    const byte = bytes[at]
    if (byte === commaByte) return at
    // A comma at the start of the next line continues the list.
    if (byte === lf) return commaAt(bytes, skipSpace(bytes, at))
    if (byte !== 0x28 && !isOpening(byte)) return -1
    at = nextMark(bytes, valueMarks, afterClosingByte(bytes, at, maxValueBytes))
  }
  return -1
}

const commaByte = 0x2c
const lf = 0x0a

function commaAt(bytes: Buffer, at: number): number {
  return bytes[at] === commaByte ? at : -1
}

function skipSpace(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && (bytes[at] as number) <= 0x20) at++
  return at
}
