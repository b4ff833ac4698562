// For each word the memories that hold it, oldest first, and how often: four bytes each, in blocks
// that double up to a limit, so that a list grows in place and the last block wastes little.
import { withCapacity } from './columns.ts'

/** A memory holds a word this often or more often: all the same. */
export const maxCount = 15
/** What fits beside the count. */
export const maxMemories = 2 ** 28

const pageWords = 2 ** 16
const offsetMask = pageWords - 1
const minBlock = 2
const maxBlock = 1024

/** What is known of a list lies side by side: a word that is added touches it all. */
const listFields = 4
const headField = 0
/** The address behind the last posting. */
const tailField = 1
const lengthField = 2
/** How many postings fit before the next block, and above that the most that a memory counts. */
const roomField = 3
const roomMask = 0xffff

const noPostings = new Uint32Array(0)

/** Gets a run of postings: `memory * 16 + count`. */
export type OnPostings = (page: Uint32Array, start: number, end: number) => void

/** A place in a list, to read it in several goes. */
export interface PostingCursor {
  /** The postings from `at` to `end` of the page are next; none are left when they are the same. */
  page: Uint32Array
  at: number
  end: number
  /** What follows behind this block. */
  size: number
  remaining: number
}

export class PostingLists {
  readonly #pages: Uint32Array[] = []
  #used = pageWords
  #lists = new Uint32Array(0)

  get memoryBytes(): number {
    return this.#lists.byteLength + this.#pages.length * pageWords * 4
  }

  /** Counts the word once more in the memory, the newest of all. */
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

  /** Every posting of the word, those of forgotten memories included. */
  each(word: number, onPostings: OnPostings): void {
    let left = this.lengthOf(word)
    let address = this.#lists[word * listFields + headField] as number
    for (let size = minBlock; left > 0; size = Math.min(size * 2, maxBlock)) {
      const page = this.#pages[address >>> 16] as Uint32Array
      const start = address & offsetMask
      const taken = Math.min(left, size)
      onPostings(page, start, start + taken)
      left -= taken
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
    const taken = Math.min(cursor.remaining, cursor.size)
    cursor.page = this.#pages[address >>> 16] as Uint32Array
    cursor.at = address & offsetMask
    cursor.end = cursor.at + taken
    cursor.remaining -= taken
  }

  lengthOf(word: number): number {
    return this.#lists[word * listFields + lengthField] ?? 0
  }

  /** No memory holds the word more often. */
  maxCountOf(word: number): number {
    return 1 + ((this.#lists[word * listFields + roomField] ?? 0) >>> 16)
  }

  /** True when the last posting is of this memory. */
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

  /** A block is its postings and one word for the address of the next. */
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
