// Checks evidence of kind `read`: a line range of a file, with or without a hash of its text.
import type { Engine } from '../engine/engine.ts'
import { findMoved } from './find-moved.ts'
import {
  movedVerdict,
  parseDigest,
  revOf,
  sha256,
  unhashedVerdict,
  unreadableVerdict,
} from './verdict.ts'
import type { Verdict } from './verdict.ts'

type Row = Record<string, unknown>

interface Slice {
  text: string
  totalLines: number
}

const allLines = 2_000_000_000

export async function checkRead(row: Row, engine: Engine): Promise<Verdict> {
  const { path, lines } = row
  if (typeof path !== 'string' || path === '') return { status: 'invalid', detail: 'has no path' }
  const [start, end, ...more] = Array.isArray(lines) ? (lines as unknown[]) : []
  if (!isLineNumber(start) || !isLineNumber(end) || end < start || more.length > 0) {
    return { status: 'invalid', at: path, detail: 'has no lines [start, end]' }
  }
  const rev = revOf(row)
  if (rev === null) return { status: 'invalid', at: path, detail: 'has a rev that is not a string' }
  const at = `${rev === undefined ? '' : `${rev}:`}${path}:${start}-${end}`
  const digest = parseDigest(row.hash)
  if (digest === null)
    return { status: 'invalid', at, detail: 'has a hash that is not sha256:<hex>' }
  try {
    const slice = await read(engine, { path, rev }, start, end)
    const isInside = end <= slice.totalLines
    if (digest !== undefined && isInside && sha256(slice.text) === digest)
      return { status: 'ok', at }
    const tooShort = `the file has ${slice.totalLines} lines`
    if (digest === undefined) return unhashedVerdict(at, isInside ? undefined : tooShort)
    // A revision never changes, so its text cannot have moved.
    const wanted = { path, start, count: end - start + 1, digest }
    const moved = rev === undefined ? movedVerdict(at, await findMoved(wanted, engine)) : undefined
    return moved ?? { status: 'changed', at, detail: isInside ? 'the text differs' : tooShort }
  } catch (error) {
    const verdict = unreadableVerdict(error, at)
    if (verdict.status !== 'missing' || digest === undefined || rev !== undefined) return verdict
    const wanted = { path, start, count: end - start + 1, digest }
    return movedVerdict(at, await findMoved(wanted, engine)) ?? verdict
  }
}

async function read(
  engine: Engine,
  file: { path: string; rev: string | undefined },
  start: number,
  end: number,
): Promise<Slice> {
  const result = await engine.run('read_file', {
    ...file,
    start_line: start,
    end_line: end,
    max_lines: allLines,
  })
  return { text: String(result.text), totalLines: Number(result.total_lines) }
}

function isLineNumber(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1
}
