// A snapshot on disk: the state of a project before a turn, as far as git does not hold it.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Stats } from 'node:fs'
import { writeFileAtomic } from '@zee/core/atomic-file'
import type { RawPath } from './raw-path.ts'
import type { FileState, LinkState } from './state.ts'

/** Equal signatures mean that a file was not touched. */
export type Signature = readonly [inode: number, size: number, mtimeMs: number, ctimeMs: number]

export interface SavedFile {
  /** Absent for a file that equals its blob in the index. */
  state?: FileState | LinkState
  mode: number
  signature: Signature
}

export interface Manifest {
  root: RawPath
  /** The repository's folder, the name of the copied index, and the signature of the original. */
  git?: { folder: string; index: string; source?: Signature }
  /** Time of the file system when the snapshot began. */
  startedMs: number
  isComplete: boolean
  files: Record<RawPath, SavedFile>
  /** Tracked files that were missing. */
  absent: RawPath[]
  /** Paths that git ignored; folders end with a slash. */
  ignored: RawPath[]
  folders: Record<RawPath, number>
}

export function signatureOf(stats: Stats): Signature {
  return [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs]
}

export function equalSignatures(first: Signature, second: Signature): boolean {
  return first.every((value, index) => value === second[index])
}

/** Durable before the promise resolves. */
export async function writeManifest(
  folder: string,
  name: string,
  manifest: Manifest,
): Promise<void> {
  await writeFileAtomic(path.join(folder, name), JSON.stringify(manifest), { mode: 0o600 })
}

/** Undefined if the file is missing or damaged. */
export function readManifest(folder: string, name: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Manifest
  } catch {
    return undefined
  }
}

export function removeManifest(folder: string, name: string, manifest: Manifest): void {
  rmSync(path.join(folder, name), { force: true })
  if (manifest.git !== undefined) rmSync(path.join(folder, manifest.git.index), { force: true })
}

/** Copies of files that a closed snapshot made, by path: an untouched file is not copied again. */
export type KnownCopies = Record<RawPath, { signature: Signature; state: FileState }>

const knownName = 'known.json'

export function readKnownCopies(folder: string): KnownCopies {
  const file = path.join(folder, knownName)
  if (!existsSync(file)) return {}
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as KnownCopies
  } catch {
    return {}
  }
}

export async function writeKnownCopies(folder: string, known: KnownCopies): Promise<void> {
  const file = path.join(folder, knownName)
  await writeFileAtomic(file, JSON.stringify(known), { mode: 0o600, durable: false })
}
