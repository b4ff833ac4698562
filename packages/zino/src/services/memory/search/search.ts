// Searching the hard memories. Both rankings answer a query with ids, best first; results that say
// nearly the same are collapsed: of memories that share most of their words only the best one stays,
// and others take the free places.
import type { MemoryIndex } from './memory-index.ts'
import { RecallRanking } from './recall/recall.ts'
import { TfidfRanking } from './tfidf-ranking.ts'

export { withCapacity } from './columns.ts'
export { MemoryIndex } from './memory-index.ts'

export interface SearchHit {
  id: number
  /** In (0, 1], falling. */
  score: number
  /** The words of the query that the memory holds. */
  why: string[]
}

export interface Ranking {
  search(query: string, wanted: number): SearchHit[]
  /** Called after a memory was added or forgotten. */
  onAdded?(id: number): void
  onForgotten?(id: number): void
}

export type RankingName = 'recall' | 'tfidf'

/** The share of words that two memories have in common, of all words that either has. */
const duplicateSimilarity = 0.8

export function createRanking(name: RankingName, index: MemoryIndex): Ranking {
  return name === 'tfidf' ? new TfidfRanking(index) : new RecallRanking(index)
}

export function searchDistinct(
  index: MemoryIndex,
  ranking: Ranking,
  query: string,
  wanted: number,
): SearchHit[] {
  if (wanted <= 0) return []
  for (let depth = wanted * 4; ; depth *= 4) {
    const found = ranking.search(query, depth)
    const distinct = dropNearDuplicates(index, found, wanted)
    if (distinct.length === wanted || found.length < depth) return distinct
  }
}

function dropNearDuplicates(
  index: MemoryIndex,
  found: readonly SearchHit[],
  wanted: number,
): SearchHit[] {
  const kept: { result: SearchHit; words: ReadonlySet<number> }[] = []
  for (const result of found) {
    if (kept.length === wanted) break
    const words = index.sequences.distinct(result.id)
    if (kept.some((other) => jaccardSimilarity(words, other.words) >= duplicateSimilarity)) continue
    kept.push({ result, words })
  }
  return kept.map(({ result }) => result)
}

function jaccardSimilarity(one: ReadonlySet<number>, other: ReadonlySet<number>): number {
  let shared = 0
  for (const word of one) if (other.has(word)) shared += 1
  return shared / (one.size + other.size - shared)
}
