// The ranking "tfidf": cosine between the query and each memory, both as counts of words times
// ln((1 + memories) / (1 + holders)) + 1. Exact, although a new memory changes every weight: each
// memory keeps sums from which a lower bound of its length follows for the weights of the moment, and
// only those whose bound reaches the best found so far are computed in full.
import { TopK } from './top-k.ts'
import { withCapacity } from './columns.ts'
import type { MemoryIndex, QueryWord } from './memory-index.ts'
import { maxCount } from './posting-lists.ts'
import type { SearchHit, Ranking } from './search.ts'

interface Term {
  text: string
  word: number
  frequency: number
  /** In the query. */
  weight: number
  /** What one occurrence in a memory adds to the product, and the most that any memory has of it. */
  factor: number
  maxProduct: number
}

/** What the words that were not read can add: as a part of the query's length, and as a product. */
interface Remainder {
  norm: number
  product: number
}

interface Query {
  /** Known words, rarest first. */
  terms: readonly Term[]
  norm: number
}

const maxTerms = 64
/** How far the logarithm of a word's holders may move before the sums are corrected. */
const maxDrift = 0.25
const slack = 1e-9
/** Shorter lists are simply read. */
const minSkippableFrequency = 1000

export class TfidfRanking implements Ranking {
  readonly #index: MemoryIndex
  /** By word, the logarithm of its holders that the sums are made with. */
  #levels = new Float64Array(0)
  /** By memory, over its words: count squared; that times the level; that times the level squared. */
  #squares = new Float64Array(0)
  #linear = new Float64Array(0)
  #quadratic = new Float64Array(0)
  #products = new Float64Array(0)
  #touched = new Uint32Array(0)
  #touchedCount = 0
  #counts = new Uint8Array(0)
  #queryWeights = new Float64Array(0)
  /** The weight of a word that no memory holds. */
  #maxWeight = 0

  constructor(index: MemoryIndex) {
    this.#index = index
  }

