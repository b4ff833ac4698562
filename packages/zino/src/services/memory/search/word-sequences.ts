// The words of each memory in their order, as numbers of variable length: what an inverted index
// cannot say (which word follows which, what else a memory holds) without reading its text again.
import { withCapacity } from './columns.ts'

const pageBits = 20
const pageBytes = 2 ** pageBits
const maxVarintBytes = 5

export class WordSequences {
  /** The sequence that was read last. */
  words = new Uint32Array(256)
  readonly #pages: Uint8Array[] = []
  #used = pageBytes
  /** Page and offset of each memory's sequence. */
  #addresses = new Uint32Array(0)

  get memoryBytes(): number {
    return this.#pages.reduce((sum, page) => sum + page.byteLength, this.#addresses.byteLength)
  }

  add(memory: number, words: Uint32Array, count: number): void {
    const most = (count + 1) * maxVarintBytes
    if (this.#used + most > pageBytes) {
      // A page of its own for a sequence that is longer than a page.
      this.#pages.push(new Uint8Array(Math.max(pageBytes, most)))
      this.#used = 0
    }
    const page = this.#pages.at(-1) as Uint8Array
    this.#addresses = withCapacity(this.#addresses, memory + 1)
    this.#addresses[memory] = (this.#pages.length - 1) * pageBytes + this.#used
    let at = writeVarint(page, this.#used, count)
    for (let index = 0; index < count; index += 1)
      at = writeVarint(page, at, words[index] as number)
    this.#used = at
  }

  /** Puts the words of a memory into `words`, where the next call overwrites them; returns how many. */
  read(memory: number): number {
    const place = this.#addresses[memory] as number
    const page = this.#pages[place >>> pageBits] as Uint8Array
    let at = place & (pageBytes - 1)
    let count = -1
    let index = 0
    do {
      let value = page[at++] as number
      if (value > 127) {
        value &= 127
        for (let shift = 7; ; shift += 7) {
          const byte = page[at++] as number
          value |= (byte & 127) << shift
          if (byte < 128) break
        }
      }
      if (count === -1) {
        count = value
        if (count > this.words.length) this.words = withCapacity(this.words, count)
      } else {
        this.words[index++] = value
      }
    } while (index < count)
    return count
  }

  /** The words of a memory, each once, in the order in which they first occur. */
  distinct(memory: number): Set<number> {
    const count = this.read(memory)
    return new Set(this.words.subarray(0, count))
  }

  areEqual(one: number, other: number): boolean {
    const count = this.read(one)
    return this.equals(other, this.words.slice(0, count))
  }

  /** Whether the memory consists of exactly these words. */
  equals(memory: number, words: ArrayLike<number>): boolean {
    if (this.read(memory) !== words.length) return false
    for (let at = 0; at < words.length; at += 1) if (words[at] !== this.words[at]) return false
    return true
  }
}

function writeVarint(page: Uint8Array, start: number, number: number): number {
  let at = start
  let rest = number
  while (rest > 127) {
    page[at++] = (rest & 127) | 128
    rest >>>= 7
  }
  page[at++] = rest
  return at
}
