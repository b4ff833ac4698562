// Packs for tests, written by hand: git writes neither damaged nor odd ones.
import { writeFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'

export interface PackedObject {
  /** Hexadecimal. Need not be the hash of the content. */
  name: string
  /** 1 to 4 for objects, 6 for a delta by offset, 7 for one by name. */
  code: number
  bytes: Buffer
  /** Name of the base of a delta. */
  base?: string
  /** The size in the entry, if it is not that of the bytes. */
  size?: number
}

/** Where each object starts, and the bytes of both files. */
export interface WrittenPack {
  offsets: Map<string, number>
  packBytes: Buffer
  indexBytes: Buffer
}

/** Writes `file.pack` and `file.idx`. `large` objects get an offset of eight bytes. */
export function writePack(
  file: string,
  objects: readonly PackedObject[],
  { large = [] }: { large?: readonly string[] } = {},
): WrittenPack {
  const parts: Buffer[] = [Buffer.from('PACK\0\0\0\x02\0\0\0\0')]
  const offsets = new Map<string, number>()
  let at = 12
  for (const object of objects) {
    offsets.set(object.name, at)
    const entry = entryOf(object, at, offsets)
    parts.push(entry)
    at += entry.length
  }
  const packBytes = Buffer.concat(parts)
  const indexBytes = indexOf(offsets, large)
  writeFileSync(`${file}.pack`, packBytes)
  writeFileSync(`${file}.idx`, indexBytes)
  return { offsets, packBytes, indexBytes }
}

function entryOf(
  { code, bytes, base = '', size = bytes.length }: PackedObject,
  at: number,
  offsets: ReadonlyMap<string, number>,
): Buffer {
  const head = [(code << 4) | (size & 15)]
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    head.push((head.pop() as number) | 0x80, rest & 0x7f)
  }
  if (code === 6) head.push(...backwards(at - (offsets.get(base) ?? at)))
  const name = code === 7 ? Buffer.from(base, 'hex') : Buffer.alloc(0)
  return Buffer.concat([Buffer.from(head), name, deflateSync(bytes)])
}

/** The distance to the base of a delta: seven bits in each byte, and one is added for each byte more. */
function backwards(distance: number): number[] {
  const bytes = [distance & 0x7f]
  for (let rest = distance >> 7; rest > 0; rest >>= 7) bytes.unshift((--rest & 0x7f) | 0x80)
  return bytes
}

function indexOf(offsets: ReadonlyMap<string, number>, large: readonly string[]): Buffer {
  const names = [...offsets.keys()].sort()
  const fanout = Buffer.alloc(1024)
  for (let first = 0; first < 256; first++) {
    const count = names.filter((name) => Number.parseInt(name.slice(0, 2), 16) <= first).length
    fanout.writeUInt32BE(count, first * 4)
  }
  const small = Buffer.alloc(names.length * 4)
  const wide = Buffer.alloc(large.length * 8)
  for (const [index, name] of names.entries()) {
    const offset = offsets.get(name) as number
    const place = large.indexOf(name)
    small.writeUInt32BE(place === -1 ? offset : 0x80000000 + place, index * 4)
    if (place !== -1) wide.writeBigUInt64BE(BigInt(offset), place * 8)
  }
  return Buffer.concat([
    Buffer.from([0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2]),
    fanout,
    Buffer.from(names.join(''), 'hex'),
    Buffer.alloc(names.length * 4, 7),
    small,
    wide,
    Buffer.alloc(40, 9),
  ])
}
