// Signatures as columns of blocks: a block holds the texts of one size, a row per bucket with a bit per text.
// Every thread fills blocks of its own, so that no two write to the same byte.
import { reserve } from '../../kernel/kernel.ts'
import type { Kernel } from '../../kernel/kernel.ts'

/** Buckets of signatures, as powers of two; the kernel's hashes have as many bits as the largest. */
export const largestSize = 18
const smallestSize = 6
/** From this size on blocks have fewer columns, so that one that is hardly used is not so large. */
const narrowSize = 14
/** Buckets per trigram at least, as a power of two, where there is room for so many. */
const spareBits = 2

/** What all signatures may take of what the texts take, and a text to begin with. */
const mostShare = 0.095
const spareTextBytes = 16 << 20

export interface Block {
  address: number
  /** Buckets, as a power of two. */
  size: number
  columns: number
}

export interface Place {
  block: Block
  column: number
}

export function columnsOf(size: number): number {
  return size >= narrowSize ? 128 : 512
}

export function rowBytesOf(size: number): number {
  return columnsOf(size) >> 3
}

/** Bytes that a thread needs to mark the trigrams of one text, and to gather the maps of several. */
export const mapBytes = 1 << largestSize
export const groupBytes = 2 << largestSize

/** Where pages are larger, some are written to more than once. */
const systemPageBytes = 4096

/** A block that is being filled: columns are given out up to `next`, written up to `written`. */
interface OpenBlock {
  block: Block
  next: number
  written: number
}

/** Signs texts into columns of its own blocks. */
export class BlockWriter {
  readonly #kernel: Kernel
  readonly #map: number
  readonly #groups: number | undefined
  readonly #open = new Map<number, OpenBlock>()
  #textBytes = spareTextBytes
  #signatureBytes = 0

  /**
   * `map` is the address of MAP_BYTES for this writer alone. With `groups`, that of GROUP_BYTES, all zeroes,
   * signatures are gathered and are in their places only after `flush`.
   */
  constructor(kernel: Kernel, map: number, groups?: number) {
    this.#kernel = kernel
    this.#map = map
    this.#groups = groups
  }

  /**
   * Signs the text in lower case at an address. `reuse` may offer a place that an older text had. Undefined when
   * there is no memory for another block.
   */
  sign(
    lower: number,
    length: number,
    reuse?: (size: number) => Place | undefined,
  ): Place | undefined {
    const size = this.#spend(this.#mark(lower, length), length)
    const place = reuse?.(size) ?? this.#nextPlace(size)
    if (place === undefined) return undefined
    const { block, column } = place
    if (this.#groups === undefined) {
      this.#kernel.putColumn(block.address, rowBytesOf(size), column, size, this.#map)
    } else {
      this.#kernel.addToGroup(this.#groupOf(size), this.#map, size, column & 7)
      if ((column & 7) === 7) this.#flush(size)
    }
    return place
  }

  /** Puts what is gathered into its place. */
  flush(): void {
    for (const size of this.#open.keys()) this.#flush(size)
  }

  /** Marks the trigrams in a map of the size that suits them, which it gives. */
  #mark(lower: number, length: number): number {
    let mapSize = sizeFor(Math.min(length, usualTrigrams(length)))
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

  /** Signatures of many short texts would take too much: they get a half or a quarter of what is best. */
  #spend(best: number, length: number): number {
    this.#textBytes += length
    const left = this.#textBytes * mostShare - this.#signatureBytes
    const least = Math.max(smallestSize, best - spareBits)
    let size = best
    for (; (1 << size) / 8 > left && size > least; size--) this.#kernel.halveMap(this.#map, size)
    this.#signatureBytes += (1 << size) / 8
    return size
  }

  #nextPlace(size: number): Place | undefined {
    let open = this.#open.get(size)
    if (open === undefined || open.next === open.block.columns) {
      const address = this.#reserveBlock(rowBytesOf(size) << size)
      if (address === undefined) return undefined
      open = { block: { address, size, columns: columnsOf(size) }, next: 0, written: 0 }
      this.#open.set(size, open)
    }
    return { block: open.block, column: open.next++ }
  }

  /** Zeroes, each page written to: one that is read first has to be fetched twice, with all threads halted. */
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
    const place = open.block.address + ((open.next - 1) >> 3)
    this.#kernel.writeGroup(place, rowBytesOf(size), size, this.#groupOf(size))
    open.written = open.next
  }

  /** Groups of all sizes lie one behind the other. */
  #groupOf(size: number): number {
    return (this.#groups as number) + (1 << size)
  }
}

/** How many trigrams a text of this length mostly has: a guess, put right where it is too low. */
function usualTrigrams(length: number): number {
  return Math.ceil(8 * length ** 0.6)
}

/** How many trigrams have left so many marks: some fall into the same bucket. */
function trigramsOf(marks: number, buckets: number): number {
  if (marks === buckets) return buckets * 8
  return Math.ceil(-buckets * Math.log1p(-marks / buckets))
}

/** The size that gives so many trigrams room enough. */
function sizeFor(trigrams: number): number {
  const needed = 32 - Math.clz32(Math.max(1, (trigrams << spareBits) - 1))
  return Math.min(largestSize, Math.max(smallestSize, needed))
}
