// Signatures as columns of blocks: a block holds the texts of one size, a row per bucket with a bit per text.
// Every thread fills blocks of its own, so that no two write to the same byte.
import type { Kernel } from '../kernel/kernel.ts'
import { reserve } from '../kernel/shared-memory.ts'

/** Buckets of signatures, as powers of two; the kernel's hashes have as many bits as the largest. */
export const LARGEST_SIZE = 18
const SMALLEST_SIZE = 6
/** From this size on blocks have fewer columns, so that one that is hardly used is not so large. */
const NARROW_SIZE = 14
/** Buckets per trigram at least, as a power of two. */
const SPARE_BITS = 2

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
  return size >= NARROW_SIZE ? 128 : 512
}

export function rowBytesOf(size: number): number {
  return columnsOf(size) >> 3
}

/** Bytes that a thread needs to mark the trigrams of one text. */
export const MAP_BYTES = 1 << LARGEST_SIZE

/** Signs texts into columns of its own blocks. */
export class BlockWriter {
  readonly #kernel: Kernel
  readonly #map: number
  readonly #open = new Map<number, { block: Block; next: number }>()

  /** `map` is the address of MAP_BYTES for this writer alone. */
  constructor(kernel: Kernel, map: number) {
    this.#kernel = kernel
    this.#map = map
  }

  /**
   * Signs the text at an address; `lower` is room for it in lower case. `reuse` may offer a place that an
   * older text had. Undefined when there is no memory for another block.
   */
  sign(
    at: number,
    length: number,
    lower: number,
    reuse?: (size: number) => Place | undefined,
  ): Place | undefined {
    const mapSize = sizeFor(length)
    const marks = this.#kernel.markTrigrams(at, at + length, this.#map, mapSize, lower)
    const size = Math.min(mapSize, sizeFor(marks))
    const old = reuse?.(size)
    if (old !== undefined) {
      this.#kernel.clearColumn(old.block.address, rowBytesOf(size), old.column, size)
    }
    const place = old ?? this.#nextPlace(size)
    if (place === undefined) return undefined
    const { block, column } = place
    this.#kernel.setColumn(block.address, rowBytesOf(size), column, size, this.#map, mapSize)
    return place
  }

  #nextPlace(size: number): Place | undefined {
    let open = this.#open.get(size)
    if (open === undefined || open.next === open.block.columns) {
      const address = reserve(this.#kernel.memory, rowBytesOf(size) << size)
      if (address === undefined) return undefined
      open = { block: { address, size, columns: columnsOf(size) }, next: 0 }
      this.#open.set(size, open)
    }
    return { block: open.block, column: open.next++ }
  }
}

/** The size that gives so many trigrams room enough. */
function sizeFor(trigrams: number): number {
  const needed = 32 - Math.clz32(Math.max(1, (trigrams << SPARE_BITS) - 1))
  return Math.min(LARGEST_SIZE, Math.max(SMALLEST_SIZE, needed))
}
