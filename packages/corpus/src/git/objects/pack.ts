// One pack: its index maps object names to offsets, and its entries are compressed objects or deltas. Only version 2
// of the index is read, which git has written since 2007.
import { closeSync } from 'node:fs'
import { readFully } from '../../content/content.ts'
import { gitError } from '../failure.ts'
import { openRegularFile } from '../regular-file.ts'
import { applyDelta } from './delta.ts'
import type { ByteCache } from './byte-cache.ts'
import type { GitObject, ObjectType } from './objects.ts'

interface PackEntry {
  /** A type, or a delta against an offset in this pack or against an object by name. */
  kind: ObjectType | { offset: number } | { name: string }
  size: number
  dataAt: number
}

const types: Readonly<Record<number, ObjectType>> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' }
const maxDepth = 10_000
/** Bytes of an index that is read at once. */
const maxLoadedIndex = 64 << 20
const signature = 0xff744f63
/** Names that are read on each side of a guess: the guess is off by fewer in a pack of millions of objects. */
const guessedNames = 160
/** Larger objects cannot be read. */
export const maxObjectBytes = 1 << 30

export class Pack {
  readonly #file: string
  readonly #nameBytes: number
  readonly #cache: ByteCache<GitObject>
  readonly #index: (from: number, length: number) => Buffer
  readonly #isLoaded: boolean
  readonly #fanout: Buffer
  readonly #count: number
  readonly #indexFd: number
  #packFd = -1
  #packSize = 0

