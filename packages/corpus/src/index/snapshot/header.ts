// The header of a snapshot file: version, root and sections. The columns (columns.ts) follow it, then the
// signatures, block by block.
import { simdModule } from '../../kernel/kernel.ts'
import { FileFlag, FileKind } from '../file-table.ts'
import { areLengths } from './columns.ts'
import type { ColumnLengths } from './columns.ts'
import { checksumOf } from './checksum.ts'
import { snapshotVersion } from './version.ts'

/** A section of the file with its checksum. */
export interface Section {
  at: number
  bytes: number
  sum: string
}

export interface SnapshotHeader {
  version: number
  /** Checksum of the code that defines signatures and flags. */
  code: string
  /** Absolute. */
  root: string
  /** Omitted files. */
  omitted: string[]
  /** The deny rules as JSON. */
  deny: string
  /** RFC 3339. */
  created: string
  files: number
  lengths: ColumnLengths
  columns: Section
  signatures: Section
}

/** Size of the header including its checksum and length; the sections follow. */
export const headerBytes = 4096
export const maxHeaderText = headerBytes - 64
const magic = 'zenosnap'

/** Undefined if it does not fit, for example because of a very long path. */
export function encodeHeader(header: SnapshotHeader): Buffer | undefined {
  const text = Buffer.from(JSON.stringify(header))
  if (text.length > maxHeaderText) return undefined
  const bytes = Buffer.alloc(headerBytes)
  bytes.write(magic, 0, 'latin1')
  bytes.writeUInt32LE(text.length, 8)
  text.copy(bytes, 64)
  bytes.write(checksumOf(wordsOf(bytes)), 16, 'latin1')
  return bytes
}

/** Undefined if the header is invalid or from another version. */
export function decodeHeader(bytes: Buffer): SnapshotHeader | undefined {
  if (bytes.length !== headerBytes || bytes.toString('latin1', 0, 8) !== magic) return undefined
  const sum = bytes.toString('latin1', 16, 48)
  const plain = Buffer.alloc(headerBytes)
  bytes.copy(plain)
  plain.fill(0, 16, 48)
  const length = plain.readUInt32LE(8)
  if (checksumOf(wordsOf(plain)) !== sum || length > maxHeaderText) return undefined
  const header = JSON.parse(plain.toString('utf8', 64, 64 + length)) as SnapshotHeader
  const usable = header.version === snapshotVersion && header.code === codeChecksum()
  return usable && areLengths(header.lengths) ? header : undefined
}

/** Changes with the kernel and with the flags. */
export function codeChecksum(): string {
  const code = simdModule + JSON.stringify([FileFlag, FileKind])
  const text = Buffer.alloc(Math.ceil(code.length / 16) * 16)
  text.write(code, 'latin1')
  return checksumOf(wordsOf(text))
}

function wordsOf(bytes: Buffer): Int32Array {
  // `Buffer.alloc` aligns to words.
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2)
}
