// The manifest of the cache: which files hold which runs, and the fingerprints of these runs.
// Cache files are immutable; a file whose size or times differ from the manifest counts as lost.
import { createHash } from 'node:crypto'
import { lstatSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { writeJsonAtomic } from '@zee/core/atomic-file'
import { tables, type TableName } from '../tables.ts'

export interface Manifest {
  /** The version of the table schema; a manifest of another version is ignored. */
  version: string
  segments: Segment[]
  /** Replaced segments that other processes may still read. */
  retired: { name: string; atMs: number }[]
}

/** A folder of Parquet files over some runs. */
export interface Segment {
  name: string
  rows: number
  runs: CachedRun[]
  files: Record<TableName, CachedFile[]>
}

export interface CachedRun {
  runId: string
  fingerprint: string
  /** False when the run changed so recently that a later change may keep its file times. */
  settled: boolean
}

export interface CachedFile {
  name: string
  size: number
  mtimeMs: number
  ctimeMs: number
  ino: number
}

const manifestName = 'manifest.json'
const layoutVersion = 1

export function readManifest(cache: string): Manifest {
  const empty = { version: currentVersion(), segments: [], retired: [] }
  try {
    const text = readFileSync(path.join(cache, manifestName), 'utf8')
    const manifest = JSON.parse(text) as Manifest
    const isUsable = manifest.version === empty.version && hasValidNames(manifest)
    return isUsable ? manifest : empty
  } catch {
    // A missing or damaged manifest means that the cache is rebuilt.
    return empty
  }
}

/** Accepts only names that zcl generates, without path separators. Throws on an unexpected shape. */
function hasValidNames({ segments, retired }: Manifest): boolean {
  const files = segments.flatMap((segment) => Object.values(segment.files).flat())
  return (
    [...segments, ...retired].every(({ name }) => /^segment-[0-9a-f]+$/.test(name)) &&
    files.every(({ name }) => /^[a-z]+-[0-9]+\.parquet$/.test(name)) &&
    segments.every(({ runs }) => Array.isArray(runs))
  )
}

export async function writeManifest(cache: string, manifest: Manifest): Promise<void> {
  await writeJsonAtomic(path.join(cache, manifestName), manifest, { durable: false })
}

export function cachedFile(folder: string, name: string): CachedFile {
  const { size, mtimeMs, ctimeMs, ino } = lstatSync(path.join(folder, name))
  return { name, size, mtimeMs, ctimeMs, ino }
}

/** Whether every file of the segment is unchanged. */
export function isIntact(cache: string, { name, files }: Segment): boolean {
  return Object.values(files)
    .flat()
    .every((file) => {
      const stats = lstatSync(path.join(cache, name, file.name), { throwIfNoEntry: false })
      return (
        stats?.isFile() === true &&
        stats.size === file.size &&
        stats.mtimeMs === file.mtimeMs &&
        stats.ctimeMs === file.ctimeMs &&
        stats.ino === file.ino
      )
    })
}

export function pathsOf(cache: string, { name, files }: Segment, table: TableName): string[] {
  return files[table].map((file) => path.join(cache, name, file.name))
}

function currentVersion(): string {
  const hash = createHash('sha256').update(JSON.stringify(tables)).digest('hex')
  return `${layoutVersion}-${hash.slice(0, 16)}`
}
