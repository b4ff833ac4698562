// The ranking "tfidf": cosine similarity of word counts times ln((1 + memories) / (1 + frequency)) + 1.
// A new memory changes every weight, so exact norms are not stored. Each memory stores sums that give
// a lower bound of its norm for the current weights. The cosine is computed only for memories whose
// upper bound reaches the best scores so far. The result is exact.
import { TopK } from './top-k.ts'
import { withCapacity } from './columns.ts'
import type { MemoryIndex, QueryWord } from './memory-index.ts'
import { maxCount } from './posting-lists.ts'
import type { Accepts, SearchHit, Ranking } from './search.ts'

interface Term {
  text: string
  word: number
  frequency: number
  /** Weight in the query vector. */
  weight: number
  /** Added to the dot product per occurrence in a memory. */
  factor: number
  /** Upper bound of what the term adds for any memory. */
  maxProduct: number
}

/** Bounds for the terms that were not read: their share of the query norm, and of the dot product. */
interface Remainder {
  norm: number
  product: number
}

interface Query {
  /** Indexed words, rarest first. */
  terms: readonly Term[]
  norm: number
}

const maxTerms = 64
/** Allowed drift of a word's log frequency before the sums are updated. */
const maxDrift = 0.25
const slack = 1e-9
/** Shorter posting lists are always read. */
const minSkippableFrequency = 1000

export class TfidfRanking implements Ranking {
  readonly #index: MemoryIndex
  /** Per word, the log frequency used in the sums. */
  #levels = new Float64Array(0)
  /** Per memory, sums over its words of count squared times 1, the level, and the level squared. */
  #squares = new Float64Array(0)
  #linear = new Float64Array(0)
  #quadratic = new Float64Array(0)
  #products = new Float64Array(0)
  #touched = new Uint32Array(0)
  #touchedCount = 0
  #counts = new Uint8Array(0)
  #queryWeights = new Float64Array(0)
  /** The weight of a word that no memory contains. */
  #maxWeight = 0
  #accepts: Accepts | undefined

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

  search(text: string, limit: number, accepts?: Accepts): SearchHit[] {
    const query = this.#parse(this.#index.parse(text))
    if (query.terms.length === 0 || limit <= 0) return []
    this.#reserve()
    this.#maxWeight = this.#idf(0)
    this.#accepts = accepts
    for (const { word, weight } of query.terms) this.#queryWeights[word] = weight
    try {
      const rest = this.#addProducts(query, limit)
      const best = this.#best(query, limit, rest)
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
      const entry = counts.get(word.text)
      if (entry === undefined) counts.set(word.text, { word, count: 1 })
      else entry.count = Math.min(entry.count + 1, maxCount)
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
   * Accumulates dot products, rarest terms first, until the remaining terms alone cannot lift a memory
   * into the results. Returns the bounds of the terms that were not read.
   */
  #addProducts({ terms, norm }: Query, limit: number): Remainder {
    let left = remainderOf(terms)
    let judged = 0
    for (const [at, { word, frequency, factor }] of terms.entries()) {
      // A guaranteed score costs about as much as the reads so far, so it is computed sparingly.
      if (
        frequency > minSkippableFrequency &&
        frequency > this.#touchedCount &&
        this.#touchedCount > judged
      ) {
        judged = this.#touchedCount * 2
        if (left.norm < this.#guaranteedScore(norm, limit) * norm * (1 - slack)) return left
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
    const accepts = this.#accepts
    let count = this.#touchedCount
    this.#index.postings.each(word, (page, start, end) => {
      for (let at = start; at < end; at += 1) {
        const posting = page[at] as number
        const id = posting >>> 4
        if (lengths[id] === 0 || accepts?.(id) === false) continue
        if (products[id] === 0) touched[count++] = id
        products[id] = (products[id] as number) + factor * (posting & 15)
      }
    })
    this.#touchedCount = count
  }

  /** A score that at least `limit` memories reach; 0 when fewer are known. */
  #guaranteedScore(queryNorm: number, limit: number): number {
    const candidates = new TopK(limit)
    let threshold = 0
    for (let at = 0; at < this.#touchedCount; at += 1) {
      const id = this.#touched[at] as number
      const cosine = (this.#products[id] as number) / this.#minNorm(id)
      if (cosine < threshold) continue
      candidates.offer(id, cosine)
      threshold = candidates.threshold
    }
    const exact = new TopK(limit)
    for (const { id } of candidates.sorted()) exact.offer(id, this.#cosine(id, queryNorm))
    return exact.threshold
  }

  #best({ norm }: Query, limit: number, rest: Remainder): TopK {
    const best = new TopK(limit)
    // Memories with a lower bound are skipped; it rises with the results.
    let threshold = this.#guaranteedScore(norm, limit) * norm * (1 - slack)
    for (let at = 0; at < this.#touchedCount; at += 1) {
      const id = this.#touched[at] as number
      const minNorm = this.#minNorm(id)
      const bound =
        (this.#products[id] as number) / minNorm + Math.min(rest.norm, rest.product / minNorm)
      if (bound < threshold) continue
      best.offer(id, this.#cosine(id, norm))
      threshold = Math.max(threshold, best.threshold * norm * (1 - slack))
    }
    return best
  }

  /** A lower bound of the memory's vector norm. */
  #minNorm(id: number): number {
    const top = this.#maxWeight
    const squares = this.#squares[id] as number
    const sum = top * top * squares - 2 * top * (this.#linear[id] as number)
    const norm = Math.sqrt(Math.max(0, sum + (this.#quadratic[id] as number)))
    // A weight is never below 1.
    return Math.max(Math.sqrt(squares), norm - maxDrift * Math.sqrt(squares)) * (1 - slack)
  }

  #cosine(id: number, queryNorm: number): number {
    const distinct = this.#countWords(id)
    let product = 0
    let squared = 0
    for (const word of distinct) {
      const weight = (this.#counts[word] as number) * this.#idf(this.#index.documentFrequency(word))
      product += weight * (this.#queryWeights[word] as number)
      squared += weight * weight
    }
    this.#clearCounts(distinct)
    return product / (queryNorm * Math.sqrt(squared))
  }

  #why({ terms }: Query, id: number): string[] {
    const held = this.#index.sequences.distinct(id)
    return terms.filter(({ word }) => held.has(word)).map(({ text }) => text)
  }

  /** Counts the words of a memory into `#counts`; returns the distinct words. */
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

  /** Updates the sums when the word's log frequency has drifted too far. */
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
