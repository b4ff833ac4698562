// The ranking "recall": a lexical ranking for questions about stored conversations.
//
// The own score of a memory is BM25 plus a bonus for neighbouring words of the query that are at most
// one word apart in the memory. Added are shares of the own scores of its neighbours (stored just before
// and after it with the same tag); an answer inherits more from the question before it, and a speaker
// from what the same speaker said before and after. Factors: a name of the query at its start, the share
// of the query that it covers, its session, its length, whether it is itself a question, and for
// questions about times and numbers whether it holds one. The best are reranked with
// pseudo-relevance feedback. Found are memories with a query word, and answers to questions with one.
// The result is exact: pruned memories cannot rank higher.
import { TopK, type Scored } from '../top-k.ts'
import type { MemoryIndex } from '../memory-index.ts'
import { traits } from '../memory-index.ts'
import type { Accepts, SearchHit, Ranking } from '../search.ts'
import type { FeedbackWord } from './feedback.ts'
import { feedbackWords } from './feedback.ts'
import type { RecallQuery } from './query.ts'
import { lengthFactor, recallQuery } from './query.ts'
import { recallTuning as tuning } from './tuning.ts'
import { maxDistance, RecallWindow } from './window.ts'

const decays = [1, 2, 3, 4, 5, 6].map((distance) => tuning.neighbourDecay ** (distance - 1))
const [before1 = 0, before2 = 0, before3 = 0, before4 = 0, before5 = 0, before6 = 0] = decays.map(
  (decay) => tuning.before * decay,
)
const [after1 = 0, after2 = 0, after3 = 0, after4 = 0, after5 = 0, after6 = 0] = decays.map(
  (decay) => tuning.after * decay,
)
/** Neighbours raise a score up to this, so that only a memory with every word of the query reaches 1. */
const neighbourCeiling = 0.6
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

  search(text: string, limit: number, accepts?: Accepts): SearchHit[] {
    const index = this.#index
    const query = recallQuery(index, index.parse(text))
    if (query === undefined || limit <= 0) return []
    let shown = 1
    return this.#ranked(query, limit, accepts).map(({ id, score }) => {
      const held = index.sequences.distinct(id)
      const ceiling = neighbourCeiling + (1 - neighbourCeiling) * coverageOf(query, held)
      shown = Math.min(shown, score / query.fullScore, ceiling)
      const why = query.terms.filter(({ word }) => held.has(word)).map(({ text: term }) => term)
      return { id, score: shown, why }
    })
  }

  /** The best memories with their scores before they are made comparable between queries. */
  rank(text: string, limit: number): Scored[] {
    const query = recallQuery(this.#index, this.#index.parse(text))
    return query === undefined || limit <= 0 ? [] : this.#ranked(query, limit)
  }

  #ranked(query: RecallQuery, limit: number, accepts?: Accepts): Scored[] {
    const depth = Math.max(minDepth, limit * 2)
    return this.#rerank(query, this.#best(query, depth, accepts)).slice(0, limit)
  }

  #best(query: RecallQuery, depth: number, accepts: Accepts | undefined): Scored[] {
    const best = new TopK(depth)
    this.#window.begin(query)
    try {
      while (this.#window.next()) this.#offerReady(query, best, accepts)
    } finally {
      this.#window.end()
    }
    return best.sorted()
  }

  /** Offers the ready memories; skips those whose upper bound is below the threshold. */
  #offerReady(query: RecallQuery, best: TopK, accepts: Accepts | undefined): void {
    const { scores, ready, readyCount, base } = this.#window
    const { maxFactor } = query
    let threshold = best.threshold / slack
    for (let at = 0; at < readyCount; at += 1) {
      const position = ready[at] as number
      const own = scores[position] as number
      const bound = own + maxNeighbourScore(scores, position)
      if (bound * maxFactor < threshold) continue
      const id = base + position
      const factor = this.#factor(query, position)
      if (bound * factor < threshold || (accepts !== undefined && !accepts(id))) continue
      best.offer(id, (own + this.#neighbourScore(position)) * factor)
      threshold = best.threshold / slack
    }
  }

  /** The product of all factors of a memory. */
  #factor(query: RecallQuery, position: number): number {
    const id = this.#window.base + position
    const { leads } = this.#index
    const kind = this.#index.traits[id] as number
    let factor = this.#window.sessionFactor(id)
    factor *= lengthFactor(this.#index.lengths[id] as number)
    if (this.#window.scores[position] === 0) factor *= tuning.admitted
    if (leads[id] !== 0 && query.leadWords.has((leads[id] as number) - 1)) factor *= tuning.lead
    if ((kind & traits.question) !== 0) factor *= tuning.question
    if (query.wantsTime && (kind & traits.time) !== 0) factor *= tuning.time
    if (query.wantsNumber && (kind & traits.number) !== 0) factor *= tuning.number
    return factor * (1 + tuning.coverage * this.#window.coverage(position))
  }

  #neighbourScore(position: number): number {
    const { base } = this.#window
    if ((this.#index.lengths[base + position] as number) > tuning.maxNeighbourLength) return 0
    let sum = 0
    for (let distance = 1; distance <= maxDistance; distance += 1) {
      const before = this.#scoreOfNeighbour(position, -distance)
      const after = this.#scoreOfNeighbour(position, distance)
      const decay = decays[distance - 1] as number
      sum += decay * (tuning.before * before + tuning.after * after)
      if (distance === 1 && this.#isQuestion(base + position - 1)) {
        sum += tuning.before * tuning.answer * before
      }
      if (distance === 2) {
        if (this.#isSameSpeaker(position, -2)) sum += tuning.speaker * before
        if (this.#isSameSpeaker(position, 2)) sum += tuning.speaker * after
      }
    }
    return sum
  }

  #isSameSpeaker(position: number, distance: number): boolean {
    const { leads } = this.#index
    const id = this.#window.base + position
    return leads[id] !== 0 && leads[id] === leads[id + distance]
  }

  #isQuestion(id: number): boolean {
    return ((this.#index.traits[id] as number) & traits.question) !== 0
  }

  /** The score of the neighbour; 0 for another tag, a long memory or a copy of this memory. */
  #scoreOfNeighbour(position: number, distance: number): number {
    const { scores, base } = this.#window
    const score = scores[position + distance] as number
    if (score === 0) return 0
    const { lengths, tags, sequences } = this.#index
    const id = base + position
    const other = id + distance
    if (tags[other] !== tags[id] || (lengths[other] as number) > tuning.maxNeighbourLength) return 0
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
}

/** The share of the query's weight that these words have. */
function coverageOf({ words, fullWeight }: RecallQuery, held: ReadonlySet<number>): number {
  let weight = 0
  for (const [word, own] of words) if (held.has(word)) weight += own
  return weight / fullWeight
}

/** Upper bound of the neighbour scores: all count, a question stands before, one speaker says all. */
function maxNeighbourScore(scores: Float64Array, at: number): number {
  return (
    before1 * (1 + tuning.answer) * (scores[at - 1] as number) +
    after1 * (scores[at + 1] as number) +
    (before2 + tuning.speaker) * (scores[at - 2] as number) +
    (after2 + tuning.speaker) * (scores[at + 2] as number) +
    before3 * (scores[at - 3] as number) +
    after3 * (scores[at + 3] as number) +
    before4 * (scores[at - 4] as number) +
    after4 * (scores[at + 4] as number) +
    before5 * (scores[at - 5] as number) +
    after5 * (scores[at + 5] as number) +
    before6 * (scores[at - 6] as number) +
    after6 * (scores[at + 6] as number)
  )
}
