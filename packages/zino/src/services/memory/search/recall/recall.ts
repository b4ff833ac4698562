// The ranking "recall": what finds the memory a question is about, by words alone.
//
// A memory's own score is the sum over the query's words of weight * count / (count + k), with k
// growing with its length, plus a share for words that follow one another as in the query. To it come
// shares of the scores of its neighbours (what was stored just before and after under the same tag),
// and a factor when it begins with a name that the query holds. The best are then ordered anew with the
// words that at least two of the top three share. Only memories with a word of the query are found.
// The result is exact: what is left out cannot reach what was found.
import { TopK, type Scored } from '../top-k.ts'
import type { MemoryIndex } from '../memory-index.ts'
import type { SearchHit, Ranking } from '../search.ts'
import type { FeedbackWord } from './feedback.ts'
import { feedbackWords } from './feedback.ts'
import type { RecallQuery } from './query.ts'
import { recallQuery } from './query.ts'
import { maxDistance, RecallWindow } from './window.ts'

const leadFactor = 1.25
/** Longer memories neither lend to their neighbours nor borrow. */
const maxNeighbourLength = 80
const neighbourWeights = [1, 2, 3, 4, 5, 6].map((distance) => 0.4 * 0.6 ** (distance - 1))
const [near1 = 0, near2 = 0, near3 = 0, near4 = 0, near5 = 0, near6 = 0] = neighbourWeights
/** So many are ordered anew by feedback, or twice as many as are wanted. */
const minDepth = 32
/** Sums in another order differ in their last digits. */
const slack = 1 + 1e-9

export class RecallRanking implements Ranking {
  readonly #index: MemoryIndex
  readonly #window: RecallWindow

  constructor(index: MemoryIndex) {
    this.#index = index
    this.#window = new RecallWindow(index)
  }

  search(text: string, wanted: number): SearchHit[] {
    const index = this.#index
    const query = recallQuery(index, index.parse(text))
    if (query === undefined || wanted <= 0) return []
    const best = new TopK(Math.max(minDepth, wanted * 2))
    this.#window.begin(query)
    try {
      while (this.#window.next()) this.#offerReady(query, best)
    } finally {
      this.#window.end()
    }
    const sorted = this.#reorder(query, best.sorted())
    const most = sorted[0]?.score ?? 1
    return sorted
      .slice(0, wanted)
      .map(({ id, score }) => ({ id, score: score / most, why: this.#why(query, id) }))
  }

  /** What cannot be among the best even if all its neighbours lend is passed over. */
  #offerReady(query: RecallQuery, best: TopK): void {
    const { leads } = this.#index
    const { scores, ready, readyCount, base } = this.#window
    let threshold = best.threshold / slack
    for (let at = 0; at < readyCount; at += 1) {
      const position = ready[at] as number
      const most = (scores[position] as number) + maxNeighbourScore(scores, position)
      const id = base + position
      if ((leads[id] === 0 ? most : most * leadFactor) < threshold) continue
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

  /** What a neighbour lends; a copy of the memory itself has nothing to add. */
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

  #reorder(query: RecallQuery, best: Scored[]): Scored[] {
    const feedback = feedbackWords(this.#index, query, best)
    if (feedback.size === 0) return best
    const anew = new TopK(best.length)
    for (const { id, score } of best) {
      anew.offer(id, score + this.#feedbackBonus(feedback, id) * this.#window.singleCountFactor(id))
    }
    return anew.sorted()
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

/** What the neighbours would lend if all of them were allowed to. */
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
