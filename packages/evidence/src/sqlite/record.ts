// Decodes a record: a header with one type per column, then the values.
import { invalid } from './invalid.ts'
import type { Pages } from './pages.ts'
import { readVarint } from './varint.ts'

export type Value = string | number | null | Buffer

export function decodeRecord(record: Buffer, encoding: Pages['encoding']): Value[] {
  const header = readVarint(record, 0)
  const values: Value[] = []
  let at = header.value
  for (let next = header.end; next < header.value;) {
    const type = readVarint(record, next)
    next = type.end
    const size = sizeOf(type.value)
    if (at + size > record.length) throw invalid('a record is cut')
    values.push(valueOf(type.value, record.subarray(at, at + size), encoding))
    at += size
  }
  return values
}

const numberSizes = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0]

function sizeOf(type: number): number {
  return type >= 12 ? Math.floor((type - 12) / 2) : (numberSizes[type] ?? 0)
}

function valueOf(type: number, bytes: Buffer, encoding: Pages['encoding']): Value {
  if (type >= 12) return type % 2 === 0 ? Buffer.from(bytes) : textOf(bytes, encoding)
  if (type === 0) return null
  if (type === 7) return bytes.readDoubleBE(0)
  if (type === 6) return Number(bytes.readBigInt64BE(0))
  if (type === 8 || type === 9) return type - 8
  return bytes.readIntBE(0, bytes.length)
}

function textOf(bytes: Buffer, encoding: Pages['encoding']): string {
  if (encoding !== 'utf16be') return bytes.toString(encoding)
  return Buffer.from(bytes.subarray(0, bytes.length & ~1))
    .swap16()
    .toString('utf16le')
}
