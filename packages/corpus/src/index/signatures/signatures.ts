// The contents and signatures of the index: where they are stored, and which memory is free. Only the main
// thread has a store, and changes it only between requests.
import type { Kernel } from '../../kernel/kernel.ts'
import { FileFlag, FileKind, nowhere } from '../file-table.ts'
import type { FileTable } from '../file-table.ts'
import { FreeList } from './free-list.ts'
import type { Extent } from './free-list.ts'
import type { FileRecord, FreeSpace } from './file-indexer.ts'
import { maxSize, rowBytesOf } from './blocks.ts'
import type { Block, SignatureSlot } from './blocks.ts'

export { columnsOf, rowBytesOf } from './blocks.ts'
export type { Block } from './blocks.ts'
export { findCandidates, forEachFile } from './candidates.ts'
export { FileIndexer, maxIndexedBytes, unreadableRecord } from './file-indexer.ts'
export type { FileRecord } from './file-indexer.ts'
export { searchPlan } from './plan.ts'

/** A block with the file id of each column, `nowhere` for a free one. */
interface StoredBlock extends Block {
  files: Int32Array
}

/** Scratch bytes for the result row of a filter and for the trigram hashes. */
export const filterBytes = 64 + 4 * 1024
const maxHashes = 1024

export class IndexStore implements FreeSpace {
  readonly #kernel: Kernel
  readonly #table: FileTable
  readonly #scratch: number
  readonly #blocks: StoredBlock[] = []
  readonly #numbers = new Map<number, number>()
  readonly #freeSlots = new Map<number, SignatureSlot[]>()
  readonly #freeExtents = new FreeList()
  /** Files without a signature: too large, or no memory was left. They are always candidates. */
  readonly unsigned = new Set<number>()
  readonly hardLinked = new Set<number>()
  /** Inodes with several names, and those among them not yet matched to files. */
  readonly #hardLinkInodes = new Set<number>()
  readonly #newHardLinks = new Set<number>()
  contentBytes = 0
  /** Whether no other thread writes signatures. */
  hasNoWriters: () => boolean = () => true

  /** `scratch` is the address of `filterBytes` of private memory. */
  constructor(kernel: Kernel, table: FileTable, scratch: number) {
    this.#kernel = kernel
    this.#table = table
    this.#scratch = scratch
  }

  get signatureBytes(): number {
    return this.#blocks.reduce((sum, { size }) => sum + (rowBytesOf(size) << size), 0)
  }

  /** In the order of block numbers. */
  get blocks(): readonly Block[] {
    return this.#blocks
  }

