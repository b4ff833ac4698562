// The state of a path: what is there, its mode and its contents, named by a hash.
import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  readlinkSync,
} from 'node:fs'
import { errnoOf } from '@zee/core/errors'
import type { RawPath } from './raw-path.ts'
import { parentOf, pathBuffer } from './raw-path.ts'

/** Where the bytes of a file are kept: a file of the store, and the offset in it. */
export interface CopyPlace {
  file: string
  offset: number
}

export interface FileState {
  kind: 'file'
  mode: number
  size: number
  /** SHA-256 of the contents; absent for a file that equals a blob of git. */
  hash?: string
  copy?: CopyPlace
  /** Id of the blob in git that the file equals, and the top level of its repository. */
  blob?: string
  top?: RawPath
}

/** The target of a link is a raw path. */
export interface LinkState {
  kind: 'link'
  target: RawPath
}

export interface FolderState {
  kind: 'folder'
  mode: number
}

/** Sockets, FIFOs and devices: neither copied nor restored. */
export interface OtherState {
  kind: 'other'
}

/** Null if nothing is at the path. */
export type PathState = FileState | LinkState | FolderState | OtherState | null

export function lstatOrNull(raw: RawPath): Stats | null {
  try {
    return lstatSync(pathBuffer(raw))
  } catch (error) {
    const code = errnoOf(error)
    // A parent may have become a file, or a link to itself.
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return null
    throw error
  }
}

/**
 * Whether a path is below one of the folders that a link has replaced. The system follows the link, so another
 * file may seem to be at the path.
 */
export function belowLinks(folders: Iterable<RawPath>): (raw: RawPath) => boolean {
  const links = new Set<RawPath>()
  for (const each of folders) if (lstatOrNull(each)?.isSymbolicLink() === true) links.add(each)
  return (raw) => {
    if (links.size === 0) return false
    for (let folder = parentOf(raw); folder !== ''; folder = parentOf(folder)) {
      if (links.has(folder)) return true
    }
    return false
  }
}

/** The state at a path, with the hash of a file's contents but without a copy. */
export function stateAt(raw: RawPath): PathState {
  const stats = lstatOrNull(raw)
  if (stats === null) return null
  return stateOf(raw, stats, () => hashFile(raw, 'sha256', stats.size))
}

export function stateOf(raw: RawPath, stats: Stats, hash: () => string): PathState {
  const mode = stats.mode & 0o7777
  if (stats.isFile()) return { kind: 'file', mode, size: stats.size, hash: hash() }
  if (stats.isDirectory()) return { kind: 'folder', mode }
  if (stats.isSymbolicLink()) return { kind: 'link', target: linkTarget(raw) }
  return { kind: 'other' }
}

function linkTarget(raw: RawPath): RawPath {
  return readlinkSync(pathBuffer(raw), { encoding: 'buffer' }).toString('latin1')
}

/** Whether the path has this state now. Contents are compared by their hash. */
export function hasState(raw: RawPath, state: PathState): boolean {
  const stats = lstatOrNull(raw)
  if (stats === null || state === null) return stats === null && state === null
  switch (state.kind) {
    case 'folder':
      return stats.isDirectory() && (stats.mode & 0o7777) === state.mode
    case 'link':
      return stats.isSymbolicLink() && linkTarget(raw) === state.target
    case 'file':
      if (!stats.isFile()) return false
      if (state.mode !== unknownMode && (stats.mode & 0o7777) !== state.mode) return false
      if (state.size !== unknownSize && stats.size !== state.size) return false
      return hasContents(raw, state, stats.size)
    case 'other':
      return !stats.isFile() && !stats.isDirectory() && !stats.isSymbolicLink()
  }
}

/** The mode of a file whose contents alone are restored. */
export const unknownMode = -1

/** The size of a clean file of a large repository, which is not stored. */
export const unknownSize = -1

/** Whether the file of this size has the contents of the state, whatever its mode. */
export function hasContents(raw: RawPath, { hash, blob }: FileState, size: number): boolean {
  if (hash !== undefined) return hashFile(raw, 'sha256', size) === hash
  return blob !== undefined && hashFile(raw, blobAlgorithm(blob), size, blobHeader(size)) === blob
}

export function equalStates(first: PathState, second: PathState): boolean {
  if (first?.kind !== second?.kind) return false
  if (first?.kind === 'file' && second?.kind === 'file') {
    return first.mode === second.mode && first.size === second.size && first.hash === second.hash
  }
  return JSON.stringify(first) === JSON.stringify(second)
}

/** Git names a blob by the hash of a header and the contents. */
export function blobId(contents: Uint8Array, like: string): string {
  const header = blobHeader(contents.length)
  return createHash(blobAlgorithm(like)).update(header).update(contents).digest('hex')
}

function blobAlgorithm(id: string): 'sha1' | 'sha256' {
  return id.length === 64 ? 'sha256' : 'sha1'
}

function blobHeader(size: number): string {
  return `blob ${size}\0`
}

const chunkBytes = 1024 * 1024

/** Hashes a file in constant memory. Opens it without following a link and without blocking on a FIFO. */
export function hashFile(
  raw: RawPath,
  algorithm: 'sha1' | 'sha256',
  size: number,
  header = '',
): string {
  const hash = createHash(algorithm).update(header)
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const descriptor = openSync(pathBuffer(raw), flags)
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error('it is no longer a file')
    const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(chunkBytes, size + 1)))
    for (;;) {
      const length = readSync(descriptor, buffer, 0, buffer.length, null)
      if (length === 0) return hash.digest('hex')
      hash.update(buffer.subarray(0, length))
    }
  } finally {
    closeSync(descriptor)
  }
}
