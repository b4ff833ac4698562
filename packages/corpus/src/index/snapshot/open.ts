// Opens a snapshot file if it can be trusted: owned by this user, of this root, written by this version, with
// matching checksums. Any other file is ignored.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import type { CorpusRoot } from '../../root/root.ts'
import { columnsBytes } from './columns.ts'
import { decodeHeader, headerBytes } from './header.ts'
import type { Section, SnapshotHeader } from './header.ts'
import { checksumOf } from './checksum.ts'

export interface OpenSnapshot {
  /** For the caller to close. */
  fd: number
  header: SnapshotHeader
}

const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

export function openSnapshot(file: string, root: CorpusRoot): OpenSnapshot | undefined {
  const fd = openOwned(file)
  if (fd === undefined) return undefined
  try {
    const header = readHeader(fd)
    if (header !== undefined && belongsTo(header, root)) return { fd, header }
  } catch {
    // Not a valid snapshot.
  }
  closeSync(fd)
  return undefined
}

/** Opens a regular file that only this user can write. */
export function openOwned(file: string): number | undefined {
  let fd: number | undefined
  try {
    fd = openSync(file, openFlags)
    const stats = fstatSync(fd)
    const user = process.getuid?.()
    const isOwned = user === undefined || (stats.uid === user && (stats.mode & 0o022) === 0)
    if (stats.isFile() && isOwned) return fd
  } catch {
    // Missing or unreadable.
  }
  if (fd !== undefined) closeSync(fd)
  return undefined
}

export function readHeader(fd: number): SnapshotHeader | undefined {
  const bytes = Buffer.alloc(headerBytes)
  if (readSync(fd, bytes, 0, headerBytes, 0) !== headerBytes) return undefined
  const header = decodeHeader(bytes)
  if (header === undefined) return undefined
  const { columns, signatures, lengths } = header
  const fits =
    isSection(columns) &&
    isSection(signatures) &&
    columns.at === headerBytes &&
    columns.bytes === columnsBytes(lengths) &&
    signatures.at === columns.at + columns.bytes &&
    fstatSync(fd).size === signatures.at + signatures.bytes
  return fits ? header : undefined
}

function isSection({ at, bytes, sum }: Section): boolean {
  return Number.isSafeInteger(at) && Number.isSafeInteger(bytes) && typeof sum === 'string'
}

function belongsTo({ root, omitted, deny }: SnapshotHeader, at: CorpusRoot): boolean {
  if (root !== at.folder.path || deny !== denyKey(at)) return false
  return omitted.join('\0') === sortedOmitted(at).join('\0')
}

/** The deny rules for comparison: denied files are not in a snapshot. */
export function denyKey({ deny }: CorpusRoot): string {
  return JSON.stringify(deny ?? null)
}

/** Omitted files, sorted for comparison. */
export function sortedOmitted({ omitted }: CorpusRoot): string[] {
  return [...omitted].sort()
}

/** Reads the columns (see columns.ts); undefined if their checksum does not match. */
export function readColumns({ fd, header }: OpenSnapshot): SharedArrayBuffer | undefined {
  const { columns } = header
  const memory = new SharedArrayBuffer(columns.bytes)
  const bytes = Buffer.from(memory)
  for (let done = 0; done < bytes.length;) {
    const length = readSync(fd, bytes, done, bytes.length - done, columns.at + done)
    if (length === 0) return undefined
    done += length
  }
  return checksumOf(new Int32Array(memory)) === columns.sum ? memory : undefined
}
