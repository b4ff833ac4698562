// Pseudo-relevance feedback: words outside the query that the best memories share.
import type { Scored } from '../top-k.ts'
import type { MemoryIndex } from '../memory-index.ts'
import type { RecallQuery } from './query.ts'
import { idf } from './query.ts'

const sourceMemories = 3
const maxWords = 5
const feedbackShare = 0.1

export interface FeedbackWord {
  bonus: number
  /** A distinct bit per word. */
  bit: number
}

/** The words that at least two of the top three memories contain; the five with the highest bonus. */
export function feedbackWords(
  index: MemoryIndex,
  query: RecallQuery,
  best: readonly Scored[],
): ReadonlyMap<number, FeedbackWord> {
  const top = best.slice(0, sourceMemories)
  const queryWords = new Set(query.terms.map(({ word }) => word))
  const votes = new Map<number, { sum: number; voters: number }>()
  for (const { id, score } of top) {
    for (const word of index.sequences.distinct(id)) {
      if (queryWords.has(word) || word < index.stopWordEnd) continue
      const vote = votes.get(word) ?? { sum: 0, voters: 0 }
      vote.sum += score / (top[0] as Scored).score
      vote.voters += 1
      votes.set(word, vote)
    }
  }
  const bonuses = [...votes]
    .filter(([, { voters }]) => voters > 1)
    .map(([word, { sum }]): [number, number] => [word, feedbackShare * sum * idf(index, word)])
  const chosen = bonuses
    .sort((one, other) => other[1] - one[1] || one[0] - other[0])
    .slice(0, maxWords)
  return new Map(chosen.map(([word, value], at) => [word, { bonus: value, bit: 1 << at }]))
}
