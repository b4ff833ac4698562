// The columnar cache of an output root's evidence, stored below it. Only changed runs are read again.
// One process builds at a time; readers never wait for it.
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
  /** Epoch milliseconds. */
  nowMs: number
  /** Ignore the existing cache. */
  rebuild: boolean
  onRun: (done: number, total: number) => void
}

/** Parquet files per table; an empty list for a table without rows. */
export type CachedTables = Record<TableName, string[]>

const lockWaitMs = 15 * 60 * 1000
/** File times may have a resolution of 2 s, so younger changes may not show. */
const settledAfterMs = 2000
/** Replaced files stay 10 minutes for queries that still read them. */
const retiredTtlMs = 10 * 60 * 1000
/** Folders of dead builders, which no manifest names, are removed after 1 hour. */
const orphanAfterMs = 60 * 60 * 1000

export function cacheFolder(outRoot: string): string {
  return path.join(outRoot, 'cache', 'query')
}

/** Updates the cache and returns the files of all runs. */
export async function currentTables(options: CacheOptions): Promise<CachedTables> {
  const cache = cacheFolder(options.outRoot)
  const current = fingerprintRuns(options.outRoot)
  const manifest = readManifest(cache)
  const isFresh = !options.rebuild && isCurrent(cache, manifest, current)
  if (isFresh && !manifest.retired.some(isExpired(options.nowMs)))
    return tablesOf(cache, manifest.segments)
  // An output root without evidence gets no cache folder.
  if (current.length === 0 && manifest.segments.length === 0) return tablesOf(cache, [])
  refuseLinks(options.outRoot)
  ensureFolder(cache)
  return withLock(path.join(cache, 'lock'), { waitMs: lockWaitMs }, async () => {
    const latest = readManifest(cache)
    const latestRuns = fingerprintRuns(options.outRoot)
    const isStillFresh = !options.rebuild && isCurrent(cache, latest, latestRuns)
    const segments = isStillFresh
      ? latest.segments
      : await rebuildSegments(cache, latest, latestRuns, options)
    await commitManifest(cache, latest, segments, options.nowMs)
    return tablesOf(cache, segments)
  })
}

function isCurrent(
  cache: string,
  { segments }: Manifest,
  current: readonly RunFingerprint[],
): boolean {
  const runs = segments.flatMap((segment) => segment.runs)
  if (runs.length !== current.length) return false
  const fingerprints = new Map(current.map(({ runId, fingerprint }) => [runId, fingerprint]))
  return (
    runs.every((run) => run.settled && fingerprints.get(run.runId) === run.fingerprint) &&
    segments.every((segment) => isIntact(cache, segment))
  )
}

function tablesOf(cache: string, segments: readonly Segment[]): CachedTables {
  const files = (table: TableName) => segments.flatMap((segment) => pathsOf(cache, segment, table))
  return {
    runs: files('runs'),
    attempts: files('attempts'),
    calls: files('calls'),
    findings: files('findings'),
  }
}

async function rebuildSegments(
  cache: string,
  manifest: Manifest,
  current: readonly RunFingerprint[],
  options: CacheOptions,
): Promise<Segment[]> {
  const fingerprints = new Map(current.map(({ runId, fingerprint }) => [runId, fingerprint]))
  const usable = manifest.segments
    .filter((segment) => !options.rebuild && isIntact(cache, segment))
    .map((segment) => ({
      segment,
      live: segment.runs.filter(
        (run) => run.settled && fingerprints.get(run.runId) === run.fingerprint,
      ),
    }))
  const kept = new Set(usable.flatMap(({ live }) => live.map(({ runId }) => runId)))
  const fresh = current.filter(({ runId }) => !kept.has(runId))
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

/** Removes expired segments and the folders of dead builders. */
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

/** Throws when a symbolic link would lead the cache out of the output root. */
function refuseLinks(outRoot: string): void {
  for (const folder of [path.join(outRoot, 'cache'), cacheFolder(outRoot)]) {
    try {
      if (lstatSync(folder).isDirectory()) continue
      throw zclError(
        'ZCL_E_CONTAINMENT',
        `${folder} is not a folder, so the cache cannot be stored there`,
      )
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error
    }
  }
}
