// Posting lists: per word, the memories that contain it, oldest first, with the word count. A posting
// has four bytes. Lists are chains of blocks whose size doubles from 2 to 1024 postings.
import { withCapacity } from './columns.ts'

/** Counts saturate at this value (four bits). */
export const maxCount = 15
/** Memory ids have 28 bits. */
export const maxMemories = 2 ** 28

const pageWords = 2 ** 16
const offsetMask = pageWords - 1
const minBlock = 2
const maxBlock = 1024

/** The fields of a list are adjacent, because adding a posting touches all of them. */
const listFields = 4
const headField = 0
/** The address after the last posting. */
const tailField = 1
const lengthField = 2
/** Low 16 bits: free postings in the last block. High bits: the highest count minus one. */
const roomField = 3
const roomMask = 0xffff

const noPostings = new Uint32Array(0)

/** Receives a run of postings; each is `memory * 16 + count`. */
export type OnPostings = (page: Uint32Array, start: number, end: number) => void

/** A read position in a list. */
export interface PostingCursor {
  /** The postings of the page from `at` to `end` are next. */
  page: Uint32Array
  at: number
  end: number
  /** Capacity of this block. */
  size: number
  /** Number of postings after this block. */
  remaining: number
}

export class PostingLists {
  readonly #pages: Uint32Array[] = []
  #used = pageWords
  #lists = new Uint32Array(0)

  get memoryBytes(): number {
    return this.#lists.byteLength + this.#pages.length * pageWords * 4
  }

  /** Counts one occurrence of the word in the newest memory. */
  add(word: number, memory: number): void {
    const at = word * listFields
    this.#lists = withCapacity(this.#lists, at + listFields)
    const lists = this.#lists
    const length = lists[at + lengthField] as number
    if (length > 0 && this.#countAgain(at, memory)) return
    if (((lists[at + roomField] as number) & roomMask) === 0) this.#addBlock(at, length)
    const tail = lists[at + tailField] as number
    const page = this.#pages[tail >>> 16] as Uint32Array
    page[tail & offsetMask] = memory * 16 + 1
    lists[at + tailField] = tail + 1
    lists[at + lengthField] = length + 1
    lists[at + roomField] = (lists[at + roomField] as number) - 1
  }

  /** Visits every posting of the word, including those of forgotten memories. */
  each(word: number, onPostings: OnPostings): void {
    let remaining = this.lengthOf(word)
    let address = this.#lists[word * listFields + headField] as number
    for (let size = minBlock; remaining > 0; size = Math.min(size * 2, maxBlock)) {
      const page = this.#pages[address >>> 16] as Uint32Array
      const start = address & offsetMask
      const count = Math.min(remaining, size)
      onPostings(page, start, start + count)
      remaining -= count
      address = page[start + size] as number
    }
  }

  cursor(word: number): PostingCursor {
    const cursor = {
      page: noPostings,
      at: 0,
      end: 0,
      size: minBlock,
      remaining: this.lengthOf(word),
    }
    if (cursor.remaining > 0)
      this.#enter(cursor, this.#lists[word * listFields + headField] as number)
    return cursor
  }

  /** Moves a cursor to the next block; false when there is none. */
  advance(cursor: PostingCursor): boolean {
    if (cursor.remaining === 0) return false
    const { page, end } = cursor
    cursor.size = Math.min(cursor.size * 2, maxBlock)
    this.#enter(cursor, page[end] as number)
    return true
  }

  #enter(cursor: PostingCursor, address: number): void {
    const count = Math.min(cursor.remaining, cursor.size)
    cursor.page = this.#pages[address >>> 16] as Uint32Array
    cursor.at = address & offsetMask
    cursor.end = cursor.at + count
    cursor.remaining -= count
  }

  lengthOf(word: number): number {
    return this.#lists[word * listFields + lengthField] ?? 0
  }

  /** The highest count of the word in any memory. */
  maxCountOf(word: number): number {
    return 1 + ((this.#lists[word * listFields + roomField] ?? 0) >>> 16)
  }

  /** Increments the last posting if it belongs to this memory; returns whether it does. */
  #countAgain(at: number, memory: number): boolean {
    const last = (this.#lists[at + tailField] as number) - 1
    const page = this.#pages[last >>> 16] as Uint32Array
    const posting = page[last & offsetMask] as number
    if (posting >>> 4 !== memory) return false
    const before = posting & 15
    if (before === maxCount) return true
    page[last & offsetMask] = posting + 1
    const room = this.#lists[at + roomField] as number
    if (before > room >>> 16) this.#lists[at + roomField] = (room & roomMask) | (before << 16)
    return true
  }

  /** Appends a block: its postings and the address of the next block. */
  #addBlock(at: number, length: number): void {
    const size = blockSizeAfter(length)
    if (this.#used + size + 1 > pageWords) {
      this.#pages.push(new Uint32Array(pageWords))
      this.#used = 0
    }
    const address = (this.#pages.length - 1) * pageWords + this.#used
    this.#used += size + 1
    if (length === 0) {
      this.#lists[at + headField] = address
    } else {
      const tail = this.#lists[at + tailField] as number
      const page = this.#pages[tail >>> 16] as Uint32Array
      page[tail & offsetMask] = address
    }
    this.#lists[at + tailField] = address
    this.#lists[at + roomField] = (this.#lists[at + roomField] as number) + size
  }
}

/** The size of the block that follows `length` postings in full blocks. */
function blockSizeAfter(length: number): number {
  let size = minBlock
  for (let held = 0; held < length && size < maxBlock; held += size / 2) size *= 2
  return size
}
