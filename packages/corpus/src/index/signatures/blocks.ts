// Signatures as columns of bit-sliced blocks: a block has one row per hash bucket and one bit per text. All texts
// of a block have signatures of the same size. Threads write to separate blocks, so no two share a byte.
import { reserve } from '../../kernel/kernel.ts'
import type { Kernel } from '../../kernel/kernel.ts'

/** Signature sizes are the log2 of the number of buckets. The kernel's hashes have `maxSize` bits. */
export const maxSize = 18
const minSize = 6
/** From this size on blocks have fewer columns, so that a sparsely used block wastes less memory. */
const narrowSize = 14
/** log2 of the minimum number of buckets per trigram, if memory allows. */
const spareBits = 2

/** Maximum size of all signatures as a share of the texts, with an initial allowance. */
const maxSignatureShare = 0.095
const initialTextBytes = 16 << 20

export interface Block {
  address: number
  /** log2 of the number of buckets. */
  size: number
  columns: number
}

export interface SignatureSlot {
  block: Block
  column: number
}

export function columnsOf(size: number): number {
  return size >= narrowSize ? 128 : 512
}

export function rowBytesOf(size: number): number {
  return columnsOf(size) >> 3
}

/** Scratch bytes per thread: to mark the trigrams of one text, and to collect the maps of eight. */
export const mapBytes = 1 << maxSize
export const groupBytes = 2 << maxSize

const systemPageBytes = 4096

/** A partly filled block: columns are assigned up to `next`, written up to `written`. */
interface OpenBlock {
  block: Block
  next: number
  written: number
}

/** Writes signatures of texts into the columns of its blocks. */
export class BlockWriter {
  readonly #kernel: Kernel
  readonly #map: number
  readonly #groups: number | undefined
  readonly #open = new Map<number, OpenBlock>()
  #textBytes = initialTextBytes
  #signatureBytes = 0

  /**
   * `map` is the address of `mapBytes` of private scratch memory. With `groups`, the address of `groupBytes` of
   * zeroed memory, signatures are buffered and complete only after `flush`.
   */
  constructor(kernel: Kernel, map: number, groups?: number) {
    this.#kernel = kernel
    this.#map = map
    this.#groups = groups
  }

  /**
   * Writes the signature of the lower-case text at an address. `reuse` may offer a free slot. Returns undefined if
   * there is no memory for another block.
   */
  sign(
    lower: number,
    length: number,
    reuse?: (size: number) => SignatureSlot | undefined,
  ): SignatureSlot | undefined {
    const size = this.#spend(this.#mark(lower, length), length)
    const slot = reuse?.(size) ?? this.#nextSlot(size)
    if (slot === undefined) return undefined
    const { block, column } = slot
    if (this.#groups === undefined) {
      this.#kernel.putColumn(block.address, rowBytesOf(size), column, size, this.#map)
    } else {
      this.#kernel.addToGroup(this.#groupOf(size), this.#map, size, column & 7)
      if ((column & 7) === 7) this.#flush(size)
    }
    return slot
  }

  /** Writes the buffered signatures. */
  flush(): void {
    for (const size of this.#open.keys()) this.#flush(size)
  }

  /** Marks the trigrams in a map of fitting size. Returns that size. */
  #mark(lower: number, length: number): number {
    let mapSize = sizeFor(Math.min(length, expectedTrigrams(length)))
    for (;;) {
      const marks = this.#kernel.markTrigrams(lower, lower + length, this.#map, mapSize)
      const trigrams = Math.min(length, trigramsOf(marks, 1 << mapSize))
      const size = sizeFor(trigrams)
      if (size > mapSize) {
        mapSize = size
        continue
      }
      for (; mapSize > size; mapSize--) this.#kernel.halveMap(this.#map, mapSize)
      return size
    }
  }

  /** Signatures of many short texts would exceed the share: they get half or a quarter of the best size. */
  #spend(best: number, length: number): number {
    this.#textBytes += length
    const left = this.#textBytes * maxSignatureShare - this.#signatureBytes
    const smallest = Math.max(minSize, best - spareBits)
    let size = best
    for (; (1 << size) / 8 > left && size > smallest; size--) this.#kernel.halveMap(this.#map, size)
    this.#signatureBytes += (1 << size) / 8
    return size
  }

  #nextSlot(size: number): SignatureSlot | undefined {
    let open = this.#open.get(size)
    if (open === undefined || open.next === open.block.columns) {
      const address = this.#reserveBlock(rowBytesOf(size) << size)
      if (address === undefined) return undefined
      open = { block: { address, size, columns: columnsOf(size) }, next: 0, written: 0 }
      this.#open.set(size, open)
    }
    return { block: open.block, column: open.next++ }
  }

  /**
   * Writes to each page first: a page that is first read costs a second page fault at its first write, which
   * stops all threads.
   */
  #reserveBlock(bytes: number): number | undefined {
    const address = reserve(this.#kernel.memory, bytes)
    if (address === undefined) return undefined
    const memory = this.#kernel.bytes()
    for (let at = address; at < address + bytes; at += systemPageBytes) memory[at] = 0
    memory[address + bytes - 1] = 0
    return address
  }

  #flush(size: number): void {
    const open = this.#open.get(size)
    if (this.#groups === undefined || open === undefined || open.next === open.written) return
    const address = open.block.address + ((open.next - 1) >> 3)
    this.#kernel.writeGroup(address, rowBytesOf(size), size, this.#groupOf(size))
    open.written = open.next
  }

  /** The groups of all sizes are adjacent. */
  #groupOf(size: number): number {
    return (this.#groups as number) + (1 << size)
  }
}

/** Typical number of distinct trigrams in a text; `#mark` corrects a low estimate. */
function expectedTrigrams(length: number): number {
  return Math.ceil(8 * length ** 0.6)
}

/** Estimates the number of trigrams from the marked buckets, which some trigrams share. */
function trigramsOf(marks: number, buckets: number): number {
  if (marks === buckets) return buckets * 8
  return Math.ceil(-buckets * Math.log1p(-marks / buckets))
}

/** The signature size for a number of trigrams. */
function sizeFor(trigrams: number): number {
  const needed = 32 - Math.clz32(Math.max(1, (trigrams << spareBits) - 1))
  return Math.min(maxSize, Math.max(minSize, needed))
}
