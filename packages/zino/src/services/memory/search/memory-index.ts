// The inverted index over hard memories: their words, word order and tags, but not their texts.
// Memories are added and forgotten in place. Both rankings read the same columns.
import { cutToBytes } from '@zee/core/bounded'
import { withCapacity } from './columns.ts'
import { maxMemories, PostingLists } from './posting-lists.ts'
import { WordSequences } from './word-sequences.ts'
import { WordTable } from './word-table.ts'
import type { OnWord } from './words/words.ts'
import { eachWord, isStopWord, maxWordBytes, stopWords, stemOf, splitWords } from './words/words.ts'

export interface IndexOptions {
  /** Words are indexed by their stems; stop words are not stemmed. */
  stems: boolean
}

/** A word of a query. */
export interface QueryWord {
  text: string
  /** The word number, or -1 for an unknown word. */
  word: number
  isStopWord: boolean
}

/** The rest of a longer query is ignored. */
const maxQueryLength = 100_000
const maxLength = 65_535
const maxLeadLength = 100
const leadPattern = /^\s*[\p{L}\p{N}]+(?:[ '.-]+[\p{L}\p{N}]+){0,2}:/u

export class MemoryIndex {
  readonly postings = new PostingLists()
  readonly sequences = new WordSequences()
  /** Word count per memory; 0 when it is forgotten or has no words. */
  lengths = new Uint16Array(0)
  /** Tag number per memory; equal tags have equal numbers. */
  tags = new Uint32Array(0)
  /** For memories that start with "Name:", the word number of the name plus one; else 0. */
  leads = new Uint32Array(0)
  /** The numbers of stop words are below this. */
  readonly stopWordEnd: number
  /** Number of searchable memories, and the sum of their lengths. */
  memoryCount = 0
  totalWords = 0
  readonly #stems: boolean
  readonly #table: WordTable
  /** Per word, the number of postings of forgotten memories. */
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

  /** The id of the next memory, which is the number of memories ever added. */
  get nextId(): number {
    return this.#nextId
  }

  /** Word numbers are below this. */
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

  /** Number of memories that contain the word. */
  documentFrequency(word: number): number {
    return this.postings.lengthOf(word) - (this.#forgotten[word] ?? 0)
  }

  /** Adds a memory and returns its id; a forgotten memory is added without texts. */
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

  /** Removes a memory from all results; its postings stay until the next start. */
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

  /** The words of a query, in order. */
  parse(query: string): QueryWord[] {
    return splitWords(query.slice(0, maxQueryLength)).map((text) => ({
      text,
      word: this.#numberOf(text),
      isStopWord: isStopWord(text),
    }))
  }

  /** Memories with exactly these words in this order. */
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

  /** The number of a word, or -1 for an unknown word. */
  #numberOf(text: string): number {
    const indexed = text.length * 3 <= maxWordBytes ? text : cutToBytes(text, maxWordBytes).text
    return this.#table.find(this.#stems ? stemmedForm(indexed) : indexed)
  }

  #reserve(memories: number): void {
    this.lengths = withCapacity(this.lengths, memories)
    this.tags = withCapacity(this.tags, memories)
    this.leads = withCapacity(this.leads, memories)
  }

  #tagNumber(tag: string): number {
    const existing = this.#tagNumbers.get(tag)
    if (existing !== undefined) return existing
    const number = this.#tagNumbers.size
    this.#tagNumbers.set(tag, number)
    return number
  }
}

/** The stem of a word; stop words, and words whose stem is a stop word, stay unchanged. */
function stemmedForm(word: string): string {
  if (isStopWord(word)) return word
  const stem = stemOf(word)
  return isStopWord(stem) ? word : stem
}
