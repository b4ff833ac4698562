// Reads one file into the index: counts its characters, writes its signature and, if memory allows, caches its
// content. Used by the main thread and by the index workers.
import { isUtf8 } from 'node:buffer'
import { fstatSync } from 'node:fs'
import type { BigIntStats } from 'node:fs'
import { readUpTo } from '../../content/content.ts'
import { reserve, reservedBytes } from '../../kernel/kernel.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { countCodePoints } from '../../text/text.ts'
import { FileFlag } from '../file-table.ts'
import { roundUp } from './free-list.ts'
import type { Extent } from './free-list.ts'
import { isRacy } from '../racy.ts'
import { BlockWriter, groupBytes, mapBytes } from './blocks.ts'
import type { SignatureSlot } from './blocks.ts'

/** Larger files are neither cached nor signed; a search reads them from the disk. */
export const maxIndexedBytes = 2_000_000

/** The result of reading one file. */
export interface FileRecord {
  flags: number
  size: number
  modified: bigint
  changed: bigint
  inode: bigint
  chars: number
  /** Memory of the cached content, and its length. */
  extent: Extent | undefined
  length: number
  slot: SignatureSlot | undefined
}

/** Memory of released contents and slots of released signatures. */
export interface FreeSpace {
  takeExtent(bytes: number): Extent | undefined
  takeSlot(size: number): SignatureSlot | undefined
}

export interface IndexFileOptions {
  freeSpace?: FreeSpace
  /** False to cache only the content. True by default. */
  signs?: boolean
}

/** SIMD loads read past the end. */
const margin = 32
const wordsBytes = 64

export class FileIndexer {
  readonly #kernel: Kernel
  readonly #contentLimit: number
  readonly #words: number
  readonly #lower: number
  readonly #read: number
  readonly #writer: BlockWriter

  /**
   * Caches contents up to `contentLimit` bytes of the memory. `isBuffered` is for many files: signatures are then
   * complete only after `flush`. Throws if there is no memory.
   */
  constructor(kernel: Kernel, contentLimit: number, isBuffered = false) {
    this.#kernel = kernel
    this.#contentLimit = contentLimit
    const textBytes = maxIndexedBytes + 2 * margin
    const map = reserveOrThrow(kernel, mapBytes + wordsBytes)
    this.#words = map + mapBytes
    this.#lower = reserveOrThrow(kernel, textBytes)
    this.#read = reserveOrThrow(kernel, textBytes)
    this.#writer = new BlockWriter(
      kernel,
      map,
      isBuffered ? reserveOrThrow(kernel, groupBytes) : undefined,
    )
  }

  flush(): void {
    this.#writer.flush()
  }

  /** Reads the file of a descriptor; `nowNs` is the wall-clock time. */
  index(fd: number, nowNs: bigint, options: IndexFileOptions = {}): FileRecord {
    try {
      // Before the read, so that a concurrent change shows in the times.
      const stats = fstatSync(fd, { bigint: true })
      const record = recordOf(stats, nowNs)
      if (!stats.isFile()) return { ...record, flags: FileFlag.known | FileFlag.unreadable }
      if (record.size > maxIndexedBytes) {
        return { ...record, flags: record.flags | FileFlag.large }
      }
      return this.#readText(fd, record, options)
    } catch {
      return unreadable
    }
  }

  #readText(
    fd: number,
    record: FileRecord,
    { freeSpace, signs = true }: IndexFileOptions,
  ): FileRecord {
    const extent = this.#reserveContent(record.size, freeSpace)
    const at = extent?.address ?? this.#read
    // One byte more than the file size, to detect growth.
    const maxBytes = extent === undefined ? maxIndexedBytes + 1 : record.size + 1
    const bytes = this.#kernel.bytes()
    const length = readUpTo(fd, bytes, maxBytes, at)
    // It grew during the read; an event or its times will show the change.
    const hasGrown = length > record.size
    if (length > maxIndexedBytes) return { ...record, flags: record.flags | FileFlag.large }
    // Fresh memory is zeroed already.
    if (extent === undefined || freeSpace !== undefined) {
      bytes.fill(0, at + length, at + length + margin)
    }
    if (!signs) return { ...record, extent, length }
    const isPlain = this.#kernel.lowerCase(at, at + length, this.#lower) === 1
    const { chars, letters } = isPlain ? asciiCount(length) : this.#countChars(bytes, at, length)
    const flags = record.flags | (hasGrown ? FileFlag.racy : 0) | letters
    const reuse = freeSpace === undefined ? undefined : (size: number) => freeSpace.takeSlot(size)
    const slot = length >= 3 ? this.#writer.sign(this.#lower, length, reuse) : undefined
    return { ...record, flags, chars, extent, length, slot }
  }

  #reserveContent(size: number, freeSpace: FreeSpace | undefined): Extent | undefined {
    const minBytes = size + 1 + margin
    const reused = freeSpace?.takeExtent(minBytes)
    if (reused !== undefined) return reused
    // A file that is reread changes often: a rounded extent can be reused for it.
    const bytes = freeSpace === undefined ? Math.ceil(minBytes / 64) * 64 : roundUp(minBytes)
    if (reservedBytes(this.#kernel.memory) + bytes > this.#contentLimit) return undefined
    const address = reserve(this.#kernel.memory, bytes)
    return address === undefined ? undefined : { address, bytes }
  }

  /** Counts characters and determines the letter flags. */
  #countChars(bytes: Buffer, at: number, length: number): Counted {
    this.#kernel.countText(at, at + length, this.#words)
    const words = new Uint32Array(this.#kernel.memory.buffer, this.#words, 5)
    const [pairs, continuations, beyond] = [words[2], words[3], words[4]] as number[] as CountWords
    if (beyond === 0) return asciiCount(length - pairs)
    const text = bytes.subarray(at, at + length)
    const points = isUtf8(text) ? length - continuations : countCodePoints(text)
    const plainCase = !oddLetters.some((one) => text.includes(one))
    return { chars: points - pairs, letters: plainCase ? FileFlag.plainCase : 0 }
  }
}

type CountWords = [number, number, number]

interface Counted {
  chars: number
  letters: number
}

/** The count of an ASCII text. */
function asciiCount(chars: number): Counted {
  return { chars, letters: FileFlag.plainCase | FileFlag.ascii }
}

/** Non-ASCII letters whose lower case is, or starts with, an ASCII letter (İ, Kelvin sign). */
const oddLetters = ['\u0130', '\u212a'].map((letter) => Buffer.from(letter))

const unreadable: FileRecord = {
  flags: FileFlag.known | FileFlag.unreadable,
  ...{ size: 0, modified: 0n, changed: 0n, inode: 0n, chars: 0 },
  ...{ extent: undefined, length: 0, slot: undefined },
}

/** The record of a file that cannot be opened. */
export function unreadableRecord(): FileRecord {
  return unreadable
}

function recordOf(stats: BigIntStats, nowNs: bigint): FileRecord {
  const linked = stats.nlink > 1n ? FileFlag.hardLinked : 0
  const racy = isRacy(stats.ctimeNs, nowNs) ? FileFlag.racy : 0
  return {
    ...unreadable,
    flags: FileFlag.known | linked | racy,
    size: Number(stats.size),
    modified: stats.mtimeNs,
    changed: stats.ctimeNs,
    inode: stats.ino,
  }
}

function reserveOrThrow(kernel: Kernel, bytes: number): number {
  const address = reserve(kernel.memory, bytes)
  if (address === undefined) throw new Error('not enough memory for an index')
  return address
}
