// Checks evidence of kind `read`: a line range of a file, with or without a hash of its text.
import type { Engine } from '../engine/engine.ts'
import { parseDigest, sha256, unreadableVerdict } from './verdict.ts'
import type { Verdict } from './verdict.ts'

type Row = Record<string, unknown>

interface Slice {
  text: string
  totalLines: number
}

// Finding moved text hashes a slice at every line; the search gives up after this total.
const maxHashedChars = 1_000_000_000
const allLines = 2_000_000_000

export async function checkRead(row: Row, engine: Engine): Promise<Verdict> {
  const { path, lines } = row
  if (typeof path !== 'string' || path === '') return { status: 'invalid', detail: 'has no path' }
  const [start, end, ...more] = Array.isArray(lines) ? (lines as unknown[]) : []
  if (!isLineNumber(start) || !isLineNumber(end) || end < start || more.length > 0) {
    return { status: 'invalid', at: path, detail: 'has no lines [start, end]' }
  }
  const at = `${path}:${start}-${end}`
  const digest = parseDigest(row.hash)
  if (digest === null)
    return { status: 'invalid', at, detail: 'has a hash that is not sha256:<hex>' }
  try {
    const slice = await read(engine, path, start, end)
    const isInside = end <= slice.totalLines
    if (isInside && (digest === undefined || sha256(slice.text) === digest))
      return { status: 'ok', at }
    const tooShort = `the file has ${slice.totalLines} lines`
    if (digest === undefined) return { status: 'changed', at, detail: tooShort }
    const file = await read(engine, path, 1, allLines)
    const found = findSlice(file.text.split('\n'), end - start + 1, start, digest)
    if (found === undefined) {
      return { status: 'changed', at, detail: isInside ? 'the text differs' : tooShort }
    }
    const now: [number, number] = [found, found + end - start]
    return { status: 'moved', at, detail: `is now at ${now.join('-')}`, lines: now }
  } catch (error) {
    return unreadableVerdict(error, at)
  }
}

async function read(engine: Engine, path: string, start: number, end: number): Promise<Slice> {
  const result = await engine.run('read_file', {
    path,
    start_line: start,
    end_line: end,
    max_lines: allLines,
  })
  return { text: String(result.text), totalLines: Number(result.total_lines) }
}

/** Returns the start of the `count` lines with this digest that are nearest to line `near`. */
function findSlice(
  lines: readonly string[],
  count: number,
  near: number,
  digest: string,
): number | undefined {
  const last = lines.length - count + 1
  let hashed = 0
  for (let distance = 0; distance < lines.length + near; distance++) {
    for (const start of distance === 0 ? [near] : [near - distance, near + distance]) {
      if (start < 1 || start > last) continue
      const text = lines.slice(start - 1, start - 1 + count).join('\n')
      if (sha256(text) === digest) return start
      hashed += text.length
      if (hashed > maxHashedChars) return undefined
    }
  }
  return undefined
}

function isLineNumber(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1
}
