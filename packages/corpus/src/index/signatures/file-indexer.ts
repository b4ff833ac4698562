// Reads one file into the index: its characters are counted, its trigrams signed and, as long as there is
// room, its content kept. The same work in the thread that answers and in those that build.
import { isUtf8 } from 'node:buffer'
import { fstatSync } from 'node:fs'
import type { BigIntStats } from 'node:fs'
import { readUpTo } from '../../content/content.ts'
import { reserve, reservedBytes } from '../../kernel/kernel.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { countCodePoints } from '../../text/text.ts'
import { FileFlag } from '../file-table.ts'
import { roundedRoom } from './free-list.ts'
import type { Room } from './free-list.ts'
import { isRacy } from '../racy.ts'
import { BlockWriter, groupBytes, mapBytes } from './blocks.ts'
import type { Place } from './blocks.ts'

/** Larger files are neither kept nor signed; searches read them. */
export const largestIndexed = 2_000_000

/** What came of one file. */
export interface FileRecord {
  flags: number
  size: number
  modified: bigint
  changed: bigint
  inode: bigint
  chars: number
  /** Where the content is kept, if it is, and how much of the room it fills. */
  room: Room | undefined
  length: number
  place: Place | undefined
}

/** Where an older text stood that is not needed any more. */
export interface Leftovers {
  room(bytes: number): Room | undefined
  place(size: number): Place | undefined
}

export interface IndexHow {
  leftovers?: Leftovers
  /** True unless said otherwise; without it only the content is kept. */
  signs?: boolean
}

/** Vectors read a little behind the end. */
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
   * Content is kept until so many bytes of the memory are taken. `gathers` is for many files at a time:
   * signatures are then in place only after `flush`. Throws when there is no memory.
   */
  constructor(kernel: Kernel, contentLimit: number, gathers = false) {
    this.#kernel = kernel
    this.#contentLimit = contentLimit
    const room = largestIndexed + 2 * margin
    const map = needed(kernel, mapBytes + wordsBytes)
    this.#words = map + mapBytes
    this.#lower = needed(kernel, room)
    this.#read = needed(kernel, room)
    this.#writer = new BlockWriter(kernel, map, gathers ? needed(kernel, groupBytes) : undefined)
  }

  flush(): void {
    this.#writer.flush()
  }

  /** The file behind a descriptor; `nowNs` is the time of day. */
  index(fd: number, nowNs: bigint, how: IndexHow = {}): FileRecord {
    try {
      // Before reading: what is changed meanwhile has other times.
      const stats = fstatSync(fd, { bigint: true })
      const record = recordOf(stats, nowNs)
      if (!stats.isFile()) return { ...record, flags: FileFlag.known | FileFlag.unreadable }
      if (record.size > largestIndexed) {
        return { ...record, flags: record.flags | FileFlag.large }
      }
      return this.#readText(fd, record, how)
    } catch {
      return unreadable
    }
  }

  #readText(fd: number, record: FileRecord, { leftovers, signs = true }: IndexHow): FileRecord {
    const room = this.#roomFor(record.size, leftovers)
    const at = room?.address ?? this.#read
    // One byte more than the file has, which shows that it grew.
    const most = room === undefined ? largestIndexed + 1 : record.size + 1
    const bytes = this.#kernel.bytes()
    const length = readUpTo(fd, bytes, most, at)
    // It grew while it was read; somebody will tell, or its times will.
    const grew = length > record.size
    if (length > largestIndexed) return { ...record, flags: record.flags | FileFlag.large }
    // A room that nobody had before holds zeroes.
    if (room === undefined || leftovers !== undefined) {
      bytes.fill(0, at + length, at + length + margin)
    }
    if (!signs) return { ...record, room, length }
    const isPlain = this.#kernel.lowerCase(at, at + length, this.#lower) === 1
    const { chars, letters } = isPlain ? plain(length) : this.#countChars(bytes, at, length)
    const flags = record.flags | (grew ? FileFlag.racy : 0) | letters
    const reuse = leftovers === undefined ? undefined : (size: number) => leftovers.place(size)
    const place = length >= 3 ? this.#writer.sign(this.#lower, length, reuse) : undefined
    return { ...record, flags, chars, room, length, place }
  }

  #roomFor(size: number, leftovers: Leftovers | undefined): Room | undefined {
    const least = size + 1 + margin
    const old = leftovers?.room(least)
    if (old !== undefined) return old
    // A file that is read again is one that changes: its room should suit it again.
    const bytes = leftovers === undefined ? Math.ceil(least / 64) * 64 : roundedRoom(least)
    if (reservedBytes(this.#kernel.memory) + bytes > this.#contentLimit) return undefined
    const address = reserve(this.#kernel.memory, bytes)
    return address === undefined ? undefined : { address, bytes }
  }

  /** Characters, and the flags that tell what kinds of letters there are. */
  #countChars(bytes: Buffer, at: number, length: number): Counted {
    this.#kernel.countText(at, at + length, this.#words)
    const words = new Uint32Array(this.#kernel.memory.buffer, this.#words, 5)
    const [pairs, continuations, beyond] = [words[2], words[3], words[4]] as number[] as Three
    if (beyond === 0) return plain(length - pairs)
    const text = bytes.subarray(at, at + length)
    const points = isUtf8(text) ? length - continuations : countCodePoints(text)
    const plainCase = !oddLetters.some((one) => text.includes(one))
    return { chars: points - pairs, letters: plainCase ? FileFlag.plainCase : 0 }
  }
}

type Three = [number, number, number]

interface Counted {
  chars: number
  letters: number
}

/** A text of ASCII. */
function plain(chars: number): Counted {
  return { chars, letters: FileFlag.plainCase | FileFlag.ascii }
}

/** Letters beyond ASCII whose lower case is, or begins with, an ASCII letter. */
const oddLetters = ['\u0130', '\u212a'].map((letter) => Buffer.from(letter))

const unreadable: FileRecord = {
  flags: FileFlag.known | FileFlag.unreadable,
  ...{ size: 0, modified: 0n, changed: 0n, inode: 0n, chars: 0 },
  ...{ room: undefined, length: 0, place: undefined },
}

/** What a file that cannot be opened is to the index. */
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

function needed(kernel: Kernel, bytes: number): number {
  const address = reserve(kernel.memory, bytes)
  if (address === undefined) throw new Error('there is no memory for an index')
  return address
}
