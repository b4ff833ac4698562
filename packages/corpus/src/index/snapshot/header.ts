// The beginning of a snapshot file: what it is, of which tree, and where in it is what. The file goes on with the
// columns (columns.ts) and then the signatures, block by block.
import { simdModule } from '../../kernel/kernel.ts'
import { FileFlag, FileKind } from '../file-table.ts'
import { areLengths } from './columns.ts'
import type { ColumnLengths } from './columns.ts'
import { sumOf } from './sum.ts'
import { snapshotVersion } from './version.ts'

/** One piece of the file, with its sum. */
export interface Section {
  at: number
  bytes: number
  sum: string
}

export interface SnapshotHeader {
  version: number
  /** Signatures and flags are only as good as the code that made them. */
  code: string
  /** Absolute. */
  root: string
  /** Files that were left out. */
  omitted: string[]
  /** RFC 3339. */
  created: string
  files: number
  lengths: ColumnLengths
  columns: Section
  signatures: Section
}

/** The header, its sum and its length all lie in here; the sections begin behind it. */
export const headerBytes = 4096
export const mostHeaderText = headerBytes - 64
const magic = 'zenosnap'

/** Undefined when it does not fit, as with a very long path. */
export function encodeHeader(header: SnapshotHeader): Buffer | undefined {
  const text = Buffer.from(JSON.stringify(header))
  if (text.length > mostHeaderText) return undefined
  const bytes = Buffer.alloc(headerBytes)
  bytes.write(magic, 0, 'latin1')
  bytes.writeUInt32LE(text.length, 8)
  text.copy(bytes, 64)
  bytes.write(sumOf(wordsOf(bytes)), 16, 'latin1')
  return bytes
}

/** Undefined when this is no header, or not one that can be used. */
export function decodeHeader(bytes: Buffer): SnapshotHeader | undefined {
  if (bytes.length !== headerBytes || bytes.toString('latin1', 0, 8) !== magic) return undefined
  const sum = bytes.toString('latin1', 16, 48)
  const plain = Buffer.alloc(headerBytes)
  bytes.copy(plain)
  plain.fill(0, 16, 48)
  const length = plain.readUInt32LE(8)
  if (sumOf(wordsOf(plain)) !== sum || length > mostHeaderText) return undefined
  const header = JSON.parse(plain.toString('utf8', 64, 64 + length)) as SnapshotHeader
  const usable = header.version === snapshotVersion && header.code === codeMark()
  return usable && areLengths(header.lengths) ? header : undefined
}

/** Changes with the kernel and with what flags mean. */
export function codeMark(): string {
  const code = simdModule + JSON.stringify([FileFlag, FileKind])
  const text = Buffer.alloc(Math.ceil(code.length / 16) * 16)
  text.write(code, 'latin1')
  return sumOf(wordsOf(text))
}

function wordsOf(bytes: Buffer): Int32Array {
  // Never out of step: made by `alloc`, which gives whole words.
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2)
}
