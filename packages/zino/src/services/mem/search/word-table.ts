// Numbers for words, in the order in which they are first seen. The words lie one behind another in
// one array of bytes: a Map of strings would take several times the memory and the time.
import { withRoom } from './columns.ts'

export class WordTable {
  #places = new Uint32Array(1024)
  #hashes = new Uint32Array(0)
  /** Where a word's bytes begin; they end where the next word's begin. */
  #starts = new Uint32Array(1)
  #bytes = new Uint8Array(0)
  #count = 0

  get count(): number {
    return this.#count
  }

  get memoryBytes(): number {
    const columns = [this.#places, this.#hashes, this.#starts, this.#bytes]
    return columns.reduce((sum, column) => sum + column.byteLength, 0)
  }

  /** The word's number, or -1. */
  find(bytes: Uint8Array, start: number, end: number, hash: number): number {
    return (this.#places[this.#placeOf(bytes, start, end, hash)] as number) - 1
  }

  findOrAdd(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const place = this.#placeOf(bytes, start, end, hash)
    const known = (this.#places[place] as number) - 1
    if (known !== -1) return known
    const word = this.#count
    this.#keep(word, bytes, start, end, hash)
    this.#places[place] = word + 1
    this.#count += 1
    if (this.#count * 2 > this.#places.length) this.#rehash()
    return word
  }

  textOf(word: number): string {
    const start = this.#starts[word] as number
    const end = this.#starts[word + 1] as number
    return Buffer.from(this.#bytes.buffer, start, end - start).toString('utf8')
  }

  /** Where the word is, or the empty place where it belongs. */
  #placeOf(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const mask = this.#places.length - 1
    let place = hash & mask
    for (;;) {
      const word = (this.#places[place] as number) - 1
      if (word === -1) return place
      if (this.#hashes[word] === hash && this.#isSame(word, bytes, start, end)) return place
      place = (place + 1) & mask
    }
  }

  #isSame(word: number, bytes: Uint8Array, start: number, end: number): boolean {
    const own = this.#starts[word] as number
    const length = end - start
    if ((this.#starts[word + 1] as number) - own !== length) return false
    for (let at = 0; at < length; at += 1) {
      if (this.#bytes[own + at] !== bytes[start + at]) return false
    }
    return true
  }

  #keep(word: number, bytes: Uint8Array, start: number, end: number, hash: number): void {
    const own = this.#starts[word] as number
    this.#bytes = withRoom(this.#bytes, own + end - start)
    for (let at = start; at < end; at += 1) this.#bytes[own + at - start] = bytes[at] as number
    this.#starts = withRoom(this.#starts, word + 2)
    this.#starts[word + 1] = own + end - start
    this.#hashes = withRoom(this.#hashes, word + 1)
    this.#hashes[word] = hash
  }

  #rehash(): void {
    const places = new Uint32Array(this.#places.length * 2)
    const mask = places.length - 1
    for (let word = 0; word < this.#count; word += 1) {
      let place = (this.#hashes[word] as number) & mask
      while (places[place] !== 0) place = (place + 1) & mask
      places[place] = word + 1
    }
    this.#places = places
  }
}
