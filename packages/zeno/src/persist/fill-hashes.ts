// Adds the hash of the cited lines to evidence that has none, where the lines can be read.
import type { Clock } from '@zee/core/clock'
import { isObject } from '@zee/core/json'
import type { Engine } from '../engine/engine.ts'

type Row = Record<string, unknown>

/** `root` is the repository; denied and missing files stay without a hash. */
export async function fillHashes(rows: readonly Row[], root: string, clock: Clock): Promise<Row[]> {
  if (rows.every(hasHash)) return [...rows]
  const { openCorpusEngine } = await import('../engine/engine.ts')
  let engine: Engine | undefined
  try {
    engine = openCorpusEngine({ root, clock })
    const filled: Row[] = []
    for (const row of rows) filled.push(hasHash(row) ? row : await withHash(row, engine))
    return filled
  } catch {
    return [...rows]
  } finally {
    await engine?.close()
  }
}

function hasHash({ hash }: Row): boolean {
  return typeof hash === 'string' && hash !== ''
}

async function withHash(row: Row, engine: Engine): Promise<Row> {
  const slice = sliceOf(row)
  if (slice === undefined) return row
  const lines = slice.end - slice.start + 1
  try {
    const { sha256, text, metrics } = await engine.run('read_file', {
      path: slice.path,
      start_line: slice.start,
      end_line: slice.end,
      max_lines: lines,
      hash: true,
    })
    const isWhole = isObject(metrics) && metrics.lines_returned === lines
    return isWhole && typeof text === 'string' ? { ...row, hash: sha256 } : row
  } catch {
    return row
  }
}

function sliceOf(row: Row): { path: string; start: number; end: number } | undefined {
  if (row.kind === 'grep') {
    const [, path, line] = /^(.*):L(\d+)$/s.exec(String(row.hit)) ?? []
    return path === undefined ? undefined : { path, start: Number(line), end: Number(line) }
  }
  const [start, end] = Array.isArray(row.lines) ? (row.lines as unknown[]) : []
  if (typeof row.path !== 'string' || !isLine(start) || !isLine(end) || end < start)
    return undefined
  return { path: row.path, start, end }
}

function isLine(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1
}
