// Reads JSON text for its places: the line of every key and list item, keys given twice, and where
// and why it is not JSON. Our own words, because the engine's differ by version and quote the text.
import { deepest, lineCounter, pathKey, type Positions } from './positions.ts'
import type { KeyPath } from './shape.ts'

export interface JsonPlaces {
  positions: Positions
  /** Keys that stand twice in one object; the last one counts. */
  repeated: readonly { path: KeyPath; line: number }[]
  failure?: { offset: number; reason: string }
}

interface Scan {
  text: string
  at: number
  positions: Map<string, number>
  repeated: { path: KeyPath; line: number }[]
  lineAt: (offset: number) => number
}

class NotJson extends Error {
  readonly offset: number
  constructor(offset: number, reason: string) {
    super(reason)
    this.offset = offset
  }
}

export function jsonPlaces(text: string): JsonPlaces {
  const positions = new Map<string, number>()
  const scan: Scan = { text, at: 0, positions, repeated: [], lineAt: lineCounter(text) }
  try {
    skipSpace(scan)
    if (scan.at === text.length) throw new NotJson(scan.at, 'there is no value')
    scanValue(scan, [])
    skipSpace(scan)
    if (scan.at < text.length) throw new NotJson(scan.at, 'something follows the end')
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    const failure = { offset: error.offset, reason: error.message }
    return { positions, repeated: scan.repeated, failure }
  }
  return { positions, repeated: scan.repeated }
}

const literal = /true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y

function scanValue(scan: Scan, path: KeyPath): void {
  if (path.length > deepest) throw new NotJson(scan.at, 'it is nested too deeply')
  const first = scan.text[scan.at]
  if (first === '{') return scanObject(scan, path)
  if (first === '[') return scanList(scan, path)
  if (first === '"') {
    scanString(scan)
    return
  }
  literal.lastIndex = scan.at
  const match = literal.exec(scan.text)
  if (match === null) throw new NotJson(scan.at, 'a value is expected here')
  scan.at += match[0].length
}

function scanObject(scan: Scan, path: KeyPath): void {
  const names = new Set<string>()
  scan.at++
  skipSpace(scan)
  if (take(scan, '}')) return
  for (;;) {
    skipSpace(scan)
    const line = scan.lineAt(scan.at)
    if (scan.text[scan.at] !== '"') {
      throw new NotJson(scan.at, 'a key in double quotes is expected here')
    }
    const name = scanString(scan)
    const inner = [...path, name]
    if (names.has(name)) scan.repeated.push({ path: inner, line })
    names.add(name)
    scan.positions.set(pathKey(inner), line)
    skipSpace(scan)
    if (!take(scan, ':')) throw new NotJson(scan.at, '":" is expected here')
    skipSpace(scan)
    scanValue(scan, inner)
    skipSpace(scan)
    if (take(scan, '}')) return
    if (!take(scan, ',')) throw new NotJson(scan.at, '"," or "}" is expected here')
  }
}

function scanList(scan: Scan, path: KeyPath): void {
  scan.at++
  skipSpace(scan)
  if (take(scan, ']')) return
  for (let index = 0; ; index++) {
    skipSpace(scan)
    const item = [...path, index]
    scan.positions.set(pathKey(item), scan.lineAt(scan.at))
    scanValue(scan, item)
    skipSpace(scan)
    if (take(scan, ']')) return
    if (!take(scan, ',')) throw new NotJson(scan.at, '"," or "]" is expected here')
  }
}

const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

function scanString(scan: Scan): string {
  const start = scan.at++
  for (;;) {
    const code = scan.text.charCodeAt(scan.at)
    if (code === 0x22) break
    if (Number.isNaN(code) || code < 0x20) throw new NotJson(start, 'this text is not closed')
    if (code !== 0x5c) scan.at++
    else skipEscape(scan)
  }
  scan.at++
  return JSON.parse(scan.text.slice(start, scan.at)) as string
}

function skipEscape(scan: Scan): void {
  escape.lastIndex = scan.at
  const match = escape.exec(scan.text)
  if (match === null) throw new NotJson(scan.at, 'this escape is unknown')
  scan.at += match[0].length
}

function skipSpace(scan: Scan): void {
  while (/[ \t\r\n]/.test(scan.text.charAt(scan.at))) scan.at++
}

function take(scan: Scan, mark: string): boolean {
  if (scan.text[scan.at] !== mark) return false
  scan.at++
  return true
}
