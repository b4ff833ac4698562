// Finds the line of every key in TOML text: sections, dotted and quoted keys, inline tables, lists and
// arrays of tables. Expects text that the TOML parser accepted; on other text it stops early.
import { maxNesting, lineCounter, pathKey, type Positions } from './positions.ts'
import type { KeyPath } from './shape.ts'

interface Scan {
  text: string
  position: number
  lines: Map<string, number>
  lineAt: (offset: number) => number
}

/** Thrown and caught in this file: the scanner does not understand the text. */
const notFollowed = new Error('the scanner does not understand the text')

export function tomlPositions(text: string): Positions {
  const scan: Scan = { text, position: 0, lines: new Map(), lineAt: lineCounter(text) }
  try {
    scanDocument(scan)
  } catch (error) {
    if (error !== notFollowed) throw error
  }
  return scan.lines
}

function scanDocument(scan: Scan): void {
  const itemCounts = new Map<string, number>()
  let section: KeyPath = []
  if (scan.text.charCodeAt(0) === 0xfeff) scan.position++
  for (;;) {
    skipBlank(scan)
    if (scan.position >= scan.text.length) return
    if (scan.text[scan.position] === '[') section = scanHeader(scan, itemCounts)
    else scanPair(scan, section, 0)
  }
}

function scanHeader(scan: Scan, itemCounts: Map<string, number>): KeyPath {
  const line = scan.lineAt(scan.position)
  const isList = scan.text.startsWith('[[', scan.position)
  scan.position += isList ? 2 : 1
  const names = scanKey(scan)
  expect(scan, isList ? ']]' : ']')
  const path: (string | number)[] = []
  for (const [index, name] of names.entries()) {
    path.push(name)
    const isLast = index === names.length - 1
    if (isLast && !isList) scan.lines.set(pathKey(path), line)
    else recordLine(scan, path, line)
    const count = itemCounts.get(pathKey(path)) ?? 0
    if (isLast && isList) {
      itemCounts.set(pathKey(path), count + 1)
      path.push(count)
      recordLine(scan, path, line)
    } else if (count > 0) path.push(count - 1)
  }
  return path
}

function scanPair(scan: Scan, table: KeyPath, depth: number): void {
  const line = scan.lineAt(scan.position)
  const path = [...table]
  for (const name of scanKey(scan)) {
    path.push(name)
    recordLine(scan, path, line)
  }
  expect(scan, '=')
  skipSpaces(scan)
  scanValue(scan, path, depth)
}

/** The names of a dotted key; the scan then stands after the last name and its spaces. */
function scanKey(scan: Scan): string[] {
  const names: string[] = []
  for (;;) {
    skipSpaces(scan)
    names.push(scanName(scan))
    skipSpaces(scan)
    if (scan.text[scan.position] !== '.') return names
    if (names.length > maxNesting) throw notFollowed
    scan.position++
  }
}

function scanName(scan: Scan): string {
  const start = scan.position
  const quote = scan.text[start]
  if (quote === '"' || quote === "'") {
    skipQuoted(scan, quote)
    const inner = scan.text.slice(start + 1, scan.position - 1)
    return quote === '"' ? unescape(inner) : inner
  }
  while (/[A-Za-z0-9_-]/.test(scan.text.charAt(scan.position))) scan.position++
  if (scan.position === start) throw notFollowed
  return scan.text.slice(start, scan.position)
}

function scanValue(scan: Scan, path: KeyPath, depth: number): void {
  if (depth > maxNesting) throw notFollowed
  const { text, position } = scan
  const first = text[position]
  if (first === '[') return scanList(scan, path, depth)
  if (first === '{') return scanInlineTable(scan, path, depth)
  if (text.startsWith('"""', position) || text.startsWith("'''", position))
    return skipLongString(scan)
  if (first === '"' || first === "'") return skipQuoted(scan, first)
  while (scan.position < text.length && !/[,\]}#\n]/.test(text.charAt(scan.position)))
    scan.position++
  if (scan.position === position) throw notFollowed
}

function scanList(scan: Scan, path: KeyPath, depth: number): void {
  scan.position++
  for (let index = 0; ; index++) {
    skipBlank(scan)
    if (take(scan, ']')) return
    const item = [...path, index]
    recordLine(scan, item, scan.lineAt(scan.position))
    scanValue(scan, item, depth + 1)
    skipBlank(scan)
    if (!take(scan, ',')) return expect(scan, ']')
  }
}

function scanInlineTable(scan: Scan, path: KeyPath, depth: number): void {
  scan.position++
  for (;;) {
    skipBlank(scan)
    if (take(scan, '}')) return
    scanPair(scan, path, depth + 1)
    skipBlank(scan)
    if (!take(scan, ',')) return expect(scan, '}')
  }
}

function skipLongString(scan: Scan): void {
  const quote = scan.text.charAt(scan.position)
  scan.position += 3
  while (!scan.text.startsWith(quote.repeat(3), scan.position)) {
    if (scan.position >= scan.text.length) throw notFollowed
    scan.position += quote === '"' && scan.text[scan.position] === '\\' ? 2 : 1
  }
  scan.position += 3
  // Up to two more quotes may precede the closing three.
  for (let extra = 0; extra < 2 && scan.text[scan.position] === quote; extra++) scan.position++
}

function skipQuoted(scan: Scan, quote: string): void {
  scan.position++
  while (scan.text[scan.position] !== quote) {
    if (scan.position >= scan.text.length || scan.text[scan.position] === '\n') throw notFollowed
    scan.position += quote === '"' && scan.text[scan.position] === '\\' ? 2 : 1
  }
  scan.position++
}

const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  e: '\u001b',
  '"': '"',
  '\\': '\\',
}

function unescape(text: string): string {
  const pattern = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|(.))/g
  return text.replace(pattern, (_, x?: string, u?: string, long?: string, letter?: string) => {
    if (letter !== undefined) return escapes[letter] ?? letter
    const code = Number.parseInt(x ?? u ?? long ?? '', 16)
    if (code > 0x10ffff) throw notFollowed
    return String.fromCodePoint(code)
  })
}

function skipBlank(scan: Scan): void {
  for (;;) {
    while (/[ \t\r\n]/.test(scan.text.charAt(scan.position))) scan.position++
    if (scan.text[scan.position] !== '#') return
    const end = scan.text.indexOf('\n', scan.position)
    scan.position = end === -1 ? scan.text.length : end
  }
}

function skipSpaces(scan: Scan): void {
  while (scan.text[scan.position] === ' ' || scan.text[scan.position] === '\t') scan.position++
}

function take(scan: Scan, mark: string): boolean {
  if (!scan.text.startsWith(mark, scan.position)) return false
  scan.position += mark.length
  return true
}

function expect(scan: Scan, mark: string): void {
  if (!take(scan, mark)) throw notFollowed
}

/** Keeps the first line of a path: later headers only add to a table. */
function recordLine(scan: Scan, path: KeyPath, line: number): void {
  const key = pathKey(path)
  if (!scan.lines.has(key)) scan.lines.set(key, line)
}
