// The ranking "recall": what finds the memory a question is about, by words alone.
//
// A memory's own score is the sum over the query's words of weight * count / (count + k), with k
// growing with its length, plus a share for words that follow one another as in the query. To it come
// shares of the scores of its neighbours (what was stored just before and after under the same tag),
// and a factor when it begins with a name that the query holds. The best are then ordered anew with the
// words that at least two of the top three share. Only memories with a word of the query are found.
// The result is exact: what is left out cannot reach what was found.
import { BestList, type Scored } from './best-list.ts'
import { withRoom } from './columns.ts'
import type { MemoryIndex } from './memory-index.ts'
import type { Found, Ranking } from './ranking.ts'
import { feedbackWords } from './recall-feedback.ts'
import type { RecallQuery } from './recall-query.ts'
import { recallQuery } from './recall-query.ts'

const saturation = 0.9
const lengthShare = 0.4
const leadFactor = 1.25
/** Longer memories neither lend to their neighbours nor borrow. */
const longestNeighbour = 80
const nearWeights = [1, 2, 3, 4, 5, 6].map((distance) => 0.4 * 0.6 ** (distance - 1))
const [near1 = 0, near2 = 0, near3 = 0, near4 = 0, near5 = 0, near6 = 0] = nearWeights
/** So many are ordered anew by feedback, or twice as many as are wanted. */
const leastDepth = 32
/** Sums in another order differ in their last digits. */
const slack = 1 + 1e-9
/** Room before the first score and behind the last, so that every memory has neighbours to look at. */
const margin = nearWeights.length

export class RecallRanking implements Ranking {
  readonly #index: MemoryIndex
  /** By memory its own score, behind a margin; zero between queries. */
  #scores = new Float64Array(0)
  /** By memory the query's words that it holds, a bit for each; zero between queries. */
  #held = new Uint32Array(0)
  #touched = new Uint32Array(0)
  #touchedCount = 0
  /** By word its position among the terms, plus one; zero between queries. */
  #positions = new Uint8Array(0)
  /** k of a memory is `#flat + #slope * length`. */
  #flat = 0
  #slope = 0

  constructor(index: MemoryIndex) {
    this.#index = index
  }

