// Finds the line of every key in TOML text: sections, dotted and quoted keys, inline tables, lists
// and arrays of tables. Made for text that the real parser accepted; on anything else it stops early.
import { deepest, lineCounter, pathKey, type Positions } from './positions.ts'
import type { KeyPath } from './shape.ts'

interface Scan {
  text: string
  at: number
  lines: Map<string, number>
  lineAt: (offset: number) => number
}

/** Thrown and caught in this file: the text is not what a scanner can follow. */
const lost = new Error('lost')

export function tomlPositions(text: string): Positions {
  const scan: Scan = { text, at: 0, lines: new Map(), lineAt: lineCounter(text) }
  try {
    scanDocument(scan)
  } catch (error) {
    if (error !== lost) throw error
  }
  return scan.lines
}

function scanDocument(scan: Scan): void {
  const itemCounts = new Map<string, number>()
  let section: KeyPath = []
  if (scan.text.charCodeAt(0) === 0xfeff) scan.at++
  for (;;) {
    skipBlank(scan)
    if (scan.at >= scan.text.length) return
    if (scan.text[scan.at] === '[') section = scanHeader(scan, itemCounts)
    else scanPair(scan, section, 0)
  }
}

function scanHeader(scan: Scan, itemCounts: Map<string, number>): KeyPath {
  const line = scan.lineAt(scan.at)
  const isList = scan.text.startsWith('[[', scan.at)
  scan.at += isList ? 2 : 1
  const names = scanKey(scan)
  expect(scan, isList ? ']]' : ']')
  const path: (string | number)[] = []
  for (const [index, name] of names.entries()) {
    path.push(name)
    const isLast = index === names.length - 1
    if (isLast && !isList) scan.lines.set(pathKey(path), line)
    else note(scan, path, line)
    const count = itemCounts.get(pathKey(path)) ?? 0
    if (isLast && isList) {
      itemCounts.set(pathKey(path), count + 1)
      path.push(count)
      note(scan, path, line)
    } else if (count > 0) path.push(count - 1)
  }
  return path
}

function scanPair(scan: Scan, table: KeyPath, depth: number): void {
  const line = scan.lineAt(scan.at)
  const path = [...table]
  for (const name of scanKey(scan)) {
    path.push(name)
    note(scan, path, line)
  }
  expect(scan, '=')
  skipSpaces(scan)
  scanValue(scan, path, depth)
}

/** The names of a dotted key; leaves the scan behind the last one and its spaces. */
function scanKey(scan: Scan): string[] {
  const names: string[] = []
  for (;;) {
    skipSpaces(scan)
    names.push(scanName(scan))
    skipSpaces(scan)
    if (scan.text[scan.at] !== '.') return names
    if (names.length > deepest) throw lost
    scan.at++
  }
}

function scanName(scan: Scan): string {
  const start = scan.at
  const quote = scan.text[start]
  if (quote === '"' || quote === "'") {
    skipQuoted(scan, quote)
    const inner = scan.text.slice(start + 1, scan.at - 1)
    return quote === '"' ? unescape(inner) : inner
  }
  while (/[A-Za-z0-9_-]/.test(scan.text.charAt(scan.at))) scan.at++
  if (scan.at === start) throw lost
  return scan.text.slice(start, scan.at)
}

function scanValue(scan: Scan, path: KeyPath, depth: number): void {
  if (depth > deepest) throw lost
  const { text, at } = scan
  const first = text[at]
  if (first === '[') return scanList(scan, path, depth)
  if (first === '{') return scanInlineTable(scan, path, depth)
  if (text.startsWith('"""', at) || text.startsWith("'''", at)) return skipLongString(scan)
  if (first === '"' || first === "'") return skipQuoted(scan, first)
  while (scan.at < text.length && !/[,\]}#\n]/.test(text.charAt(scan.at))) scan.at++
  if (scan.at === at) throw lost
}

function scanList(scan: Scan, path: KeyPath, depth: number): void {
  scan.at++
  for (let index = 0; ; index++) {
    skipBlank(scan)
    if (take(scan, ']')) return
    const item = [...path, index]
    note(scan, item, scan.lineAt(scan.at))
    scanValue(scan, item, depth + 1)
    skipBlank(scan)
    if (!take(scan, ',')) return expect(scan, ']')
  }
}

function scanInlineTable(scan: Scan, path: KeyPath, depth: number): void {
  scan.at++
  for (;;) {
    skipBlank(scan)
    if (take(scan, '}')) return
    scanPair(scan, path, depth + 1)
    skipBlank(scan)
    if (!take(scan, ',')) return expect(scan, '}')
  }
}

function skipLongString(scan: Scan): void {
  const quote = scan.text.charAt(scan.at)
  scan.at += 3
  while (!scan.text.startsWith(quote.repeat(3), scan.at)) {
    if (scan.at >= scan.text.length) throw lost
    scan.at += quote === '"' && scan.text[scan.at] === '\\' ? 2 : 1
  }
  scan.at += 3
  // Up to two quotes may stand directly before the closing three.
  for (let extra = 0; extra < 2 && scan.text[scan.at] === quote; extra++) scan.at++
}

function skipQuoted(scan: Scan, quote: string): void {
  scan.at++
  while (scan.text[scan.at] !== quote) {
    if (scan.at >= scan.text.length || scan.text[scan.at] === '\n') throw lost
    scan.at += quote === '"' && scan.text[scan.at] === '\\' ? 2 : 1
  }
  scan.at++
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
    if (code > 0x10ffff) throw lost
    return String.fromCodePoint(code)
  })
}

function skipBlank(scan: Scan): void {
  for (;;) {
    while (/[ \t\r\n]/.test(scan.text.charAt(scan.at))) scan.at++
    if (scan.text[scan.at] !== '#') return
    const end = scan.text.indexOf('\n', scan.at)
    scan.at = end === -1 ? scan.text.length : end
  }
}

function skipSpaces(scan: Scan): void {
  while (scan.text[scan.at] === ' ' || scan.text[scan.at] === '\t') scan.at++
}

function take(scan: Scan, mark: string): boolean {
  if (!scan.text.startsWith(mark, scan.at)) return false
  scan.at += mark.length
  return true
}

function expect(scan: Scan, mark: string): void {
  if (!take(scan, mark)) throw lost
}

/** The first place counts: later headers only add to a table. */
function note(scan: Scan, path: KeyPath, line: number): void {
  const key = pathKey(path)
  if (!scan.lines.has(key)) scan.lines.set(key, line)
}
