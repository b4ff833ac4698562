// Interns words as numbers. Words with the same form (the stem, or the word itself) share one number.
// A lookup reads one hash table entry and the word's bytes and creates no string, because an index is
// built from tens of millions of words.
import { withCapacity } from './columns.ts'
import { eachOneEdit, emitWord } from './words/words.ts'

/** Entry fields: hash, address of the bytes, own number plus one, number of the form plus one. */
const entrySize = 4
const initialEntries = 1024
/** Words with fewer letters have too many neighbours. */
export const minSimilarLength = 5

export class WordTable {
  readonly #formOf: (word: string) => string
  #entries = new Uint32Array(initialEntries * entrySize)
  /** The words, each prefixed with its length in one byte. */
  #bytes = new Uint8Array(0)
  /** The same bytes, for decoding strings. */
  #view = Buffer.alloc(0)
  #used = 0
  #count = 0
  /** Letters of the words with enough letters to be similar to another, and the same as bytes. */
  readonly #letters = new Set<string>()
  #letterBytes: readonly Uint8Array[] = []

  constructor(formOf: (word: string) => string) {
    this.#formOf = formOf
  }

  /** Number of words and forms; every number is below it. */
  get count(): number {
    return this.#count
  }

  get memoryBytes(): number {
    return this.#entries.byteLength + this.#bytes.byteLength
  }

  /** The number of a word; assigns one to a new word. */
  intern(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const at = this.#findOrAdd(bytes, start, end, hash)
    const formNumber = this.#entries[at + 3] as number
    return formNumber === 0 ? this.#resolveForm(at) : formNumber - 1
  }

  /** The number of a form, or -1 when it is unknown. */
  find(form: string): number {
    let number = -1
    emitWord(form, (...word) => {
      number = (this.#entries[this.#slotOf(...word) + 2] as number) - 1
    })
    return number
  }

  /** Forms of known words that differ from `word` by one edit, each once. */
  similar(word: string): number[] {
    const forms = new Set<number>()
    eachOneEdit(word, this.#alphabet(), (bytes, start, end, hash) => {
      const at = this.#slotOf(bytes, start, end, hash)
      if (this.#entries[at + 2] === 0) return
      const formNumber = this.#entries[at + 3] as number
      const text = this.#textAt(this.#entries[at + 1] as number)
      forms.add(formNumber === 0 ? this.find(this.#formOf(text)) : formNumber - 1)
    })
    forms.delete(-1)
    return [...forms]
  }

  /** Every letter of the words that can be similar to another. */
  #alphabet(): readonly Uint8Array[] {
    if (this.#letterBytes.length !== this.#letters.size) {
      this.#letterBytes = [...this.#letters].map((letter) => Buffer.from(letter))
    }
    return this.#letterBytes
  }

  #textAt(address: number): string {
    const end = address + 1 + (this.#bytes[address] as number)
    return this.#view.toString('utf8', address + 1, end)
  }

  /** Computes the form of a word, once per word, and returns its number. */
  #resolveForm(at: number): number {
    const address = this.#entries[at + 1] as number
    const end = address + 1 + (this.#bytes[address] as number)
    const text = this.#textAt(address)
    const ownNumber = this.#entries[at + 2] as number
    const hash = this.#entries[at] as number
    const form = this.#formOf(text)
    let number = ownNumber
    if (form !== text) {
      emitWord(form, (...word) => {
        number = this.#entries[this.#findOrAdd(...word) + 2] as number
      })
    }
    // Adding the form may have grown the table.
    const again = this.#slotOf(this.#bytes, address + 1, end, hash)
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

  /** The slot of the word, or the empty slot where it belongs. */
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

  #isSame(address: number, bytes: Uint8Array, start: number, end: number): boolean {
    const stored = this.#bytes
    const length = end - start
    if (stored[address] !== length) return false
    for (let at = 0; at < length; at += 1) {
      if (stored[address + 1 + at] !== bytes[start + at]) return false
    }
    return true
  }

  #storeBytes(bytes: Uint8Array, start: number, end: number): number {
    const address = this.#used
    const length = end - start
    const stored = withCapacity(this.#bytes, address + 1 + length)
    if (stored !== this.#bytes) this.#view = Buffer.from(stored.buffer)
    this.#bytes = stored
    stored[address] = length
    for (let at = 0; at < length; at += 1) stored[address + 1 + at] = bytes[start + at] as number
    this.#used = address + 1 + length
    if (length >= minSimilarLength - 1) this.#addLetters(address)
    return address
  }

  #addLetters(address: number): void {
    const letters = [...this.#textAt(address)]
    if (letters.length < minSimilarLength - 1) return
    for (const letter of letters) this.#letters.add(letter)
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
