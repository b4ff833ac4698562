// One record of the offset journal: bytes that belong at an offset of a file, or a barrier that makes
// everything before it about that file void. Length and checksum in front tell a whole record from
// one that a crash tore.
import { crc32 } from 'node:zlib'

export type RecordKind =
  /** The file ends behind the bytes; at offset 0 it is made when it is missing. */
  | 'append'
  /** The file goes on behind the bytes. */
  | 'patch'
  /** Barrier: the file was, or is about to be, replaced as a whole. */
  | 'replaced'
  /** Barrier: the file is gone. */
  | 'removed'

export interface JournalRecord {
  kind: RecordKind
  /** Below the data folder, with slashes. */
  file: string
  offset: number
  bytes: Uint8Array
  /** Checksum of what stands before the offset, so that a file somebody else changed is left alone. */
  before: number
}

export interface ReadRecords {
  records: JournalRecord[]
  /** Where the last whole record ends. */
  end: number
  /** Something stands behind it that is more than a torn record. */
  isDamaged: boolean
}

export const journalHead = Buffer.from('zino mem journal 1\n')

const kinds: readonly RecordKind[] = ['append', 'patch', 'replaced', 'removed']
const frontBytes = 8
const fixedBytes = 1 + 2 + 8 + 4

export function encodeRecord(record: JournalRecord): Buffer {
  const name = Buffer.from(record.file)
  const body = Buffer.allocUnsafe(fixedBytes + name.length + record.bytes.length)
  body.writeUInt8(kinds.indexOf(record.kind), 0)
  body.writeUInt16LE(name.length, 1)
  body.writeDoubleLE(record.offset, 3)
  body.writeUInt32LE(record.before, 11)
  name.copy(body, fixedBytes)
  body.set(record.bytes, fixedBytes + name.length)
  const front = Buffer.allocUnsafe(frontBytes)
  front.writeUInt32LE(body.length, 0)
  front.writeUInt32LE(crc32(body), 4)
  return Buffer.concat([front, body])
}

export function barrier(kind: 'replaced' | 'removed', file: string): JournalRecord {
  return { kind, file, offset: 0, bytes: Buffer.alloc(0), before: 0 }
}

/** Every whole record of a journal, in order. */
export function decodeRecords(journal: Buffer): ReadRecords {
  const records: JournalRecord[] = []
  if (!journal.subarray(0, journalHead.length).equals(journalHead)) {
    // A crash may cut the head itself short; anything else is no journal of ours.
    return { records, end: 0, isDamaged: !isBeginOfHead(journal) }
  }
  let at = journalHead.length
  while (at + frontBytes <= journal.length) {
    const length = journal.readUInt32LE(at)
    const end = at + frontBytes + length
    if (length < fixedBytes || end > journal.length) break
    const body = journal.subarray(at + frontBytes, end)
    // A sum that fails on the last record is a torn write; before others it is damage.
    if (crc32(body) !== journal.readUInt32LE(at + 4)) {
      return { records, end: at, isDamaged: end < journal.length }
    }
    records.push(decodeBody(body))
    at = end
  }
  return { records, end: at, isDamaged: false }
}

function isBeginOfHead(journal: Buffer): boolean {
  return journal.equals(journalHead.subarray(0, journal.length))
}

function decodeBody(body: Buffer): JournalRecord {
  const nameEnd = fixedBytes + body.readUInt16LE(1)
  return {
    kind: kinds[body.readUInt8(0)] ?? 'replaced',
    offset: body.readDoubleLE(3),
    before: body.readUInt32LE(11),
    file: body.toString('utf8', fixedBytes, nameEnd),
    bytes: body.subarray(nameEnd),
  }
}
