// What the index holds of each file: contents and signatures, where they are, and what became free again.
// Only the thread that answers requests has one, and changes it only between requests.
import type { Kernel } from '../../kernel/kernel.ts'
import { FileFlag, FileKind, nowhere } from '../file-table.ts'
import type { FileTable } from '../file-table.ts'
import { FreeList } from './free-list.ts'
import type { Room } from './free-list.ts'
import type { FileRecord, Leftovers } from './file-indexer.ts'
import { largestSize, rowBytesOf } from './blocks.ts'
import type { Block, Place } from './blocks.ts'

export { columnsOf, rowBytesOf } from './blocks.ts'
export type { Block } from './blocks.ts'
export { candidatesOf, eachFile } from './candidates.ts'
export { FileIndexer, largestIndexed, unreadableRecord } from './file-indexer.ts'
export type { FileRecord } from './file-indexer.ts'
export { searchPlan } from './plan.ts'

/** A block with the file of each column, NOWHERE where there is none. */
interface KnownBlock extends Block {
  files: Int32Array
}

/** Room for the row that a filter gives, and for the trigrams it is asked. */
export const filterBytes = 64 + 4 * 1024
const mostHashes = 1024

export class IndexStore implements Leftovers {
  readonly #kernel: Kernel
  readonly #table: FileTable
  readonly #scratch: number
  readonly #blocks: KnownBlock[] = []
  readonly #numbers = new Map<number, number>()
  readonly #freePlaces = new Map<number, Place[]>()
  readonly #rooms = new FreeList()
  /** Files that a signature cannot tell about: too large, or there was no memory. */
  readonly unsigned = new Set<number>()
  readonly hardLinked = new Set<number>()
  /** Numbers on the disk of files that have several names, and those that were not looked for yet. */
  readonly #linked = new Set<number>()
  readonly #newlyLinked = new Set<number>()
  contentBytes = 0
  /** Whether no other thread is at work. */
  isQuiet: () => boolean = () => true

  /** `scratch` is the address of FILTER_BYTES for this store alone. */
  constructor(kernel: Kernel, table: FileTable, scratch: number) {
    this.#kernel = kernel
    this.#table = table
    this.#scratch = scratch
  }

  get signatureBytes(): number {
    return this.#blocks.reduce((sum, { size }) => sum + (rowBytesOf(size) << size), 0)
  }

  /** Sizes of the blocks, in the order of their numbers. */
  get blocks(): readonly Block[] {
    return this.#blocks
  }

