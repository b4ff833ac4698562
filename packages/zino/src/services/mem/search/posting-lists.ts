// For each word the memories that hold it, oldest first, and how often: four bytes each, in blocks
// that double up to a limit, so that a list grows in place and the last block wastes little.
import { withRoom } from './columns.ts'

/** A memory holds a word this often or more often: all the same. */
export const mostCounted = 15
/** What fits beside the count. */
export const mostMemories = 2 ** 28

const pageWords = 2 ** 16
const smallestBlock = 2
const largestBlock = 1024

/** Gets a run of postings: `memory * 16 + count`. */
export type OnPostings = (page: Uint32Array, start: number, end: number) => void

export class PostingLists {
  readonly #pages: Uint32Array[] = []
  #used = pageWords
  #lengths = new Uint32Array(0)
  #heads = new Uint32Array(0)
  /** The address behind the last posting, and how many fit there before the next block. */
  #tails = new Uint32Array(0)
  #rooms = new Uint16Array(0)
  #mostTimes = new Uint8Array(0)

  get memoryBytes(): number {
    const columns = [this.#lengths, this.#heads, this.#tails, this.#rooms, this.#mostTimes]
    const pages = this.#pages.length * pageWords * 4
    return columns.reduce((sum, column) => sum + column.byteLength, pages)
  }

  /** Counts the word once more in the memory, the newest of all; true when it is new there. */
  add(word: number, memory: number): boolean {
    if (word >= this.#lengths.length) this.#makeRoom(word + 1)
    const length = this.#lengths[word] as number
    if (length > 0 && this.#countAgain(word, memory)) return false
    if (this.#rooms[word] === 0) this.#addBlock(word, length)
    const tail = this.#tails[word] as number
    const page = this.#pages[tail >>> 16] as Uint32Array
    page[tail & (pageWords - 1)] = memory * 16 + 1
    this.#tails[word] = tail + 1
    this.#rooms[word] = (this.#rooms[word] as number) - 1
    this.#lengths[word] = length + 1
    return true
  }

  /** Every posting of the word, those of forgotten memories included. */
  each(word: number, onPostings: OnPostings): void {
    let left = this.lengthOf(word)
    let address = this.#heads[word] as number
    for (let size = smallestBlock; left > 0; size = nextSize(size)) {
      const page = this.#pages[address >>> 16] as Uint32Array
      const start = address & (pageWords - 1)
      const taken = Math.min(left, size)
      onPostings(page, start, start + taken)
      left -= taken
      address = page[start + size] as number
    }
  }

  lengthOf(word: number): number {
    return word < this.#lengths.length ? (this.#lengths[word] as number) : 0
  }

  /** No memory holds the word more often. */
  mostTimes(word: number): number {
    return Math.max(1, this.#mostTimes[word] as number)
  }

  #makeRoom(words: number): void {
    this.#lengths = withRoom(this.#lengths, words)
    this.#heads = withRoom(this.#heads, words)
    this.#tails = withRoom(this.#tails, words)
    this.#rooms = withRoom(this.#rooms, words)
    this.#mostTimes = withRoom(this.#mostTimes, words)
  }

  /** True when the last posting is of this memory. */
  #countAgain(word: number, memory: number): boolean {
    const last = (this.#tails[word] as number) - 1
    const page = this.#pages[last >>> 16] as Uint32Array
    const at = last & (pageWords - 1)
    const posting = page[at] as number
    if (posting >>> 4 !== memory) return false
    const times = Math.min((posting & 15) + 1, mostCounted)
    page[at] = memory * 16 + times
    if (times > (this.#mostTimes[word] as number)) this.#mostTimes[word] = times
    return true
  }

  /** A block is its postings and one word for the address of the next. */
  #addBlock(word: number, length: number): void {
    const size = sizeAfter(length)
    if (this.#used + size + 1 > pageWords) {
      this.#pages.push(new Uint32Array(pageWords))
      this.#used = 0
    }
    const address = (this.#pages.length - 1) * pageWords + this.#used
    this.#used += size + 1
    if (length === 0) {
      this.#heads[word] = address
    } else {
      const tail = this.#tails[word] as number
      const page = this.#pages[tail >>> 16] as Uint32Array
      page[tail & (pageWords - 1)] = address
    }
    this.#tails[word] = address
    this.#rooms[word] = size
  }
}

function nextSize(size: number): number {
  return Math.min(size * 2, largestBlock)
}

/** The size of the block that follows `length` postings in full blocks. */
function sizeAfter(length: number): number {
  let size = smallestBlock
  for (let held = 0; held < length && size < largestBlock; held += size / 2) size *= 2
  return size
}