  onAdded(id: number): void {
    this.#reserve()
    const distinct = this.#countWords(id)
    for (const word of distinct) {
      if (this.#index.documentFrequency(word) === 1) this.#levels[word] = Math.log(2)
      this.#addSums(id, this.#counts[word] as number, 0, this.#levels[word] as number, 1)
    }
    this.#clearCounts(distinct)
    for (const word of distinct) this.#updateLevel(word)
  }

  onForgotten(id: number): void {
    for (const word of this.#index.sequences.distinct(id)) this.#updateLevel(word)
  }

  search(text: string, wanted: number): SearchHit[] {
    const query = this.#parse(this.#index.parse(text))
    if (query.terms.length === 0 || wanted <= 0) return []
    this.#reserve()
    this.#maxWeight = this.#idf(0)
    for (const { word, weight } of query.terms) this.#queryWeights[word] = weight
    try {
      const rest = this.#addProducts(query, wanted)
      const best = this.#best(query, wanted, rest)
      return best
        .sorted()
        .map(({ id, score }) => ({ id, score: Math.min(1, score), why: this.#why(query, id) }))
    } finally {
      for (let at = 0; at < this.#touchedCount; at += 1) {
        this.#products[this.#touched[at] as number] = 0
      }
      this.#touchedCount = 0
      for (const { word } of query.terms) this.#queryWeights[word] = 0
    }
  }

  #parse(words: readonly QueryWord[]): Query {
    const counts = new Map<string, { word: QueryWord; count: number }>()
    for (const word of words) {
      const known = counts.get(word.text)
      if (known === undefined) counts.set(word.text, { word, count: 1 })
      else known.count = Math.min(known.count + 1, maxCount)
    }
    let squared = 0
    const terms: Term[] = []
    for (const { word, count } of counts.values()) {
      const frequency = word.word === -1 ? 0 : this.#index.documentFrequency(word.word)
      const rarity = this.#idf(frequency)
      const weight = count * rarity
      squared += weight * weight
      if (frequency === 0) continue
      const factor = weight * rarity
      const maxProduct = factor * this.#index.postings.maxCountOf(word.word)
      terms.push({ text: word.text, word: word.word, frequency, weight, factor, maxProduct })
    }
    terms.sort((one, other) => one.frequency - other.frequency)
    return { terms: terms.slice(0, maxTerms), norm: Math.sqrt(squared) }
  }

  #idf(frequency: number): number {
    return Math.log((1 + this.#index.memoryCount) / (1 + frequency)) + 1
  }

  /**
   * Adds up products, rarest words first, until the words that are left cannot lift a memory that
   * holds nothing else among the best; returns what they could add to the others.
   */
  #addProducts({ terms, norm }: Query, wanted: number): Remainder {
    let left = remainderOf(terms)
    let judged = 0
    for (const [at, { word, frequency, factor }] of terms.entries()) {
      // Finding a proven score costs about as much as reading what was read so far.
      if (
        frequency > minSkippableFrequency &&
        frequency > this.#touchedCount &&
        this.#touchedCount > judged
      ) {
        judged = this.#touchedCount * 2
        if (left.norm < this.#guaranteedScore(norm, wanted) * norm * (1 - slack)) return left
      }
      this.#addWord(word, factor)
      left = remainderOf(terms.slice(at + 1))
    }
    return left
  }

  #addWord(word: number, factor: number): void {
    const products = this.#products
    const touched = this.#touched
    const { lengths } = this.#index
    let count = this.#touchedCount
    this.#index.postings.each(word, (page, start, end) => {
      for (let at = start; at < end; at += 1) {
        const posting = page[at] as number
        const id = posting >>> 4
        if (lengths[id] === 0) continue
        if (products[id] === 0) touched[count++] = id
        products[id] = (products[id] as number) + factor * (posting & 15)
      }
    })
    this.#touchedCount = count
  }

  /** A score that at least `wanted` memories reach; 0 when that is not known. */
  #guaranteedScore(length: number, wanted: number): number {
    const likely = new TopK(wanted)
    let threshold = 0
    for (let at = 0; at < this.#touchedCount; at += 1) {
      const id = this.#touched[at] as number
      const cosine = (this.#products[id] as number) / this.#minNorm(id)
      if (cosine < threshold) continue
      likely.offer(id, cosine)
      threshold = likely.threshold
    }
    const proven = new TopK(wanted)
    for (const { id } of likely.sorted()) proven.offer(id, this.#cosine(id, length))
    return proven.threshold
  }

  #best({ norm }: Query, wanted: number, rest: Remainder): TopK {
    const best = new TopK(wanted)
    // Below this no bound can be among the best; it rises with what is found.
    let least = this.#guaranteedScore(norm, wanted) * norm * (1 - slack)
    for (let at = 0; at < this.#touchedCount; at += 1) {
      const id = this.#touched[at] as number
      const own = this.#minNorm(id)
      const bound = (this.#products[id] as number) / own + Math.min(rest.norm, rest.product / own)
      if (bound < least) continue
      best.offer(id, this.#cosine(id, norm))
      least = Math.max(least, best.threshold * norm * (1 - slack))
    }
    return best
  }

  /** No more than the memory's true length as a vector. */
  #minNorm(id: number): number {
    const top = this.#maxWeight
    const squares = this.#squares[id] as number
    const sum = top * top * squares - 2 * top * (this.#linear[id] as number)
    const length = Math.sqrt(Math.max(0, sum + (this.#quadratic[id] as number)))
    // A weight is never below 1.
    return Math.max(Math.sqrt(squares), length - maxDrift * Math.sqrt(squares)) * (1 - slack)
  }

  #cosine(id: number, length: number): number {
    const distinct = this.#countWords(id)
    let product = 0
    let squared = 0
    for (const word of distinct) {
      const weight = (this.#counts[word] as number) * this.#idf(this.#index.documentFrequency(word))
      product += weight * (this.#queryWeights[word] as number)
      squared += weight * weight
    }
    this.#clearCounts(distinct)
    return product / (length * Math.sqrt(squared))
  }

  #why({ terms }: Query, id: number): string[] {
    const held = this.#index.sequences.distinct(id)
    return terms.filter(({ word }) => held.has(word)).map(({ text }) => text)
  }

  /** Counts the words of a memory and returns them, each once. */
  #countWords(id: number): number[] {
    const { sequences } = this.#index
    const length = sequences.read(id)
    const distinct: number[] = []
    for (let at = 0; at < length; at += 1) {
      const word = sequences.words[at] as number
      const count = this.#counts[word] as number
      if (count === 0) distinct.push(word)
      if (count < maxCount) this.#counts[word] = count + 1
    }
    return distinct
  }

  #clearCounts(words: readonly number[]): void {
    for (const word of words) this.#counts[word] = 0
  }

  /** Brings the sums up to date when the word has become much more or much less frequent. */
  #updateLevel(word: number): void {
    const level = Math.log(1 + this.#index.documentFrequency(word))
    const before = this.#levels[word] as number
    if (Math.abs(level - before) <= maxDrift) return
    this.#levels[word] = level
    this.#index.postings.each(word, (page, start, end) => {
      for (let at = start; at < end; at += 1) {
        const posting = page[at] as number
        this.#addSums(posting >>> 4, posting & 15, before, level, 0)
      }
    })
  }

  #addSums(id: number, count: number, before: number, level: number, isNew: 0 | 1): void {
    const square = count * count
    this.#squares[id] = (this.#squares[id] as number) + square * isNew
    this.#linear[id] = (this.#linear[id] as number) + square * (level - before)
    this.#quadratic[id] =
      (this.#quadratic[id] as number) + square * (level * level - before * before)
  }

  #reserve(): void {
    const { nextId, wordCount } = this.#index
    this.#squares = withCapacity(this.#squares, nextId)
    this.#linear = withCapacity(this.#linear, nextId)
    this.#quadratic = withCapacity(this.#quadratic, nextId)
    this.#products = withCapacity(this.#products, nextId)
    this.#touched = withCapacity(this.#touched, nextId)
    this.#levels = withCapacity(this.#levels, wordCount)
    this.#counts = withCapacity(this.#counts, wordCount)
    this.#queryWeights = withCapacity(this.#queryWeights, wordCount)
  }
}

function remainderOf(terms: readonly Term[]): Remainder {
  const squared = terms.reduce((sum, { weight }) => sum + weight * weight, 0)
  return {
    norm: Math.sqrt(squared),
    product: terms.reduce((sum, { maxProduct }) => sum + maxProduct, 0),
  }
}
