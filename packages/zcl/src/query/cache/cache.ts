// The evidence of an output root in columns, kept below it: read once, and again where runs changed.
// One process builds at a time; those that only read never wait for it.
import { lstatSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { errnoOf } from '@zee/core/errors'
import { ensureFolder } from '@zee/core/folders'
import { withLock } from '@zee/core/lock'
import { zclError } from '../../errors/errors.ts'
import { buildSegment } from './segment.ts'
import { isIntact, pathsOf, readManifest, writeManifest } from './manifest.ts'
import type { Manifest, Segment } from './manifest.ts'
import type { DuckDB } from '../duckdb.ts'
import { fingerprintRuns, type RunFingerprint } from './run-fingerprint.ts'
import type { TableName } from '../tables.ts'

export interface CacheOptions {
  outRoot: string
  duckdb: DuckDB
  /** Milliseconds of the epoch. */
  nowMs: number
  /** Take nothing of what is there. */
  rebuild: boolean
  onRun: (done: number, total: number) => void
}

/** Parquet files by table; none for a table without rows. */
export type CachedTables = Record<TableName, string[]>

const lockWaitMs = 15 * 60 * 1000
/** File times may be as coarse as this. */
const settledAfterMs = 2000
/** A query that reads replaced files is over by then. */
const retiredTtlMs = 10 * 60 * 1000
/** Folders that no manifest names were left by a builder that died. */
const orphanAfterMs = 60 * 60 * 1000

export function cacheFolder(outRoot: string): string {
  return path.join(outRoot, 'cache', 'query')
}

/** The files of all runs as they are now. */
export async function currentTables(options: CacheOptions): Promise<CachedTables> {
  const cache = cacheFolder(options.outRoot)
  const marks = fingerprintRuns(options.outRoot)
  const known = readManifest(cache)
  const isFine = !options.rebuild && isCurrent(cache, known, marks)
  if (isFine && !known.retired.some(isExpired(options.nowMs)))
    return tablesOf(cache, known.segments)
  // Without evidence nothing is written.
  if (marks.length === 0 && known.segments.length === 0) return tablesOf(cache, [])
  refuseLinks(options.outRoot)
  ensureFolder(cache)
  return withLock(path.join(cache, 'lock'), { waitMs: lockWaitMs }, async () => {
    const latest = readManifest(cache)
    const now = fingerprintRuns(options.outRoot)
    const isNowFine = !options.rebuild && isCurrent(cache, latest, now)
    const segments = isNowFine
      ? latest.segments
      : await rebuildSegments(cache, latest, now, options)
    await commitManifest(cache, latest, segments, options.nowMs)
    return tablesOf(cache, segments)
  })
}

function isCurrent(
  cache: string,
  { segments }: Manifest,
  marks: readonly RunFingerprint[],
): boolean {
  const runs = segments.flatMap((segment) => segment.runs)
  if (runs.length !== marks.length) return false
  const fingerprints = new Map(marks.map(({ runId, fingerprint }) => [runId, fingerprint]))
  return (
    runs.every((run) => run.settled && fingerprints.get(run.runId) === run.fingerprint) &&
    segments.every((segment) => isIntact(cache, segment))
  )
}

function tablesOf(cache: string, segments: readonly Segment[]): CachedTables {
  const of = (table: TableName) => segments.flatMap((segment) => pathsOf(cache, segment, table))
  return {
    runs: of('runs'),
    attempts: of('attempts'),
    calls: of('calls'),
    findings: of('findings'),
  }
}

async function rebuildSegments(
  cache: string,
  manifest: Manifest,
  marks: readonly RunFingerprint[],
  options: CacheOptions,
): Promise<Segment[]> {
  const fingerprints = new Map(marks.map(({ runId, fingerprint }) => [runId, fingerprint]))
  const usable = manifest.segments
    .filter((segment) => !options.rebuild && isIntact(cache, segment))
    .map((segment) => ({
      segment,
      live: segment.runs.filter(
        (run) => run.settled && fingerprints.get(run.runId) === run.fingerprint,
      ),
    }))
  const kept = new Set(usable.flatMap(({ live }) => live.map(({ runId }) => runId)))
  const fresh = marks.filter(({ runId }) => !kept.has(runId))
  const { segment: made, merged } = await buildSegment({
    duckdb: options.duckdb,
    cache,
    fresh,
    usable,
    isSettled: ({ changedMs }) => changedMs < options.nowMs - settledAfterMs,
    onRun: options.onRun,
  })
  const stay = usable.filter((each) => !merged.has(each.segment)).map(({ segment }) => segment)
  return made === undefined ? stay : [...stay, made]
}

async function commitManifest(
  cache: string,
  former: Manifest,
  segments: Segment[],
  nowMs: number,
): Promise<void> {
  const gone = former.segments.filter((segment) => !segments.includes(segment))
  const all = [...former.retired, ...gone.map(({ name }) => ({ name, atMs: nowMs }))]
  const retired = all.filter((each) => !isExpired(nowMs)(each))
  await writeManifest(cache, { version: former.version, segments, retired })
  sweep(cache, new Set([...segments, ...retired].map(({ name }) => name)), former, nowMs)
}

function isExpired(nowMs: number): (retired: { atMs: number }) => boolean {
  return ({ atMs }) => nowMs - atMs >= retiredTtlMs
}

/** Removes what was retired long enough ago, and what a builder that died has left. */
function sweep(
  cache: string,
  wanted: ReadonlySet<string>,
  manifest: Manifest,
  nowMs: number,
): void {
  const wereRetired = new Set(manifest.retired.map(({ name }) => name))
  for (const entry of readdirSync(cache, { withFileTypes: true })) {
    if (!entry.isDirectory() || wanted.has(entry.name)) continue
    const folder = path.join(cache, entry.name)
    const age = nowMs - (lstatSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? nowMs)
    if (wereRetired.has(entry.name) || age > orphanAfterMs) {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** The cache is written below the output root and not where a link leads. */
function refuseLinks(outRoot: string): void {
  for (const folder of [path.join(outRoot, 'cache'), cacheFolder(outRoot)]) {
    try {
      if (lstatSync(folder).isDirectory()) continue
      throw zclError('ZCL_E_CONTAINMENT', `${folder} is not a folder; the cache is not kept there`)
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error
    }
  }
}
