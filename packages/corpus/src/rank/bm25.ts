// BM25 scores of documents, by field. Statistics are those of the ranked documents, not of everything in memory.
import type { Field } from './documents.ts'
import type { DocumentGroup, FileDocument } from './document-group.ts'

const saturation = 1.2

/** The documents of one request, with the occurrences of its terms. */
export class Collection {
  readonly documents: readonly FileDocument[]
  /** Position among the documents by number in the group; -1 for documents that are not ranked. */
  readonly #positions = new Map<DocumentGroup, Int32Array>()

  constructor(documents: readonly FileDocument[]) {
    this.documents = documents
    for (const [at, { group, number }] of documents.entries()) {
      let positions = this.#positions.get(group)
      if (positions === undefined) {
        positions = new Int32Array(group.documents.length).fill(-1)
        this.#positions.set(group, positions)
      }
      positions[number] = at
    }
  }

  /** Scores of one field, divided by the best one. `weights` has a factor for each term. */
  scores(
    field: Field,
    hashes: readonly number[],
    lengthShare: number,
    weights?: readonly number[],
  ): Float64Array {
    const { documents } = this
    const scores = new Float64Array(documents.length)
    if (hashes.length === 0) return scores
    let total = 0
    for (const { lengths } of documents) total += lengths[field]
    const average = total / Math.max(1, documents.length) || 1
    for (const [term, hash] of hashes.entries()) {
      const { positions, counts } = this.#occurrences(field, hash)
      const gain = (weights?.[term] ?? 1) * rarityOf(positions.length, documents.length)
      for (const [at, position] of positions.entries()) {
        const count = counts[at] as number
        const length = (documents[position] as FileDocument).lengths[field] / average
        scores[position] =
          (scores[position] as number) + gain * bm25Gain(count, length, lengthShare)
      }
    }
    return normalized(scores)
  }

  /** How many documents have a term in their content, as a weight. */
  rarity(hash: number): number {
    return rarityOf(this.#occurrences('content', hash).positions.length, this.documents.length)
  }

  #occurrences(field: Field, hash: number): { positions: number[]; counts: number[] } {
    const found: { positions: number[]; counts: number[] } = { positions: [], counts: [] }
    for (const [group, positions] of this.#positions) {
      group.each(field, hash, (number, count) => {
        const position = positions[number] as number
        if (position === -1) return
        found.positions.push(position)
        found.counts.push(count)
      })
    }
    return found
  }
}

/** The inverse document frequency of BM25. */
export function rarityOf(found: number, total: number): number {
  return Math.log(1 + (total - found + 0.5) / (found + 0.5))
}

export function bm25Gain(count: number, relativeLength: number, lengthShare: number): number {
  return (
    (count * (saturation + 1)) /
    (count + saturation * (1 - lengthShare + lengthShare * relativeLength))
  )
}

export function normalized(scores: Float64Array): Float64Array {
  let best = 0
  for (const score of scores) best = Math.max(best, score)
  return best === 0 ? scores : scores.map((score) => score / best)
}
