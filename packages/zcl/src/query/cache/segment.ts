// Builds one new cache segment from new and changed runs, from the unchanged runs of outdated segments,
// and from small segments that are merged.
import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { randomHex } from '@zee/core/ids'
import { cachedFile, pathsOf } from './manifest.ts'
import type { CachedRun, Segment } from './manifest.ts'
import { sqlText, type Connection, type DuckDB } from '../duckdb.ts'
import type { RunFingerprint } from './run-fingerprint.ts'
import { addRunRows } from './run-rows.ts'
import { asParquet, StagedTable } from './staged-table.ts'
import { tables, type TableName } from '../tables.ts'

/** A segment with intact files, and those of its runs that have not changed. */
export interface UsableSegment {
  segment: Segment
  live: CachedRun[]
}

export interface SegmentRequest {
  duckdb: DuckDB
  cache: string
  fresh: readonly RunFingerprint[]
  usable: readonly UsableSegment[]
  isSettled: (run: RunFingerprint) => boolean
  onRun: (done: number, total: number) => void
}

export interface BuiltSegment {
  /** Undefined when it would have no runs. */
  segment: Segment | undefined
  /** Segments that the new one replaces. */
  merged: Set<Segment>
}

const memoryLimit = '256MB'
const maxSegments = 12

export async function buildSegment(request: SegmentRequest): Promise<BuiltSegment> {
  const name = `segment-${randomHex(8)}`
  const folder = path.join(request.cache, name)
  mkdirSync(folder)
  const instance = await request.duckdb.DuckDBInstance.create(':memory:', {
    memory_limit: memoryLimit,
    temp_directory: path.join(folder, 'tmp'),
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  })
  try {
    const connection = await instance.connect()
    try {
      return await fillSegment(new SegmentWriter(folder, connection), name, request)
    } finally {
      connection.closeSync()
    }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  } finally {
    instance.closeSync()
    rmSync(path.join(folder, 'tmp'), { recursive: true, force: true })
  }
}

async function fillSegment(
  writer: SegmentWriter,
  name: string,
  request: SegmentRequest,
): Promise<BuiltSegment> {
  const runs: CachedRun[] = []
  let rows = await writeFresh(writer, request)
  for (const run of request.fresh) {
    const { runId, fingerprint } = run
    runs.push({ runId, fingerprint, settled: request.isSettled(run) })
  }
  const merged = new Set<Segment>()
  for (const { segment, live } of segmentsToMerge(request.usable, rows)) {
    merged.add(segment)
    if (live.length === 0) continue
    await writer.copy(request.cache, segment, live)
    runs.push(...live)
    rows += segment.rows
  }
  if (runs.length > 0) return { segment: { name, rows, runs, files: writer.files }, merged }
  rmSync(writer.folder, { recursive: true, force: true })
  return { segment: undefined, merged }
}

/** Outdated segments first, then small ones, so that large segments are rarely rewritten. */
function* segmentsToMerge(
  usable: readonly UsableSegment[],
  newRows: number,
): Generator<UsableSegment> {
  let rows = newRows
  const clean: UsableSegment[] = []
  for (const each of usable) {
    if (each.live.length === each.segment.runs.length) {
      clean.push(each)
      continue
    }
    yield each
    rows += each.segment.rows
  }
  clean.sort((a, b) => a.segment.rows - b.segment.rows)
  for (const [index, each] of clean.entries()) {
    const isSmall = each.segment.rows <= 2 * rows
    if (!isSmall && clean.length - index < maxSegments) return
    yield each
    rows += each.segment.rows
  }
}

async function writeFresh(writer: SegmentWriter, request: SegmentRequest): Promise<number> {
  const { fresh, duckdb, onRun } = request
  if (fresh.length === 0) return 0
  const staged = new Map<TableName, StagedTable>()
  for (const table of tables) {
    staged.set(table.name, await StagedTable.open(duckdb, writer.connection, table))
  }
  const all = [...staged.values()]
  let rows = 0
  for (const [done, { folder }] of fresh.entries()) {
    await addRunRows(
      folder,
      (table, row) => {
        rows++
        staged.get(table)?.add(row)
      },
      {
        isFull: () => all.some(({ isFull }) => isFull),
        async flush() {
          for (const [table, each] of staged) if (each.isFull) await writer.write(table, each)
        },
      },
    )
    onRun(done + 1, fresh.length)
  }
  for (const [table, each] of staged) {
    if (!each.isEmpty) await writer.write(table, each)
    each.close()
  }
  return rows
}

class SegmentWriter {
  readonly folder: string
  readonly connection: Connection
  readonly files: Segment['files'] = { runs: [], attempts: [], calls: [], findings: [] }

  constructor(folder: string, connection: Connection) {
    this.folder = folder
    this.connection = connection
  }

  async write(table: TableName, staged: StagedTable): Promise<void> {
    const name = this.#nextName(table)
    await staged.writeTo(path.join(this.folder, name))
    this.files[table].push(cachedFile(this.folder, name))
  }

  /** Copies the rows of the `live` runs from another segment. */
  async copy(cache: string, segment: Segment, live: readonly CachedRun[]): Promise<void> {
    const runIds = live.map(({ runId }) => sqlText(runId)).join(', ')
    for (const table of Object.keys(this.files) as TableName[]) {
      const from = pathsOf(cache, segment, table).map(sqlText).join(', ')
      if (from === '') continue
      const name = this.#nextName(table)
      const rows = `SELECT * FROM read_parquet([${from}]) WHERE "runId" IN (${runIds})`
      const to = sqlText(path.join(this.folder, name))
      await this.connection.run(`COPY (${rows}) TO ${to} ${asParquet}`)
      this.files[table].push(cachedFile(this.folder, name))
    }
  }

  #nextName(table: TableName): string {
    return `${table}-${this.files[table].length}.parquet`
  }
}
