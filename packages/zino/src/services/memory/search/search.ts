// Search over hard memories. A ranking returns ids, best first. `searchDistinct` drops near-duplicates:
// of memories that share most of their words, only the best is returned.
import type { MemoryIndex } from './memory-index.ts'
import { RecallRanking } from './recall/recall.ts'
import { TfidfRanking } from './tfidf-ranking.ts'

export { withCapacity } from './columns.ts'
export { MemoryIndex } from './memory-index.ts'

export interface SearchHit {
  id: number
  /** In (0, 1], descending. */
  score: number
  /** The query words that the memory contains. */
  why: string[]
}

/** Whether a memory may be found. */
export type Accepts = (id: number) => boolean

export interface Ranking {
  search(query: string, limit: number, accepts?: Accepts): SearchHit[]
  /** Called after a memory was added. */
  onAdded?(id: number): void
  /** Called after a memory was forgotten. */
  onForgotten?(id: number): void
}

export type RankingName = 'recall' | 'tfidf'

/** Jaccard similarity of the word sets above which two memories count as duplicates. */
const duplicateSimilarity = 0.8

export function createRanking(name: RankingName, index: MemoryIndex): Ranking {
  return name === 'tfidf' ? new TfidfRanking(index) : new RecallRanking(index)
}

export function searchDistinct(
  index: MemoryIndex,
  ranking: Ranking,
  query: string,
  limit: number,
  accepts?: Accepts,
): SearchHit[] {
  if (limit <= 0) return []
  for (let depth = limit * 4; ; depth *= 4) {
    const found = ranking.search(query, depth, accepts)
    const distinct = dropNearDuplicates(index, found, limit)
    if (distinct.length === limit || found.length < depth) return distinct
  }
}

function dropNearDuplicates(
  index: MemoryIndex,
  found: readonly SearchHit[],
  limit: number,
): SearchHit[] {
  const kept: { result: SearchHit; words: ReadonlySet<number> }[] = []
  for (const result of found) {
    if (kept.length === limit) break
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
