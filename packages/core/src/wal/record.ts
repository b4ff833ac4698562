// One record of the write-ahead log: bytes for an offset of a file, or a barrier that voids all
// earlier records of that file. Each record starts with its length and checksum, so that the decoder
// can detect one torn by a crash.
import { crc32 } from 'node:zlib'

export type RecordKind =
  /** The file ends after the bytes; at offset 0 replay creates a missing file. */
  | 'append'
  /** The file continues after the bytes. */
  | 'patch'
  /** Barrier: another mechanism replaces the entire file. */
  | 'replaced'
  /** Barrier: the file is removed. */
  | 'removed'

export interface WalRecord {
  kind: RecordKind
  /** Path below the data folder, with slashes. */
  file: string
  offset: number
  bytes: Uint8Array
  /** `checksumBefore` at the offset. Replay leaves a file alone when it no longer matches. */
  checksum: number
}

export interface DecodedRecords {
  records: WalRecord[]
  /** End of the last complete record. */
  end: number
  /** Whether the rest of the log is more than one torn record. */
  isDamaged: boolean
}

const kinds: readonly RecordKind[] = ['append', 'patch', 'replaced', 'removed']
/** Length and checksum of the body. */
const prefixBytes = 8
/** Kind, length of the file name, offset, checksum. */
const fixedBytes = 1 + 2 + 8 + 4

export function encodeRecord(record: WalRecord): Buffer {
  const name = Buffer.from(record.file)
  const body = Buffer.allocUnsafe(fixedBytes + name.length + record.bytes.length)
  body.writeUInt8(kinds.indexOf(record.kind), 0)
  body.writeUInt16LE(name.length, 1)
  body.writeDoubleLE(record.offset, 3)
  body.writeUInt32LE(record.checksum, 11)
  name.copy(body, fixedBytes)
  body.set(record.bytes, fixedBytes + name.length)
  const prefix = Buffer.allocUnsafe(prefixBytes)
  prefix.writeUInt32LE(body.length, 0)
  prefix.writeUInt32LE(crc32(body), 4)
  return Buffer.concat([prefix, body])
}

export function barrier(kind: 'replaced' | 'removed', file: string): WalRecord {
  return { kind, file, offset: 0, bytes: Buffer.alloc(0), checksum: 0 }
}

/** Every complete record of a log that starts with `header`, in order. */
export function decodeRecords(log: Buffer, header: string): DecodedRecords {
  const records: WalRecord[] = []
  const head = Buffer.from(header)
  if (!log.subarray(0, head.length).equals(head)) {
    // A crash may tear the header itself; anything else is a file of another kind.
    return { records, end: 0, isDamaged: !log.equals(head.subarray(0, log.length)) }
  }
  let start = head.length
  while (start + prefixBytes <= log.length) {
    const length = log.readUInt32LE(start)
    const end = start + prefixBytes + length
    if (length < fixedBytes || end > log.length) break
    const body = log.subarray(start + prefixBytes, end)
    // A wrong checksum on the last record is a torn write; on an earlier one it is damage.
    if (crc32(body) !== log.readUInt32LE(start + 4)) {
      return { records, end: start, isDamaged: end < log.length }
    }
    records.push(decodeBody(body))
    start = end
  }
  return { records, end: start, isDamaged: false }
}

function decodeBody(body: Buffer): WalRecord {
  const nameEnd = fixedBytes + body.readUInt16LE(1)
  return {
    kind: kinds[body.readUInt8(0)] ?? 'replaced',
    offset: body.readDoubleLE(3),
    checksum: body.readUInt32LE(11),
    file: body.toString('utf8', fixedBytes, nameEnd),
    bytes: body.subarray(nameEnd),
  }
}
