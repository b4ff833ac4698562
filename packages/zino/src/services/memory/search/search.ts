// Searching the hard memories. Both rankings answer a query with ids, best first; results that say
// nearly the same are collapsed: of memories that share most of their words only the best one stays,
// and others take the free places.
import type { MemoryIndex } from './memory-index.ts'
import { RecallRanking } from './recall/recall.ts'
import { TfidfRanking } from './tfidf-ranking.ts'

export { withRoom } from './columns.ts'
export { MemoryIndex } from './memory-index.ts'

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

/** The share of words that two memories have in common, of all words that either has. */
const nearlyEqual = 0.8

export function rankingOf(name: RankingName, index: MemoryIndex): Ranking {
  return name === 'tfidf' ? new TfidfRanking(index) : new RecallRanking(index)
}

export function searchDistinct(
  index: MemoryIndex,
  ranking: Ranking,
  query: string,
  wanted: number,
): Found[] {
  if (wanted <= 0) return []
  for (let depth = wanted * 4; ; depth *= 4) {
    const found = ranking.search(query, depth)
    const distinct = withoutRepeats(index, found, wanted)
    if (distinct.length === wanted || found.length < depth) return distinct
  }
}

function withoutRepeats(index: MemoryIndex, found: readonly Found[], wanted: number): Found[] {
  const kept: { result: Found; words: ReadonlySet<number> }[] = []
  for (const result of found) {
    if (kept.length === wanted) break
    const words = index.sequences.distinct(result.id)
    if (kept.some((other) => likeness(words, other.words) >= nearlyEqual)) continue
    kept.push({ result, words })
  }
  return kept.map(({ result }) => result)
}

function likeness(one: ReadonlySet<number>, other: ReadonlySet<number>): number {
  let shared = 0
  for (const word of one) if (other.has(word)) shared += 1
  return shared / (one.size + other.size - shared)
}