  /** An index of more than `maxLoaded` bytes is read in pieces. */
  constructor(
    file: string,
    nameBytes: number,
    cache: ByteCache<GitObject>,
    maxLoaded = maxLoadedIndex,
  ) {
    this.#file = file
    this.#nameBytes = nameBytes
    this.#cache = cache
    const { fd, bytes: size } = openRegularFile(`${file}.idx`)
    this.#indexFd = fd
    const loaded = size <= maxLoaded ? readAt(this.#indexFd, 0, size) : undefined
    this.#index = (from, length) =>
      loaded === undefined ? readAt(fd, from, length) : loaded.subarray(from, from + length)
    this.#isLoaded = loaded !== undefined
    const head = this.#index(0, 8 + 1024)
    if (head.length < 1032 || head.readUInt32BE(0) !== signature || head.readUInt32BE(4) !== 2) {
      closeSync(this.#indexFd)
      throw gitError('a pack has an index of a version that cannot be read')
    }
    this.#fanout = Buffer.from(head.subarray(8))
    this.#count = this.#fanout.readUInt32BE(1020)
  }

  close(): void {
    closeSync(this.#indexFd)
    if (this.#packFd !== -1) closeSync(this.#packFd)
  }

  /** The offset of an object; undefined if the pack does not have it. */
  find(name: Buffer): number | undefined {
    const { low, high } = this.#range(name[0] as number)
    const at = this.#lowerBound(name, low, high)
    return at < high && this.#name(at).equals(name) ? this.#offset(at) : undefined
  }

  /** Adds the names that start with a prefix of hexadecimal digits, at most `max` in total. */
  addMatches(prefix: string, into: Set<string>, max: number): void {
    const from = Buffer.from(prefix.padEnd(this.#nameBytes * 2, '0'), 'hex')
    const { low, high } = this.#range(from[0] as number)
    for (let at = this.#lowerBound(from, low, high); at < this.#count && into.size < max; at++) {
      const name = this.#name(at).toString('hex')
      if (!name.startsWith(prefix)) break
      into.add(name)
    }
  }

  /** Reads an object; `readBase` reads the base of a delta in another pack. */
  read(offset: number, readBase: (name: string) => GitObject): GitObject {
    const cached = this.#cache.get(`${this.#file}:${offset}`)
    if (cached !== undefined) return cached
    const deltas: { offset: number; bytes: Buffer }[] = []
    let base: GitObject | undefined
    for (let at = offset; base === undefined;) {
      const entry = this.#entry(at)
      if (typeof entry.kind === 'string') {
        base = { type: entry.kind, bytes: this.#inflate(entry) }
        if (deltas.length > 0) this.#cache.set(`${this.#file}:${at}`, base, entry.size)
      } else {
        if (deltas.length >= maxDepth) throw this.#damaged(offset)
        deltas.push({ offset: at, bytes: this.#inflate(entry) })
        if ('name' in entry.kind) base = readBase(entry.kind.name)
        else {
          at = entry.kind.offset
          base = this.#cache.get(`${this.#file}:${at}`)
        }
      }
    }
    for (const delta of deltas.toReversed()) {
      const bytes = applyDelta(base.bytes, delta.bytes)
      if (bytes === undefined) throw this.#damaged(offset)
      base = { type: base.type, bytes }
      this.#cache.set(`${this.#file}:${delta.offset}`, base, bytes.length)
    }
    return base
  }

  #range(first: number): { low: number; high: number } {
    const low = first === 0 ? 0 : this.#fanout.readUInt32BE((first - 1) * 4)
    return { low, high: this.#fanout.readUInt32BE(first * 4) }
  }

  #lowerBound(name: Buffer, from: number, to: number): number {
    let [low, high] = this.#isLoaded ? [from, to] : this.#narrowed(name, from, to)
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#name(middle).compare(name) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Names are hashes, so the place of one can be guessed. One read then replaces most steps of the search. */
  #narrowed(name: Buffer, from: number, to: number): [low: number, high: number] {
    const guess = from + Math.floor((name.readUIntBE(1, 3) / 0x1000000) * (to - from))
    const low = Math.max(from, guess - guessedNames)
    const high = Math.min(to, guess + guessedNames)
    if (low >= high) return [from, to]
    const names = this.#indexed(1032 + low * this.#nameBytes, (high - low) * this.#nameBytes)
    const compare = (at: number): number =>
      names.compare(name, 0, name.length, (at - low) * name.length, (at - low + 1) * name.length)
    if (compare(low) > 0 || compare(high - 1) < 0) return [from, to]
    let [first, last] = [low, high]
    while (first < last) {
      const middle = (first + last) >>> 1
      if (compare(middle) < 0) first = middle + 1
      else last = middle
    }
    return [first, first]
  }

  #name(at: number): Buffer {
    return this.#indexed(1032 + at * this.#nameBytes, this.#nameBytes)
  }

  #offset(at: number): number {
    // After the names there are a checksum and an offset of four bytes for each object.
    const offsets = 1032 + this.#count * (this.#nameBytes + 4)
    const small = this.#indexed(offsets + at * 4, 4).readUInt32BE(0)
    if (small < 0x80000000) return small
    const large = offsets + this.#count * 4 + (small - 0x80000000) * 8
    return Number(this.#indexed(large, 8).readBigUInt64BE(0))
  }

  /** Bytes of the index, which may have been cut. */
  #indexed(from: number, length: number): Buffer {
    const bytes = this.#index(from, length)
    if (bytes.length < length)
      throw gitError(`the index of the pack ${this.#packName()} is damaged`)
    return bytes
  }

  #entry(offset: number): PackEntry {
    const head = this.#pack(offset, 64)
    let at = 0
    const byte = (): number => {
      const value = head[at++]
      if (value === undefined) throw this.#damaged(offset)
      return value
    }
    let next = byte()
    const code = (next >> 4) & 7
    let size = next & 15
    for (let factor = 16; next >= 0x80; factor *= 128) {
      next = byte()
      size += (next & 0x7f) * factor
    }
    if (code === 6) {
      next = byte()
      let back = next & 0x7f
      while (next >= 0x80) {
        next = byte()
        back = (back + 1) * 128 + (next & 0x7f)
      }
      if (back <= 0 || back > offset) throw this.#damaged(offset)
      return { kind: { offset: offset - back }, size, dataAt: offset + at }
    }
    if (code === 7) {
      const name = head.subarray(at, at + this.#nameBytes).toString('hex')
      return { kind: { name }, size, dataAt: offset + at + this.#nameBytes }
    }
    const kind = types[code]
    if (kind === undefined) throw this.#damaged(offset)
    return { kind, size, dataAt: offset + at }
  }

  #inflate({ size, dataAt }: PackEntry): Buffer {
    if (size === 0) return Buffer.alloc(0)
    if (size > maxObjectBytes) {
      throw gitError(
        `an object in the pack ${this.#packName()} has ${size} bytes; 1 GiB can be read`,
      )
    }
    // Compressed data is at most a little longer than its content.
    const data = this.#pack(dataAt, size + (size >>> 8) + 128)
    const bytes = inflated(data, size)
    if (bytes?.length !== size) throw this.#damaged(dataAt)
    return bytes
  }

  #pack(from: number, length: number): Buffer {
    if (this.#packFd === -1) {
      const { fd, bytes } = openRegularFile(`${this.#file}.pack`)
      this.#packFd = fd
      this.#packSize = bytes
    }
    return readAt(this.#packFd, from, Math.max(0, Math.min(length, this.#packSize - from)))
  }

  #packName(): string {
    return this.#file.slice(this.#file.lastIndexOf('/') + 1)
  }

  #damaged(offset: number): Error {
    return gitError(`the pack ${this.#packName()} is damaged at ${offset}`)
  }
}

/** The content of a zlib stream of at most `size` bytes; undefined if it is damaged. */
export function inflated(data: Buffer, size: number): Buffer | undefined {
  try {
    // Loaded on first use: most starts read no object, and zlib loads the streams.
    return process.getBuiltinModule('node:zlib').inflateSync(data, {
      maxOutputLength: Math.max(1, size),
      chunkSize: Math.max(64, Math.min(size, 1 << 16)),
    })
  } catch {
    return undefined
  }
}

function readAt(fd: number, from: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length)
  return buffer.subarray(0, readFully(fd, buffer, from))
}
