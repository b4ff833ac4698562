// The inverted index over hard memories: which words each memory holds, in which order, with which tag.
// Texts are not kept. Memories are added and forgotten in place; both rankings read the same columns.
import { cutToBytes } from '@zee/core/bounded'
import { withRoom } from './columns.ts'
import { isNoiseWord } from './noise-words.ts'
import { mostMemories, PostingLists } from './posting-lists.ts'
import { stemOf } from './stem.ts'
import { WordSequences } from './word-sequences.ts'
import { WordTable } from './word-table.ts'
import type { OnWord } from './words.ts'
import { asWord, eachWord, longestWordBytes, wordsOf } from './words.ts'

export interface IndexOptions {
  /** Words are found by their stems; noise words stay as they are. */
  stems: boolean
}

/** A word of a query. */
export interface QueryWord {
  text: string
  /** Its number, or -1 when no memory ever held it. */
  word: number
  isNoise: boolean
}

/** A query is read no further than this. */
const longestQuery = 100_000
const longestLength = 65_535
const longestLead = 100
const leadPattern = /^\s*[\p{L}\p{N}]+(?:[ '.-]+[\p{L}\p{N}]+){0,2}:/u

export class MemoryIndex {
  readonly postings = new PostingLists()
  readonly sequences = new WordSequences()
  /** How many words each memory has; 0 when it is forgotten or has none. */
  lengths = new Uint16Array(0)
  /** A number for each memory's tag; memories with the same tag have the same. */
  tags = new Uint32Array(0)
  /** For memories that begin with a name and a colon the number of the name, plus one. */
  leads = new Uint32Array(0)
  /** In how many memories each word is. */
  holders = new Uint32Array(0)
  /** 1 for noise words. */
  noise = new Uint8Array(0)
  /** Memories that can be found, and the words in them. */
  memories = 0
  totalWords = 0
  readonly #table = new WordTable()
  readonly #stems: boolean
  /** For each word as written the number that it is found by, plus one. */
  #stemNumbers = new Uint32Array(0)
  #tagNumbers = new Map<string, number>()
  #collected = new Uint32Array(256)
  #count = 0
  #next = 0

  constructor({ stems }: IndexOptions) {
    this.#stems = stems
  }

  /** The id that the next memory gets; also how many there were in all. */
  get next(): number {
    return this.#next
  }

  get words(): number {
    return this.#table.count
  }

  get memoryBytes(): number {
    const columns = [this.lengths, this.tags, this.leads, this.holders, this.noise]
    const parts = [this.postings, this.sequences, this.#table]
    return (
      columns.reduce((sum, column) => sum + column.byteLength, this.#stemNumbers.byteLength) +
      parts.reduce((sum, part) => sum + part.memoryBytes, 0)
    )
  }

  /** Adds a memory with its texts in order; a forgotten one takes its id without any. */
  add(texts: readonly string[], tag: string): number {
    const id = this.#next
    if (id >= mostMemories) throw new RangeError('too many memories')
    this.#count = 0
    for (const text of texts) eachWord(text, this.#collect)
    eachWord(tag, this.#collect)
    this.#makeRoom(id + 1)
    this.sequences.add(id, this.#collected, this.#count)
    this.lengths[id] = Math.min(this.#count, longestLength)
    this.tags[id] = this.#tagNumber(tag)
    if (this.#count > 0 && leadPattern.test(texts[0]?.slice(0, longestLead) ?? '')) {
      this.leads[id] = (this.#collected[0] as number) + 1
    }
    for (let at = 0; at < this.#count; at += 1) {
      const word = this.#collected[at] as number
      if (this.postings.add(word, id)) this.holders[word] = (this.holders[word] as number) + 1
    }
    if (this.#count > 0) this.memories += 1
    this.totalWords += this.lengths[id]
    this.#next += 1
    return id
  }

  /** Its postings stay until the next start and count for nothing. */
  forget(id: number): void {
    const length = this.lengths[id] ?? 0
    if (length === 0) return
    for (const word of this.sequences.distinct(id)) {
      this.holders[word] = (this.holders[word] as number) - 1
    }
    this.lengths[id] = 0
    this.memories -= 1
    this.totalWords -= length
  }

  /** The words of a query in their order. */
  parse(query: string): QueryWord[] {
    return wordsOf(query.slice(0, longestQuery)).map((text) => ({
      text,
      word: this.#numberOf(text),
      isNoise: isNoiseWord(text),
    }))
  }

  /** Memories that consist of the same words in the same order. */
  sameWords(texts: readonly string[], tag: string): number[] {
    const words = [...texts, tag]
      .flatMap((text) => wordsOf(text))
      .map((word) => this.#numberOf(word))
    if (words.includes(-1)) return []
    const [rarest] = [...words].sort((one, other) => this.#heldBy(one) - this.#heldBy(other))
    const same: number[] = []
    if (rarest === undefined) return same
    this.postings.each(rarest, (page, start, end) => {
      for (let at = start; at < end; at += 1) {
        const id = (page[at] as number) >>> 4
        if (this.lengths[id] !== 0 && this.sequences.holds(id, words)) same.push(id)
      }
    })
    return same
  }

  readonly #collect: OnWord = (bytes, start, end, hash) => {
    const written = this.#table.findOrAdd(bytes, start, end, hash)
    if (this.#count === this.#collected.length) {
      this.#collected = withRoom(this.#collected, this.#count + 1)
    }
    this.#collected[this.#count++] = this.#stems ? this.#stemOf(written) : written
  }

  #stemOf(written: number): number {
    const known = written < this.#stemNumbers.length ? (this.#stemNumbers[written] as number) : 0
    return known === 0 ? this.#learn(written) : known - 1
  }

  /** Finds out, once for each word as written, what it is found by. */
  #learn(written: number): number {
    const text = this.#table.textOf(written)
    const form = indexedForm(text)
    let number = written
    if (form !== text) {
      asWord(form, (...word) => {
        number = this.#table.findOrAdd(...word)
      })
    }
    this.#stemNumbers = withRoom(this.#stemNumbers, this.#table.count)
    this.#stemNumbers[written] = number + 1
    this.noise = withRoom(this.noise, this.#table.count)
    if (isNoiseWord(text)) this.noise[number] = 1
    return number
  }

  /** What a word is found by, or -1 when no memory ever held it. */
  #numberOf(text: string): number {
    const known =
      text.length * 3 <= longestWordBytes ? text : cutToBytes(text, longestWordBytes).text
    let number = -1
    asWord(this.#stems ? indexedForm(known) : known, (...word) => {
      number = this.#table.find(...word)
    })
    return number
  }

  #heldBy(word: number): number {
    return this.holders[word] as number
  }

  #makeRoom(memories: number): void {
    this.lengths = withRoom(this.lengths, memories)
    this.tags = withRoom(this.tags, memories)
    this.leads = withRoom(this.leads, memories)
    this.holders = withRoom(this.holders, this.#table.count)
    this.noise = withRoom(this.noise, this.#table.count)
  }

  #tagNumber(tag: string): number {
    const known = this.#tagNumbers.get(tag)
    if (known !== undefined) return known
    const number = this.#tagNumbers.size
    this.#tagNumbers.set(tag, number)
    return number
  }
}

/** A stem that happens to be a noise word would be lost among those. */
function indexedForm(text: string): string {
  if (isNoiseWord(text)) return text
  const stem = stemOf(text)
  return isNoiseWord(stem) ? text : stem
}
