// The inverted index over hard memories: which words each memory holds, in which order, with which tag.
// Texts are not kept. Memories are added and forgotten in place; both rankings read the same columns.
import { cutToBytes } from '@zee/core/bounded'
import { withCapacity } from './columns.ts'
import { maxMemories, PostingLists } from './posting-lists.ts'
import { WordSequences } from './word-sequences.ts'
import { WordTable } from './word-table.ts'
import type { OnWord } from './words/words.ts'
import { eachWord, isStopWord, maxWordBytes, stopWords, stemOf, splitWords } from './words/words.ts'

export interface IndexOptions {
  /** Words are found by their stems; noise words stay as they are. */
  stems: boolean
}

/** A word of a query. */
export interface QueryWord {
  text: string
  /** Its number, or -1 when no memory ever held it. */
  word: number
  isStopWord: boolean
}

/** A query is read no further than this. */
const maxQueryLength = 100_000
const maxLength = 65_535
const maxLeadLength = 100
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
  /** Noise words come first: their numbers are below this. */
  readonly stopWordEnd: number
  /** Memories that can be found, and the words in them. */
  memoryCount = 0
  totalWords = 0
  readonly #stems: boolean
  readonly #table: WordTable
  /** By word, how many of its postings are of forgotten memories. */
  #forgotten = new Uint32Array(0)
  readonly #tagNumbers = new Map<string, number>()
  #collected = new Uint32Array(256)
  #count = 0
  #nextId = 0

  constructor({ stems }: IndexOptions) {
    this.#stems = stems
    this.#table = new WordTable(stems ? stemmedForm : (word) => word)
    if (stems) for (const word of stopWords) eachWord(word, this.#collect)
    this.stopWordEnd = this.#table.count
  }

  /** The id that the next memory gets; also how many there were in all. */
  get nextId(): number {
    return this.#nextId
  }

  /** All numbers of words are below this. */
  get wordCount(): number {
    return this.#table.count
  }

  get memoryBytes(): number {
    const columns = [this.lengths, this.tags, this.leads, this.#forgotten]
    const parts = [this.postings, this.sequences, this.#table]
    return (
      columns.reduce((sum, column) => sum + column.byteLength, 0) +
      parts.reduce((sum, part) => sum + part.memoryBytes, 0)
    )
  }

  /** In how many memories a word is. */
  documentFrequency(word: number): number {
    return this.postings.lengthOf(word) - (this.#forgotten[word] ?? 0)
  }

  /** Adds a memory with its texts in order; a forgotten one takes its id without any. */
  add(texts: readonly string[], tag: string): number {
    const id = this.#nextId
    if (id >= maxMemories) throw new RangeError('too many memories')
    this.#count = 0
    for (const text of texts) eachWord(text, this.#collect)
    eachWord(tag, this.#collect)
    const count = this.#count
    const words = this.#collected
    this.#reserve(id + 1)
    this.sequences.add(id, words, count)
    this.lengths[id] = Math.min(count, maxLength)
    this.tags[id] = this.#tagNumber(tag)
    if (count > 0 && leadPattern.test(texts[0]?.slice(0, maxLeadLength) ?? '')) {
      this.leads[id] = (words[0] as number) + 1
    }
    for (let at = 0; at < count; at += 1) this.postings.add(words[at] as number, id)
    if (count > 0) this.memoryCount += 1
    this.totalWords += this.lengths[id]
    this.#nextId += 1
    return id
  }

  /** Its postings stay until the next start and count for nothing. */
  forget(id: number): void {
    const length = this.lengths[id] ?? 0
    if (length === 0) return
    this.#forgotten = withCapacity(this.#forgotten, this.wordCount)
    for (const word of this.sequences.distinct(id)) {
      this.#forgotten[word] = (this.#forgotten[word] as number) + 1
    }
    this.lengths[id] = 0
    this.memoryCount -= 1
    this.totalWords -= length
  }

  /** The words of a query in their order. */
  parse(query: string): QueryWord[] {
    return splitWords(query.slice(0, maxQueryLength)).map((text) => ({
      text,
      word: this.#numberOf(text),
      isStopWord: isStopWord(text),
    }))
  }

  /** Memories that consist of the same words in the same order. */
  idsWithSameWords(texts: readonly string[], tag: string): number[] {
    const words = [...texts, tag]
      .flatMap((text) => splitWords(text))
      .map((word) => this.#numberOf(word))
    if (words.includes(-1)) return []
    const [rarest] = [...words].sort(
      (one, other) => this.documentFrequency(one) - this.documentFrequency(other),
    )
    const same: number[] = []
    if (rarest === undefined) return same
    this.postings.each(rarest, (page, start, end) => {
      for (let at = start; at < end; at += 1) {
        const id = (page[at] as number) >>> 4
        if (this.lengths[id] !== 0 && this.sequences.equals(id, words)) same.push(id)
      }
    })
    return same
  }

  readonly #collect: OnWord = (bytes, start, end, hash) => {
    if (this.#count === this.#collected.length) {
      this.#collected = withCapacity(this.#collected, this.#count + 1)
    }
    this.#collected[this.#count++] = this.#table.intern(bytes, start, end, hash)
  }

  /** What a word is found by, or -1 when no memory ever held it. */
  #numberOf(text: string): number {
    const known = text.length * 3 <= maxWordBytes ? text : cutToBytes(text, maxWordBytes).text
    return this.#table.find(this.#stems ? stemmedForm(known) : known)
  }

  #reserve(memories: number): void {
    this.lengths = withCapacity(this.lengths, memories)
    this.tags = withCapacity(this.tags, memories)
    this.leads = withCapacity(this.leads, memories)
  }

  #tagNumber(tag: string): number {
    const known = this.#tagNumbers.get(tag)
    if (known !== undefined) return known
    const number = this.#tagNumbers.size
    this.#tagNumbers.set(tag, number)
    return number
  }
}

/** Noise words stay as they are, and a stem that happens to be one would be lost among them. */
function stemmedForm(word: string): string {
  if (isStopWord(word)) return word
  const stem = stemOf(word)
  return isStopWord(stem) ? word : stem
}
