// Words that the best memories share beyond the query: what they are about, in words of their own.
import type { Scored } from '../best-list.ts'
import type { MemoryIndex } from '../memory-index.ts'
import type { RecallQuery } from './query.ts'
import { weightOf } from './query.ts'

const teachers = 3
const mostWords = 5
const share = 0.1

export interface FeedbackWord {
  worth: number
  /** One bit, another for each. */
  bit: number
}

/** The words that at least two of the top three hold, those that are worth most. */
export function feedbackWords(
  index: MemoryIndex,
  query: RecallQuery,
  best: readonly Scored[],
): ReadonlyMap<number, FeedbackWord> {
  const top = best.slice(0, teachers)
  const asked = new Set(query.terms.map(({ word }) => word))
  const votes = new Map<number, { sum: number; voters: number }>()
  for (const { id, score } of top) {
    for (const word of index.sequences.distinct(id)) {
      if (asked.has(word) || word < index.noiseEnd) continue
      const vote = votes.get(word) ?? { sum: 0, voters: 0 }
      vote.sum += score / (top[0] as Scored).score
      vote.voters += 1
      votes.set(word, vote)
    }
  }
  const worth = [...votes]
    .filter(([, { voters }]) => voters > 1)
    .map(([word, { sum }]): [number, number] => [word, share * sum * weightOf(index, word)])
  const most = worth
    .sort((one, other) => other[1] - one[1] || one[0] - other[0])
    .slice(0, mostWords)
  return new Map(most.map(([word, value], at) => [word, { worth: value, bit: 1 << at }]))
}
