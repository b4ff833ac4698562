// Builds the pages, the records and the write-ahead log of a SQLite database for tests.
import type { Pages } from '../src/sqlite/pages.ts'

export const pageSize = 512

/** A variable-length integer below 2^28. */
export function varint(value: number): number[] {
  const bytes = [value & 0x7f]
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift(0x80 | (rest & 0x7f))
  return bytes
}

/** A record with these type numbers and this body. */
export function record(types: readonly number[], body: readonly number[] = []): Buffer {
  const header = types.flatMap(varint)
  return Buffer.from([header.length + 1, ...header, ...body])
}

/** A record of texts, small numbers and nulls. */
export function recordOf(values: readonly (string | number | null)[]): Buffer {
  const typeOf = (value: string | number | null) => {
    if (value === null) return 0
    return typeof value === 'number' ? 1 : 13 + 2 * value.length
  }
  const bytesOf = (value: string | number | null) =>
    typeof value === 'number' ? [value] : [...Buffer.from(value ?? '')]
  return record(values.map(typeOf), values.flatMap(bytesOf))
}

interface PageParts {
  type: number
  cells: readonly (readonly number[])[]
  rightmost?: number
  /** Where the header of the page begins: at 100 on the first page. */
  start?: number
}

/** A page whose cells lie at its end. */
export function treePage({ type, cells, rightmost = 0, start = 0 }: PageParts): Buffer {
  const page = Buffer.alloc(pageSize)
  page.writeUInt8(type, start)
  page.writeUInt16BE(cells.length, start + 3)
  if (type === 5) page.writeUInt32BE(rightmost, start + 8)
  let at = pageSize
  for (const [index, cell] of cells.entries()) {
    at -= cell.length
    page.set(cell, at)
    page.writeUInt16BE(at, start + (type === 5 ? 12 : 8) + 2 * index)
  }
  return page
}

/** The cell of a row, with as much of its record as lies on the page. */
export function leafCell(rowid: number, bytes: Buffer, local = bytes.length, next = 0): number[] {
  const head = [...varint(bytes.length), ...varint(rowid), ...bytes.subarray(0, local)]
  return local === bytes.length ? head : [...head, ...uint32(next)]
}

export function interiorCell(child: number, key: number): number[] {
  return [...uint32(child), ...varint(key)]
}

export function uint32(value: number): number[] {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return [...bytes]
}

/** Pages in memory. */
export function pagesOf(all: Readonly<Record<number, Buffer>>): Pages {
  return {
    usableSize: pageSize,
    encoding: 'utf8',
    page: (number) => {
      const page = all[number]
      if (page === undefined) throw new Error(`no page ${number}`)
      return page
    },
    close: () => {},
  }
}

/** The first 100 bytes of a database. */
export function fileHeader(size = pageSize, reserved = 0, encoding = 1): Buffer {
  const header = Buffer.alloc(100)
  header.write('SQLite format 3\0', 'latin1')
  header.writeUInt16BE(size, 16)
  header.writeUInt8(reserved, 20)
  header.writeUInt32BE(encoding, 56)
  return header
}

interface Frame {
  number: number
  /** Pages of the database after a commit; 0 within a transaction. */
  commit: number
  page: Buffer
  salt?: string
}

/** A write-ahead log with valid checksums. */
export function logOf(frames: readonly Frame[], magic = 0x377f_0682): Buffer {
  const header = Buffer.alloc(32)
  header.writeUInt32BE(magic, 0)
  header.writeUInt32BE(3_007_000, 4)
  header.writeUInt32BE(pageSize, 8)
  header.write('saltsalt', 16, 'latin1')
  let sum: [number, number] = [0, 0]
  const add = (bytes: Buffer): void => {
    const word = (at: number) => (magic & 1 ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at))
    for (let at = 0; at < bytes.length; at += 8) {
      const first = (sum[0] + word(at) + sum[1]) >>> 0
      sum = [first, (sum[1] + word(at + 4) + first) >>> 0]
    }
  }
  add(header.subarray(0, 24))
  header.set([...uint32(sum[0]), ...uint32(sum[1])], 24)
  const parts = frames.map(({ number, commit, page, salt = 'saltsalt' }) => {
    const head = Buffer.from([...uint32(number), ...uint32(commit), ...Buffer.from(salt)])
    add(head.subarray(0, 8))
    add(page)
    return Buffer.concat([head, Buffer.from([...uint32(sum[0]), ...uint32(sum[1])]), page])
  })
  return Buffer.concat([header, ...parts])
}