  /** Adds blocks of a snapshot, with the files that the table assigns to them. */
  adopt(blocks: readonly Block[]): void {
    for (const block of blocks) this.#blockNumber(block)
    const { blocks: numbers, columns, flags, lengths, names, inodes } = this.#table
    for (let id = 0; id < names.length; id++) {
      const number = numbers[id] as number
      const flag = flags[id] as number
      if (number !== nowhere) {
        ;(this.#blocks[number] as StoredBlock).files[columns[id] as number] = id
      } else if ((flag & FileFlag.large) !== 0 || (lengths[id] as number) >= 3)
        this.unsigned.add(id)
      if ((flag & FileFlag.hardLinked) === 0) continue
      this.hardLinked.add(id)
      this.#hardLinkInodes.add(Number(inodes[id]))
    }
    for (const [number, { files }] of this.#blocks.entries()) {
      for (const [column, id] of files.entries())
        if (id === nowhere) this.#addFreeSlot(number, column)
    }
  }

  /** Stores the record of a file. */
  apply(id: number, record: FileRecord): void {
    const table = this.#table
    table.flags[id] = record.flags
    table.sizes[id] = record.size
    table.chars[id] = record.chars
    table.contents[id] = record.extent?.address ?? nowhere
    table.lengths[id] = record.length
    table.capacities[id] = record.extent?.bytes ?? 0
    table.modified[id] = record.modified
    table.changed[id] = record.changed
    table.inodes[id] = record.inode
    this.contentBytes += record.extent?.bytes ?? 0
    if ((record.flags & FileFlag.hardLinked) !== 0) this.addHardLink(record.inode)
    if (this.#hardLinkInodes.has(Number(record.inode))) this.hardLinked.add(id)
    if (record.slot !== undefined) this.#setSlot(id, record.slot)
    else if ((record.flags & FileFlag.large) !== 0 || record.length >= 3) this.unsigned.add(id)
  }

  /** Stores only the content of an indexed file; false if the file has changed. */
  fill(id: number, { extent, length, modified, changed, inode, size }: FileRecord): boolean {
    const table = this.#table
    const isSame =
      changed === table.changed[id] &&
      modified === table.modified[id] &&
      inode === table.inodes[id] &&
      size === table.sizes[id] &&
      length === table.lengths[id]
    if (!isSame || extent === undefined) return isSame
    table.contents[id] = extent.address
    table.capacities[id] = extent.bytes
    this.contentBytes += extent.bytes
    return true
  }

  /** Registers an inode with several names: its files are checked for every request. */
  addHardLink(inode: bigint): void {
    const number = Number(inode)
    if (this.#hardLinkInodes.has(number)) return
    this.#hardLinkInodes.add(number)
    this.#newHardLinks.add(number)
  }

  /** Marks files whose inode was registered after they were read. Returns false if there was none. */
  findHardLinks(): boolean {
    if (this.#newHardLinks.size === 0) return false
    const { inodes, names } = this.#table
    for (let id = 0; id < names.length; id++) {
      if (!this.#table.has(id, FileFlag.known)) continue
      if (this.#newHardLinks.has(Number(inodes[id]))) this.hardLinked.add(id)
    }
    this.#newHardLinks.clear()
    return true
  }

  /** Frees the content and the signature of a file. */
  release(id: number): void {
    const table = this.#table
    // A link shares the content of its target.
    if (table.kinds[id] !== FileKind.file) return
    const address = table.contents[id] as number
    if (address !== nowhere) this.#freeExtent({ address, bytes: table.capacities[id] as number })
    const number = table.blocks[id] as number
    if (number !== nowhere) this.#addFreeSlot(number, table.columns[id] as number)
    this.unsigned.delete(id)
    this.hardLinked.delete(id)
  }

  /** Frees the memory of a record that is obsolete. */
  discard(record: FileRecord): void {
    if (record.extent !== undefined) this.#freeExtents.give(record.extent)
    if (record.slot !== undefined) {
      this.#addFreeSlot(this.#blockNumber(record.slot.block), record.slot.column)
    }
  }

  takeExtent(bytes: number): Extent | undefined {
    return this.#freeExtents.take(bytes)
  }

  /** Returns none while other threads write, because eight files share a byte of a block. */
  takeSlot(size: number): SignatureSlot | undefined {
    return this.hasNoWriters() ? this.#freeSlots.get(size)?.pop() : undefined
  }

  /** Sets the bit of every signed file that may contain all trigrams, which are hashes of the kernel. */
  candidates(hashes: Uint32Array, found: Uint32Array): void {
    const kernel = this.#kernel
    const [row, words] = [this.#scratch, this.#scratch + 64]
    const count = Math.min(hashes.length, maxHashes)
    const { buffer } = kernel.memory
    new Uint32Array(buffer, words, count).set(hashes.subarray(0, count))
    const bits = new Uint32Array(buffer, row, 16)
    for (const { address, size, files } of this.#blocks) {
      const rowBytes = rowBytesOf(size)
      const fold = maxSize - size
      if (kernel.filterBlock(address, rowBytes, words, count, fold, row) === 0) continue
      for (let word = 0; word < rowBytes >> 2; word++) {
        for (let left = bits[word] as number; left !== 0; left &= left - 1) {
          const id = files[word * 32 + 31 - Math.clz32(left & -left)] as number
          if (id !== nowhere) found[id >>> 5] = (found[id >>> 5] as number) | (1 << (id & 31))
        }
      }
    }
  }

  #setSlot(id: number, { block, column }: SignatureSlot): void {
    const number = this.#blockNumber(block)
    this.#table.blocks[id] = number
    this.#table.columns[id] = column
    ;(this.#blocks[number] as StoredBlock).files[column] = id
  }

  #blockNumber(block: Block): number {
    const existing = this.#numbers.get(block.address)
    if (existing !== undefined) return existing
    const files = new Int32Array(block.columns).fill(nowhere)
    // Copied into one object shape: blocks from other threads differ, and reading mixed shapes is slow.
    const { address, size, columns } = block
    const number = this.#blocks.push({ address, size, columns, files }) - 1
    this.#numbers.set(block.address, number)
    return number
  }

  #addFreeSlot(number: number, column: number): void {
    const block = this.#blocks[number] as StoredBlock
    block.files[column] = nowhere
    const slots = this.#freeSlots.get(block.size)
    if (slots === undefined) this.#freeSlots.set(block.size, [{ block, column }])
    else slots.push({ block, column })
  }

  #freeExtent(room: Extent): void {
    this.contentBytes -= room.bytes
    this.#freeExtents.give(room)
  }
}
