// Numbers for words. A word is known by its form, its stem or itself: words of one form have one number.
// A look-up touches one entry of the table and the bytes of the word and makes no string, because an
// index is built from tens of millions of them.
import { withCapacity } from './columns.ts'
import { emitWord } from './words/words.ts'

/** An entry: its hash, where its bytes lie, its own number plus one, that of its form plus one. */
const entrySize = 4
const initialEntries = 1024

export class WordTable {
  readonly #formOf: (word: string) => string
  #entries = new Uint32Array(initialEntries * entrySize)
  /** The words, each behind a byte with its length. */
  #bytes = new Uint8Array(0)
  /** The same bytes; strings are made from it. */
  #view = Buffer.alloc(0)
  #used = 0
  #count = 0

  constructor(formOf: (word: string) => string) {
    this.#formOf = formOf
  }

  /** Words and forms; every number is below it. */
  get count(): number {
    return this.#count
  }

  get memoryBytes(): number {
    return this.#entries.byteLength + this.#bytes.byteLength
  }

  /** The number of a word that is met; it gets one if it has none. */
  intern(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const at = this.#findOrAdd(bytes, start, end, hash)
    const known = this.#entries[at + 3] as number
    return known === 0 ? this.#resolveForm(at) : known - 1
  }

  /** The number of a form, or -1 when no word of that form was met. */
  find(form: string): number {
    let number = -1
    emitWord(form, (...word) => {
      number = (this.#entries[this.#slotOf(...word) + 2] as number) - 1
    })
    return number
  }

  /** Finds out, once for each word, what it is known by. */
  #resolveForm(at: number): number {
    const place = this.#entries[at + 1] as number
    const end = place + 1 + (this.#bytes[place] as number)
    const text = this.#view.toString('utf8', place + 1, end)
    const own = this.#entries[at + 2] as number
    const hash = this.#entries[at] as number
    const form = this.#formOf(text)
    let number = own
    if (form !== text) {
      emitWord(form, (...word) => {
        number = this.#entries[this.#findOrAdd(...word) + 2] as number
      })
    }
    // The table may have grown meanwhile.
    const again = this.#slotOf(this.#bytes, place + 1, end, hash)
    this.#entries[again + 3] = number
    return number - 1
  }

  #findOrAdd(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const at = this.#slotOf(bytes, start, end, hash)
    if (this.#entries[at + 2] !== 0) return at
    this.#count += 1
    this.#entries[at] = hash
    this.#entries[at + 1] = this.#storeBytes(bytes, start, end)
    this.#entries[at + 2] = this.#count
    if (this.#count * 2 * entrySize <= this.#entries.length) return at
    this.#grow()
    return this.#slotOf(bytes, start, end, hash)
  }

  /** Where the word's entry is, or the empty one where it belongs. */
  #slotOf(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const entries = this.#entries
    const mask = entries.length - 1
    let at = (hash * entrySize) & mask
    while (entries[at + 2] !== 0) {
      if (entries[at] === hash && this.#isSame(entries[at + 1] as number, bytes, start, end)) break
      at = (at + entrySize) & mask
    }
    return at
  }

  #isSame(place: number, bytes: Uint8Array, start: number, end: number): boolean {
    const own = this.#bytes
    const length = end - start
    if (own[place] !== length) return false
    for (let at = 0; at < length; at += 1) {
      if (own[place + 1 + at] !== bytes[start + at]) return false
    }
    return true
  }

  #storeBytes(bytes: Uint8Array, start: number, end: number): number {
    const place = this.#used
    const length = end - start
    const kept = withCapacity(this.#bytes, place + 1 + length)
    if (kept !== this.#bytes) this.#view = Buffer.from(kept.buffer)
    this.#bytes = kept
    kept[place] = length
    for (let at = 0; at < length; at += 1) kept[place + 1 + at] = bytes[start + at] as number
    this.#used = place + 1 + length
    return place
  }

  #grow(): void {
    const old = this.#entries
    const entries = new Uint32Array(old.length * 2)
    const mask = entries.length - 1
    for (let from = 0; from < old.length; from += entrySize) {
      if (old[from + 2] === 0) continue
      let at = ((old[from] as number) * entrySize) & mask
      while (entries[at + 2] !== 0) at = (at + entrySize) & mask
      for (let field = 0; field < entrySize; field += 1) {
        entries[at + field] = old[from + field] as number
      }
    }
    this.#entries = entries
  }
}