  search(text: string, wanted: number): Found[] {
    const index = this.#index
    const query = recallQuery(index, index.parse(text))
    if (query === undefined || wanted <= 0) return []
    this.#begin(query)
    try {
      for (const [at, { word, weight }] of query.terms.entries()) this.#addWord(at, word, weight)
      this.#addPairs(query)
      const sorted = this.#reorder(query, this.#best(query, Math.max(leastDepth, wanted * 2)))
      const most = sorted[0]?.score ?? 1
      return sorted
        .slice(0, wanted)
        .map(({ id, score }) => ({ id, score: score / most, why: this.#why(query, id) }))
    } finally {
      this.#end(query)
    }
  }

  #begin({ terms }: RecallQuery): void {
    const { memories, totalWords, next, words } = this.#index
    this.#scores = withRoom(this.#scores, next + 2 * margin)
    this.#held = withRoom(this.#held, next)
    this.#touched = withRoom(this.#touched, next)
    this.#positions = withRoom(this.#positions, words)
    this.#flat = saturation * (1 - lengthShare)
    this.#slope = (saturation * lengthShare * memories) / totalWords
    for (const [at, { word }] of terms.entries()) this.#positions[word] = at + 1
  }

  #end({ terms }: RecallQuery): void {
    for (let at = 0; at < this.#touchedCount; at += 1) {
      const id = this.#touched[at] as number
      this.#scores[margin + id] = 0
      this.#held[id] = 0
    }
    this.#touchedCount = 0
    for (const { word } of terms) this.#positions[word] = 0
  }

  #addWord(at: number, word: number, weight: number): void {
    const scores = this.#scores
    const held = this.#held
    const touched = this.#touched
    const { lengths } = this.#index
    const flat = this.#flat
    const slope = this.#slope
    const full = weight * (saturation + 1)
    const bit = 1 << at
    let count = this.#touchedCount
    this.#index.postings.each(word, (page, start, end) => {
      for (let place = start; place < end; place += 1) {
        const posting = page[place] as number
        const id = posting >>> 4
        const length = lengths[id] as number
        if (length === 0) continue
        const times = posting & 15
        const before = held[id] as number
        if (before === 0) touched[count++] = id
        held[id] = before | bit
        const score = (full * times) / (times + flat + slope * length)
        scores[margin + id] = (scores[margin + id] as number) + score
      }
    })
    this.#touchedCount = count
  }

  /** Looks for pairs where both words are there at all. */
  #addPairs({ pairs }: RecallQuery): void {
    const wanted = pairs.reduce((bits, weight, at) => (weight === 0 ? bits : bits | (1 << at)), 0)
    if (wanted === 0) return
    for (let at = 0; at < this.#touchedCount; at += 1) {
      const id = this.#touched[at] as number
      const held = this.#held[id] as number
      if ((held & (held << 1) & wanted) === 0) continue
      const bonus = this.#pairsOf(pairs, id)
      if (bonus > 0) this.#scores[margin + id] = this.#scoreOf(id) + bonus * this.#once(id)
    }
  }

  /** What the pairs in a memory are worth; each counts once, and noise words between do not matter. */
  #pairsOf(pairs: readonly number[], id: number): number {
    const { noise, sequences } = this.#index
    const count = sequences.read(id)
    const { words } = sequences
    let bonus = 0
    let counted = 0
    let before = 0
    for (let at = 0; at < count; at += 1) {
      const word = words[at] as number
      const position = this.#positions[word] as number
      if (position > 1 && before === position - 1 && (counted & (1 << before)) === 0) {
        bonus += pairs[before] as number
        counted |= 1 << before
      }
      if (position !== 0 || noise[word] !== 1) before = position
    }
    return bonus
  }

  /** The factor of a word that the memory holds once. */
  #once(id: number): number {
    const k = this.#flat + this.#slope * (this.#index.lengths[id] as number)
    return (saturation + 1) / (1 + k)
  }

  /** The best by own score, neighbours and leading name. */
  #best(query: RecallQuery, depth: number): Scored[] {
    const best = new BestList(depth)
    const early = new Set(this.#bestAlone(depth))
    for (const id of early) best.offer(id, this.#score(query, id))
    if (early.size === this.#touchedCount) return best.sorted()
    const { leads } = this.#index
    let threshold = best.threshold / slack
    for (let at = 0; at < this.#touchedCount; at += 1) {
      const id = this.#touched[at] as number
      const most = this.#scoreOf(id) + this.#mostLent(id)
      if ((leads[id] === 0 ? most : most * leadFactor) < threshold || early.has(id)) continue
      best.offer(id, this.#score(query, id))
      threshold = best.threshold / slack
    }
    return best.sorted()
  }

  /** The best without their neighbours: they set a threshold that few others can reach. */
  #bestAlone(depth: number): number[] {
    const best = new BestList(depth)
    let threshold = 0
    for (let at = 0; at < this.#touchedCount; at += 1) {
      const id = this.#touched[at] as number
      const score = this.#scoreOf(id)
      if (score < threshold) continue
      best.offer(id, score)
      threshold = best.threshold
    }
    return best.sorted().map(({ id }) => id)
  }

  #scoreOf(id: number): number {
    return this.#scores[margin + id] as number
  }

  /** What the neighbours would lend if all of them were allowed to. */
  #mostLent(id: number): number {
    const scores = this.#scores
    const at = margin + id
    return (
      near1 * ((scores[at - 1] as number) + (scores[at + 1] as number)) +
      near2 * ((scores[at - 2] as number) + (scores[at + 2] as number)) +
      near3 * ((scores[at - 3] as number) + (scores[at + 3] as number)) +
      near4 * ((scores[at - 4] as number) + (scores[at + 4] as number)) +
      near5 * ((scores[at - 5] as number) + (scores[at + 5] as number)) +
      near6 * ((scores[at - 6] as number) + (scores[at + 6] as number))
    )
  }

  #score(query: RecallQuery, id: number): number {
    const score = this.#scoreOf(id) + this.#lentTo(id)
    return query.names.has((this.#index.leads[id] as number) - 1) ? score * leadFactor : score
  }

  #lentTo(id: number): number {
    if ((this.#index.lengths[id] as number) > longestNeighbour) return 0
    let sum = 0
    for (let distance = 1; distance <= margin; distance += 1) {
      const both = this.#lent(id, id - distance) + this.#lent(id, id + distance)
      sum += (nearWeights[distance - 1] as number) * both
    }
    return sum
  }

  /** What a neighbour lends; a copy of the memory itself has nothing to add. */
  #lent(id: number, neighbour: number): number {
    const score = this.#scoreOf(neighbour)
    if (score === 0) return 0
    const { lengths, tags, sequences } = this.#index
    if (tags[neighbour] !== tags[id] || (lengths[neighbour] as number) > longestNeighbour) return 0
    return score === this.#scoreOf(id) && sequences.isSame(id, neighbour) ? 0 : score
  }

  #reorder(query: RecallQuery, best: Scored[]): Scored[] {
    const feedback = feedbackWords(this.#index, query, best)
    if (feedback.size === 0) return best
    const anew = new BestList(best.length)
    for (const { id, score } of best) {
      let sum = 0
      for (const word of this.#index.sequences.distinct(id)) sum += feedback.get(word) ?? 0
      anew.offer(id, score + sum * this.#once(id))
    }
    return anew.sorted()
  }

  #why({ terms }: RecallQuery, id: number): string[] {
    const held = this.#held[id] as number
    return terms.filter((_, at) => (held & (1 << at)) !== 0).map(({ text }) => text)
  }
}