  /** Takes over blocks with the files that the table has in them. */
  adopt(blocks: readonly Block[]): void {
    for (const block of blocks) this.#numberOf(block)
    const { blocks: numbers, columns, flags, lengths, names, inodes } = this.#table
    for (let id = 0; id < names.length; id++) {
      const number = numbers[id] as number
      const flag = flags[id] as number
      if (number !== nowhere) {
        ;(this.#blocks[number] as KnownBlock).files[columns[id] as number] = id
      } else if ((flag & FileFlag.large) !== 0 || (lengths[id] as number) >= 3)
        this.unsigned.add(id)
      if ((flag & FileFlag.hardLinked) === 0) continue
      this.hardLinked.add(id)
      this.#linked.add(Number(inodes[id]))
    }
    for (const [number, { files }] of this.#blocks.entries()) {
      for (const [column, id] of files.entries())
        if (id === nowhere) this.#freePlace(number, column)
    }
  }

  /** Takes over what was read of a file. */
  apply(id: number, record: FileRecord): void {
    const table = this.#table
    table.flags[id] = record.flags
    table.sizes[id] = record.size
    table.chars[id] = record.chars
    table.contents[id] = record.room?.address ?? nowhere
    table.lengths[id] = record.length
    table.rooms[id] = record.room?.bytes ?? 0
    table.modified[id] = record.modified
    table.changed[id] = record.changed
    table.inodes[id] = record.inode
    this.contentBytes += record.room?.bytes ?? 0
    if ((record.flags & FileFlag.hardLinked) !== 0) this.link(record.inode)
    if (this.#linked.has(Number(record.inode))) this.hardLinked.add(id)
    if (record.place !== undefined) this.#setPlace(id, record.place)
    else if ((record.flags & FileFlag.large) !== 0 || record.length >= 3) this.unsigned.add(id)
  }

  /** Takes over only the content of a file that is known; false when it is not the file that is known. */
  fill(id: number, { room, length, modified, changed, inode, size }: FileRecord): boolean {
    const table = this.#table
    const isKnown =
      changed === table.changed[id] &&
      modified === table.modified[id] &&
      inode === table.inodes[id] &&
      size === table.sizes[id] &&
      length === table.lengths[id]
    if (!isKnown || room === undefined) return isKnown
    table.contents[id] = room.address
    table.rooms[id] = room.bytes
    this.contentBytes += room.bytes
    return true
  }

  /** A file is known to have several names: it is looked at again under each of them. */
  link(inode: bigint): void {
    const number = Number(inode)
    if (this.#linked.has(number)) return
    this.#linked.add(number)
    this.#newlyLinked.add(number)
  }

  /** Finds the files that had one name when they were read and have several by now; false for none. */
  findLinked(): boolean {
    if (this.#newlyLinked.size === 0) return false
    const { inodes, names } = this.#table
    for (let id = 0; id < names.length; id++) {
      if (!this.#table.has(id, FileFlag.known)) continue
      if (this.#newlyLinked.has(Number(inodes[id]))) this.hardLinked.add(id)
    }
    this.#newlyLinked.clear()
    return true
  }

  /** Gives back what a file holds. */
  release(id: number): void {
    const table = this.#table
    // What a link has is its file's.
    if (table.kinds[id] !== FileKind.file) return
    const address = table.contents[id] as number
    if (address !== nowhere) this.#freeRoom({ address, bytes: table.rooms[id] as number })
    const number = table.blocks[id] as number
    if (number !== nowhere) this.#freePlace(number, table.columns[id] as number)
    this.unsigned.delete(id)
    this.hardLinked.delete(id)
  }

  /** Gives back what came of a file that is not wanted any more. */
  discard(record: FileRecord): void {
    if (record.room !== undefined) this.#rooms.give(record.room)
    if (record.place !== undefined) {
      this.#freePlace(this.#numberOf(record.place.block), record.place.column)
    }
  }

  room(bytes: number): Room | undefined {
    return this.#rooms.take(bytes)
  }

  /** None while other threads write: a byte of a block holds the bits of eight files. */
  place(size: number): Place | undefined {
    return this.isQuiet() ? this.#freePlaces.get(size)?.pop() : undefined
  }

  /** Sets the bit of every signed file that may hold all of these trigrams (hashes as the kernel gives them). */
  candidates(hashes: Uint32Array, found: Uint32Array): void {
    const kernel = this.#kernel
    const [row, words] = [this.#scratch, this.#scratch + 64]
    const count = Math.min(hashes.length, mostHashes)
    const { buffer } = kernel.memory
    new Uint32Array(buffer, words, count).set(hashes.subarray(0, count))
    const bits = new Uint32Array(buffer, row, 16)
    for (const { address, size, files } of this.#blocks) {
      const rowBytes = rowBytesOf(size)
      const fold = largestSize - size
      if (kernel.filterBlock(address, rowBytes, words, count, fold, row) === 0) continue
      for (let word = 0; word < rowBytes >> 2; word++) {
        for (let left = bits[word] as number; left !== 0; left &= left - 1) {
          const id = files[word * 32 + 31 - Math.clz32(left & -left)] as number
          if (id !== nowhere) found[id >>> 5] = (found[id >>> 5] as number) | (1 << (id & 31))
        }
      }
    }
  }

  #setPlace(id: number, { block, column }: Place): void {
    const number = this.#numberOf(block)
    this.#table.blocks[id] = number
    this.#table.columns[id] = column
    ;(this.#blocks[number] as KnownBlock).files[column] = id
  }

  #numberOf(block: Block): number {
    const known = this.#numbers.get(block.address)
    if (known !== undefined) return known
    const files = new Int32Array(block.columns).fill(nowhere)
    // All alike: what came from other threads is not, and reading it would cost as much as a filter.
    const { address, size, columns } = block
    const number = this.#blocks.push({ address, size, columns, files }) - 1
    this.#numbers.set(block.address, number)
    return number
  }

  #freePlace(number: number, column: number): void {
    const block = this.#blocks[number] as KnownBlock
    block.files[column] = nowhere
    const places = this.#freePlaces.get(block.size)
    if (places === undefined) this.#freePlaces.set(block.size, [{ block, column }])
    else places.push({ block, column })
  }

  #freeRoom(room: Room): void {
    this.contentBytes -= room.bytes
    this.#rooms.give(room)
  }
}
