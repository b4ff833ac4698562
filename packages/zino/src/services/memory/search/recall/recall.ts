// The ranking "recall": a lexical ranking for questions about stored conversations.
//
// The own score of a memory is BM25 plus a bonus for adjacent word pairs of the query. Added are shares
// of the own scores of its neighbours (stored just before and after it with the same tag), and a factor
// when it starts with a name from the query. The best are reranked with pseudo-relevance feedback.
// Only memories with a query word are found. The result is exact: pruned memories cannot rank higher.
import { TopK, type Scored } from '../top-k.ts'
import type { MemoryIndex } from '../memory-index.ts'
import type { SearchHit, Ranking } from '../search.ts'
import type { FeedbackWord } from './feedback.ts'
import { feedbackWords } from './feedback.ts'
import type { RecallQuery } from './query.ts'
import { recallQuery } from './query.ts'
import { maxDistance, RecallWindow } from './window.ts'

const leadFactor = 1.25
/** Longer memories neither add to their neighbours' scores nor gain from them. */
const maxNeighbourLength = 80
const neighbourWeights = [1, 2, 3, 4, 5, 6].map((distance) => 0.4 * 0.6 ** (distance - 1))
const [near1 = 0, near2 = 0, near3 = 0, near4 = 0, near5 = 0, near6 = 0] = neighbourWeights
/** Number of memories that feedback reranks, at least; else twice the limit. */
const minDepth = 32
/** Tolerance for rounding: the bound adds in another order than the score. */
const slack = 1 + 1e-9

export class RecallRanking implements Ranking {
  readonly #index: MemoryIndex
  readonly #window: RecallWindow

  constructor(index: MemoryIndex) {
    this.#index = index
    this.#window = new RecallWindow(index)
  }

  search(text: string, limit: number): SearchHit[] {
    const index = this.#index
    const query = recallQuery(index, index.parse(text))
    if (query === undefined || limit <= 0) return []
    const best = new TopK(Math.max(minDepth, limit * 2))
    this.#window.begin(query)
    try {
      while (this.#window.next()) this.#offerReady(query, best)
    } finally {
      this.#window.end()
    }
    const sorted = this.#rerank(query, best.sorted())
    const maxScore = sorted[0]?.score ?? 1
    return sorted
      .slice(0, limit)
      .map(({ id, score }) => ({ id, score: score / maxScore, why: this.#why(query, id) }))
  }

  /** Offers the ready memories; skips those whose upper bound is below the threshold. */
  #offerReady(query: RecallQuery, best: TopK): void {
    const { leads } = this.#index
    const { scores, ready, readyCount, base } = this.#window
    let threshold = best.threshold / slack
    for (let at = 0; at < readyCount; at += 1) {
      const position = ready[at] as number
      const bound = (scores[position] as number) + maxNeighbourScore(scores, position)
      const id = base + position
      if ((leads[id] === 0 ? bound : bound * leadFactor) < threshold) continue
      best.offer(id, this.#score(query, position))
      threshold = best.threshold / slack
    }
  }

  #score(query: RecallQuery, position: number): number {
    const id = this.#window.base + position
    const score = (this.#window.scores[position] as number) + this.#neighbourScore(position)
    return query.leadWords.has((this.#index.leads[id] as number) - 1) ? score * leadFactor : score
  }

  #neighbourScore(position: number): number {
    if ((this.#index.lengths[this.#window.base + position] as number) > maxNeighbourLength) return 0
    let sum = 0
    for (let distance = 1; distance <= maxDistance; distance += 1) {
      const both =
        this.#scoreOfNeighbour(position, -distance) + this.#scoreOfNeighbour(position, distance)
      sum += (neighbourWeights[distance - 1] as number) * both
    }
    return sum
  }

  /** The score of the neighbour; 0 for another tag, a long memory or a copy of this memory. */
  #scoreOfNeighbour(position: number, distance: number): number {
    const { scores, base } = this.#window
    const score = scores[position + distance] as number
    if (score === 0) return 0
    const { lengths, tags, sequences } = this.#index
    const id = base + position
    const other = id + distance
    if (tags[other] !== tags[id] || (lengths[other] as number) > maxNeighbourLength) return 0
    return score === scores[position] && sequences.areEqual(id, other) ? 0 : score
  }

  #rerank(query: RecallQuery, best: Scored[]): Scored[] {
    const feedback = feedbackWords(this.#index, query, best)
    if (feedback.size === 0) return best
    const reranked = new TopK(best.length)
    for (const { id, score } of best) {
      reranked.offer(
        id,
        score + this.#feedbackBonus(feedback, id) * this.#window.singleCountFactor(id),
      )
    }
    return reranked.sorted()
  }

  #feedbackBonus(feedback: ReadonlyMap<number, FeedbackWord>, id: number): number {
    const { sequences } = this.#index
    const count = sequences.read(id)
    let sum = 0
    let counted = 0
    for (let at = 0; at < count; at += 1) {
      const word = feedback.get(sequences.words[at] as number)
      if (word === undefined || (counted & word.bit) !== 0) continue
      counted |= word.bit
      sum += word.bonus
    }
    return sum
  }

  #why({ terms }: RecallQuery, id: number): string[] {
    const held = this.#index.sequences.distinct(id)
    return terms.filter(({ word }) => held.has(word)).map(({ text }) => text)
  }
}

/** Upper bound of the neighbour scores: all neighbours count. */
function maxNeighbourScore(scores: Float64Array, at: number): number {
  return (
    near1 * ((scores[at - 1] as number) + (scores[at + 1] as number)) +
    near2 * ((scores[at - 2] as number) + (scores[at + 2] as number)) +
    near3 * ((scores[at - 3] as number) + (scores[at + 3] as number)) +
    near4 * ((scores[at - 4] as number) + (scores[at + 4] as number)) +
    near5 * ((scores[at - 5] as number) + (scores[at + 5] as number)) +
    near6 * ((scores[at - 6] as number) + (scores[at + 6] as number))
  )
}
