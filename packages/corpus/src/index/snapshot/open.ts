// Opens a snapshot's file if it is one that can be trusted: ours, of this root and made by this code. Everything
// else is as good as no file; so is one whose pieces do not have their sums.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import type { CorpusRoot } from '../../root/root.ts'
import { columnsBytes } from './columns.ts'
import { decodeHeader, headerBytes } from './header.ts'
import type { Section, SnapshotHeader } from './header.ts'
import { sumOf } from './sum.ts'

export interface OpenSnapshot {
  /** For the caller to close. */
  fd: number
  header: SnapshotHeader
}

const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

export function openSnapshot(file: string, root: CorpusRoot): OpenSnapshot | undefined {
  const fd = openOwn(file)
  if (fd === undefined) return undefined
  try {
    const header = headerIn(fd)
    if (header !== undefined && isFor(header, root)) return { fd, header }
  } catch {
    // Then it is none.
  }
  closeSync(fd)
  return undefined
}

/** Nobody else can have written it. */
export function openOwn(file: string): number | undefined {
  let fd: number | undefined
  try {
    fd = openSync(file, openFlags)
    const stats = fstatSync(fd)
    const user = process.getuid?.()
    const own = user === undefined || (stats.uid === user && (stats.mode & 0o022) === 0)
    if (stats.isFile() && own) return fd
  } catch {
    // Not there, or not readable.
  }
  if (fd !== undefined) closeSync(fd)
  return undefined
}

export function headerIn(fd: number): SnapshotHeader | undefined {
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

function isFor({ root, omitted }: SnapshotHeader, at: CorpusRoot): boolean {
  return root === at.folder.path && omitted.join('\0') === omittedOf(at).join('\0')
}

/** Files that are left out, always in the same order. */
export function omittedOf({ omitted }: CorpusRoot): string[] {
  return [...omitted].sort()
}

/** The columns, as columns.ts has them; undefined when they are not what was written. */
export function readColumns({ fd, header }: OpenSnapshot): SharedArrayBuffer | undefined {
  const { columns } = header
  const memory = new SharedArrayBuffer(columns.bytes)
  const bytes = Buffer.from(memory)
  for (let done = 0; done < bytes.length;) {
    const length = readSync(fd, bytes, done, bytes.length - done, columns.at + done)
    if (length === 0) return undefined
    done += length
  }
  return sumOf(new Int32Array(memory)) === columns.sum ? memory : undefined
}
