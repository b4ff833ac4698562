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
import type { FeedbackWord } from './recall-feedback.ts'
import { feedbackWords } from './recall-feedback.ts'
import type { RecallQuery, RecallTerm } from './recall-query.ts'
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
/** Marks among the bits of the words that a memory holds: listed for its pairs, offered as a result. */
const listed = 1 << 30
const offered = 1 << 31
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
  /** Memories that hold both words of a pair. */
  #paired = new Uint32Array(0)
  #pairCount = 0
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
      for (const at of query.terms.keys()) this.#addWord(query, at)
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
    this.#paired = withRoom(this.#paired, next)
    this.#positions = withRoom(this.#positions, words)
    this.#flat = saturation * (1 - lengthShare)
    this.#slope = (saturation * lengthShare * memories) / totalWords
    for (const [at, { word }] of terms.entries()) this.#positions[word] = at + 1
  }

  #end({ terms }: RecallQuery): void {
    const scores = this.#scores
    const held = this.#held
    const touched = this.#touched
    const count = this.#touchedCount
    for (let at = 0; at < count; at += 1) {
      const id = touched[at] as number
      scores[margin + id] = 0
      held[id] = 0
    }
    this.#touchedCount = 0
    this.#pairCount = 0
    for (const { word } of terms) this.#positions[word] = 0
  }

  #addWord(query: RecallQuery, at: number): void {
    const { word, weight } = query.terms[at] as RecallTerm
    const scores = this.#scores
    const held = this.#held
    const touched = this.#touched
    const paired = this.#paired
    const { lengths } = this.#index
    const flat = this.#flat
    const slope = this.#slope
    const full = weight * (saturation + 1)
    const bit = 1 << at
    const partners = partnersOf(query.pairs, at)
    let count = this.#touchedCount
    let pairCount = this.#pairCount
    this.#index.postings.each(word, (page, start, end) => {
      for (let place = start; place < end; place += 1) {
        const posting = page[place] as number
        const id = posting >>> 4
        const length = lengths[id] as number
        if (length === 0) continue
        const times = posting & 15
        const before = held[id] as number
        if (before === 0) touched[count++] = id
        if ((before & partners) !== 0 && (before & listed) === 0) {
          paired[pairCount++] = id
          held[id] = before | bit | listed
        } else {
          held[id] = before | bit
        }
        const score = (full * times) / (times + flat + slope * length)
        scores[margin + id] = (scores[margin + id] as number) + score
      }
    })
    this.#touchedCount = count
    this.#pairCount = pairCount
  }

  /** Looks for pairs where both words are there at all. */
  #addPairs({ pairs }: RecallQuery): void {
    for (let at = 0; at < this.#pairCount; at += 1) {
      const id = this.#paired[at] as number
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
    for (const id of this.#bestAlone(depth)) {
      best.offer(id, this.#score(query, id))
      this.#held[id] = (this.#held[id] as number) | offered
    }
    const { leads } = this.#index
    const scores = this.#scores
    const held = this.#held
    const touched = this.#touched
    const count = this.#touchedCount
    let threshold = best.threshold / slack
    for (let at = 0; at < count; at += 1) {
      const id = touched[at] as number
      const most = (scores[margin + id] as number) + mostLent(scores, margin + id)
      if ((leads[id] === 0 ? most : most * leadFactor) < threshold) continue
      if (((held[id] as number) & offered) !== 0) continue
      best.offer(id, this.#score(query, id))
      threshold = best.threshold / slack
    }
    return best.sorted()
  }

  /** The best without their neighbours: they set a threshold that few others can reach. */
  #bestAlone(depth: number): number[] {
    const best = new BestList(depth)
    const scores = this.#scores
    const touched = this.#touched
    const count = this.#touchedCount
    let threshold = 0
    for (let at = 0; at < count; at += 1) {
      const id = touched[at] as number
      const score = scores[margin + id] as number
      if (score < threshold) continue
      best.offer(id, score)
      threshold = best.threshold
    }
    return best.sorted().map(({ id }) => id)
  }

  #scoreOf(id: number): number {
    return this.#scores[margin + id] as number
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
      anew.offer(id, score + this.#worthOf(feedback, id) * this.#once(id))
    }
    return anew.sorted()
  }

  #worthOf(feedback: ReadonlyMap<number, FeedbackWord>, id: number): number {
    const { sequences } = this.#index
    const count = sequences.read(id)
    let sum = 0
    let counted = 0
    for (let at = 0; at < count; at += 1) {
      const word = feedback.get(sequences.words[at] as number)
      if (word === undefined || (counted & word.bit) !== 0) continue
      counted |= word.bit
      sum += word.worth
    }
    return sum
  }

  #why({ terms }: RecallQuery, id: number): string[] {
    const held = this.#held[id] as number
    return terms.filter((_, at) => (held & (1 << at)) !== 0).map(({ text }) => text)
  }
}

/** What the neighbours of the score at this place would lend if all of them were allowed to. */
function mostLent(scores: Float64Array, at: number): number {
  return (
    near1 * ((scores[at - 1] as number) + (scores[at + 1] as number)) +
    near2 * ((scores[at - 2] as number) + (scores[at + 2] as number)) +
    near3 * ((scores[at - 3] as number) + (scores[at + 3] as number)) +
    near4 * ((scores[at - 4] as number) + (scores[at + 4] as number)) +
    near5 * ((scores[at - 5] as number) + (scores[at + 5] as number)) +
    near6 * ((scores[at - 6] as number) + (scores[at + 6] as number))
  )
}

/** The terms that the term at this position forms a pair with, a bit for each. */
function partnersOf(pairs: readonly number[], at: number): number {
  const before = (pairs[at] ?? 0) > 0 ? 1 << (at - 1) : 0
  const after = (pairs[at + 1] ?? 0) > 0 ? 1 << (at + 1) : 0
  return before | after
}
