// What a ranking is to the hard memories: both kinds answer a query with ids, best first.
import type { MemoryIndex } from './memory-index.ts'
import { RecallRanking } from './recall-ranking.ts'
import { TfidfRanking } from './tfidf-ranking.ts'

export interface Found {
  id: number
  /** In (0, 1], falling. */
  score: number
  /** The words of the query that the memory holds. */
  why: string[]
}

export interface Ranking {
  search(query: string, wanted: number): Found[]
  /** Called after a memory was added or forgotten. */
  added?(id: number): void
  forgotten?(id: number): void
}

export type RankingName = 'recall' | 'tfidf'

export function rankingOf(name: RankingName, index: MemoryIndex): Ranking {
  return name === 'tfidf' ? new TfidfRanking(index) : new RecallRanking(index)
}
