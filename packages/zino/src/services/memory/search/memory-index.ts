// The inverted index over hard memories: their words, word order and tags, but not their texts.
// Memories are added and forgotten in place. Both rankings read the same columns.
import { cutToBytes } from '@zee/core/bounded'
import { withCapacity } from './columns.ts'
import { maxMemories, PostingLists } from './posting-lists.ts'
import { WordSequences } from './word-sequences.ts'
import { minSimilarLength, WordTable } from './word-table.ts'
import type { OnWord } from './words/words.ts'
import {
  eachWord,
  isStopWord,
  maxWordBytes,
  numberWords,
  splitWords,
  stemOf,
  stopWords,
  timeWords,
} from './words/words.ts'

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
  /** No memory contains the word itself; `word` is a similar one. */
  isSimilar: boolean
}

/** Bits of `MemoryIndex.traits`. */
export const traits = { question: 1, time: 2, number: 4 } as const

/** A longer run of memories with one tag is several sessions. */
const maxSessionMemories = 24
const digitZero = 0x30
const digitNine = 0x39

/** The rest of a longer query is ignored. */
const maxQueryLength = 100_000
/** Different unknown words of a query that get a similar word: each costs some 600 lookups. */
const maxSimilarWords = 200
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
  /** The words of `leads`, each once. */
  readonly leadWords = new Set<number>()
  /** Per memory, what kind of text it is: one bit per trait. */
  traits = new Uint8Array(0)
  /** Number of the session per memory: neighbours with the same tag, up to a limit. */
  sessions = new Uint32Array(0)
  /** Word count per session. */
  sessionLengths = new Uint32Array(0)
  sessionCount = 0
  /** The numbers of stop words are below this. */
  readonly stopWordEnd: number
  readonly #timeWordEnd: number
  readonly #numberWordEnd: number
  #sessionMemories = 0
  /** Number of searchable memories, and the sum of their lengths. */
  memoryCount = 0
  totalWords = 0
  readonly #stems: boolean
  readonly #table: WordTable
  /** Per word, the number of postings of forgotten memories. */
  #forgotten = new Uint32Array(0)
  readonly #tagNumbers = new Map<string, number>()
  #collected = new Uint32Array(256)
  #hasDigits = false
  #count = 0
  #nextId = 0

  constructor({ stems }: IndexOptions) {
    this.#stems = stems
    this.#table = new WordTable(stems ? stemmedForm : (word) => word)
    if (stems) for (const word of stopWords) eachWord(word, this.#collect)
    this.stopWordEnd = this.#table.count
    if (stems) for (const word of timeWords) eachWord(word, this.#collect)
    this.#timeWordEnd = this.#table.count
    if (stems) for (const word of numberWords) eachWord(word, this.#collect)
    this.#numberWordEnd = this.#table.count
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
    const columns = [
      ...[this.lengths, this.tags, this.leads, this.#forgotten],
      ...[this.traits, this.sessions, this.sessionLengths],
    ]
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

  /**
   * Adds a memory and returns its id; a forgotten memory is added without texts. Memories of one group
   * are neighbours; the words of the tag are searchable.
   */
  add(texts: readonly string[], tag: string, group = tag): number {
    const id = this.#nextId
    if (id >= maxMemories) throw new RangeError('too many memories')
    this.#count = 0
    this.#hasDigits = false
    for (const text of texts) eachWord(text, this.#collect)
    eachWord(tag, this.#collect)
    const count = this.#count
    const words = this.#collected
    this.#reserve(id + 1)
    this.sequences.add(id, words, count)
    this.lengths[id] = Math.min(count, maxLength)
    this.tags[id] = this.#tagNumber(group)
    if (count > 0 && leadPattern.test(texts[0]?.slice(0, maxLeadLength) ?? '')) {
      this.leads[id] = (words[0] as number) + 1
      this.leadWords.add(words[0] as number)
    }
    this.traits[id] = this.#traitsOf(texts, words, count)
    this.#addToSession(id, count)
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
    const session = this.sessions[id] as number
    const words = this.sessionLengths[session] as number
    this.sessionLengths[session] = Math.max(0, words - length)
    this.lengths[id] = 0
    this.memoryCount -= 1
    this.totalWords -= length
  }

  /** The words of a query, in order. */
  parse(query: string): QueryWord[] {
    const similarWords = new Map<string, number>()
    const similarTo = (text: string): number => {
      const known = similarWords.get(text)
      if (known !== undefined || similarWords.size === maxSimilarWords) return known ?? -1
      const similar = this.#similarTo(text)
      similarWords.set(text, similar)
      return similar
    }
    return splitWords(query.slice(0, maxQueryLength)).map((text) => {
      const word = this.#numberOf(text)
      const isKnown = word !== -1 && this.documentFrequency(word) > 0
      const similar = isKnown || isStopWord(text) ? -1 : similarTo(text)
      const isSimilar = similar !== -1
      return { text, word: isSimilar ? similar : word, isStopWord: isStopWord(text), isSimilar }
    })
  }

  /** The most frequent indexed word within one edit of an unknown word, or -1. */
  #similarTo(text: string): number {
    if (!this.#stems || text.length < minSimilarLength || text.length > maxWordBytes) return -1
    let best = -1
    for (const word of this.#table.similar(text)) {
      const frequency = this.documentFrequency(word)
      if (frequency === 0) continue
      const bestFrequency = best === -1 ? 0 : this.documentFrequency(best)
      if (frequency > bestFrequency || (frequency === bestFrequency && word < best)) best = word
    }
    return best
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
    const first = bytes[start] as number
    if (first >= digitZero && first <= digitNine) this.#hasDigits = true
    this.#collected[this.#count++] = this.#table.intern(bytes, start, end, hash)
  }

  #traitsOf(texts: readonly string[], words: Uint32Array, count: number): number {
    let found = (texts.at(-1) ?? '').trimEnd().endsWith('?') ? traits.question : 0
    if (this.#hasDigits) found |= traits.number | traits.time
    for (let at = 0; at < count; at += 1) {
      const word = words[at] as number
      if (word < this.stopWordEnd || word >= this.#numberWordEnd) continue
      found |= word < this.#timeWordEnd ? traits.time : traits.number
    }
    return found
  }

  #addToSession(id: number, count: number): void {
    const isNew =
      id === 0 || this.tags[id] !== this.tags[id - 1] || this.#sessionMemories >= maxSessionMemories
    if (isNew) {
      this.sessionCount += 1
      this.#sessionMemories = 0
      this.sessionLengths = withCapacity(this.sessionLengths, this.sessionCount)
    }
    this.#sessionMemories += 1
    const session = this.sessionCount - 1
    this.sessions[id] = session
    this.sessionLengths[session] = (this.sessionLengths[session] as number) + count
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
    this.traits = withCapacity(this.traits, memories)
    this.sessions = withCapacity(this.sessions, memories)
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
