// What the cache says about itself: which files hold which runs as they were when they were read. Files
// are immutable; one that is not exactly what was written counts as lost.
import { createHash } from 'node:crypto'
import { lstatSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { writeJsonAtomic } from '@zee/core/atomic-file'
import { tables, type TableName } from '../tables.ts'

export interface Manifest {
  /** Of this zcl's tables; a manifest of another version is no manifest. */
  version: string
  segments: Segment[]
  /** Replaced, but others may still be reading them. */
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
  /** False when the run was so young that a later change might look like none. */
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
  const nothing = { version: currentVersion(), segments: [], retired: [] }
  try {
    const text = readFileSync(path.join(cache, manifestName), 'utf8')
    const manifest = JSON.parse(text) as Manifest
    const isKnown = manifest.version === nothing.version && hasValidNames(manifest)
    return isKnown ? manifest : nothing
  } catch {
    // Missing or damaged: either way it is made again.
    return nothing
  }
}

/** Names of our making only: nothing that leads elsewhere. Throws when the shape is another. */
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

/** Whether every file is what was written. */
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
