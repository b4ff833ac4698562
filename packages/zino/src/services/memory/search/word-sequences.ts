// The words of each memory in order, as varints: word pairs and the other words of a memory, which the
// inverted index cannot provide without reading texts again.
import { withCapacity } from './columns.ts'

const pageBits = 20
const pageBytes = 2 ** pageBits
const maxVarintBytes = 5

export class WordSequences {
  /** The sequence of the last `read`. */
  words = new Uint32Array(256)
  readonly #pages: Uint8Array[] = []
  #used = pageBytes
  /** Page and offset of the sequence per memory. */
  #addresses = new Uint32Array(0)

  get memoryBytes(): number {
    return this.#pages.reduce((sum, page) => sum + page.byteLength, this.#addresses.byteLength)
  }

  add(memory: number, words: Uint32Array, count: number): void {
    const maxBytes = (count + 1) * maxVarintBytes
    if (this.#used + maxBytes > pageBytes) {
      // A sequence longer than a page gets its own page.
      this.#pages.push(new Uint8Array(Math.max(pageBytes, maxBytes)))
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

  /** Reads the words of a memory into `words`, which the next call overwrites; returns their number. */
  read(memory: number): number {
    const address = this.#addresses[memory] as number
    const page = this.#pages[address >>> pageBits] as Uint8Array
    let at = address & (pageBytes - 1)
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

  /** The distinct words of a memory, in order of first occurrence. */
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
