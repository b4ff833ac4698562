// Scans JSON text for the line of every key and list item, duplicate keys, and the first syntax error.
// V8's own messages differ between versions and quote the text, which may contain secrets.
import { maxNesting, lineCounter, pathKey, type Positions } from './positions.ts'
import type { KeyPath } from './shape.ts'

export interface JsonScan {
  positions: Positions
  /** Keys that occur twice in one object; the last value is used. */
  repeated: readonly { path: KeyPath; line: number }[]
  failure?: { offset: number; reason: string }
}

interface Scan {
  text: string
  position: number
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

export function scanJson(text: string): JsonScan {
  const positions = new Map<string, number>()
  const scan: Scan = { text, position: 0, positions, repeated: [], lineAt: lineCounter(text) }
  try {
    skipSpace(scan)
    if (scan.position === text.length) throw new NotJson(scan.position, 'the file is empty')
    scanValue(scan, [])
    skipSpace(scan)
    if (scan.position < text.length)
      throw new NotJson(scan.position, 'unexpected text after the end')
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    const failure = { offset: error.offset, reason: error.message }
    return { positions, repeated: scan.repeated, failure }
  }
  return { positions, repeated: scan.repeated }
}

const literal = /true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y

function scanValue(scan: Scan, path: KeyPath): void {
  if (path.length > maxNesting) throw new NotJson(scan.position, 'it is nested too deeply')
  const first = scan.text[scan.position]
  if (first === '{') return scanObject(scan, path)
  if (first === '[') return scanList(scan, path)
  if (first === '"') {
    scanString(scan)
    return
  }
  literal.lastIndex = scan.position
  const match = literal.exec(scan.text)
  if (match === null) throw new NotJson(scan.position, 'a value is expected here')
  scan.position += match[0].length
}

function scanObject(scan: Scan, path: KeyPath): void {
  const names = new Set<string>()
  scan.position++
  skipSpace(scan)
  if (take(scan, '}')) return
  for (;;) {
    skipSpace(scan)
    const line = scan.lineAt(scan.position)
    if (scan.text[scan.position] !== '"') {
      throw new NotJson(scan.position, 'a key in double quotes is expected here')
    }
    const name = scanString(scan)
    const inner = [...path, name]
    if (names.has(name)) scan.repeated.push({ path: inner, line })
    names.add(name)
    scan.positions.set(pathKey(inner), line)
    skipSpace(scan)
    if (!take(scan, ':')) throw new NotJson(scan.position, '":" is expected here')
    skipSpace(scan)
    scanValue(scan, inner)
    skipSpace(scan)
    if (take(scan, '}')) return
    if (!take(scan, ',')) throw new NotJson(scan.position, '"," or "}" is expected here')
  }
}

function scanList(scan: Scan, path: KeyPath): void {
  scan.position++
  skipSpace(scan)
  if (take(scan, ']')) return
  for (let index = 0; ; index++) {
    skipSpace(scan)
    const item = [...path, index]
    scan.positions.set(pathKey(item), scan.lineAt(scan.position))
    scanValue(scan, item)
    skipSpace(scan)
    if (take(scan, ']')) return
    if (!take(scan, ',')) throw new NotJson(scan.position, '"," or "]" is expected here')
  }
}

const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

function scanString(scan: Scan): string {
  const start = scan.position++
  for (;;) {
    const code = scan.text.charCodeAt(scan.position)
    if (code === 0x22) break
    if (Number.isNaN(code) || code < 0x20) throw new NotJson(start, 'this text is not closed')
    if (code !== 0x5c) scan.position++
    else skipEscape(scan)
  }
  scan.position++
  return JSON.parse(scan.text.slice(start, scan.position)) as string
}

function skipEscape(scan: Scan): void {
  escape.lastIndex = scan.position
  const match = escape.exec(scan.text)
  if (match === null) throw new NotJson(scan.position, 'this escape is unknown')
  scan.position += match[0].length
}

function skipSpace(scan: Scan): void {
  while (/[ \t\r\n]/.test(scan.text.charAt(scan.position))) scan.position++
}

function take(scan: Scan, mark: string): boolean {
  if (scan.text[scan.position] !== mark) return false
  scan.position++
  return true
}
