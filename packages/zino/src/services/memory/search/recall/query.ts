// What of a query counts for the recall ranking: which words, how much each, which of them in pairs.
import type { MemoryIndex, QueryWord } from '../memory-index.ts'

export interface RecallTerm {
  text: string
  word: number
  /** What the word is worth in a memory of average length that holds it once. */
  weight: number
}

export interface RecallQuery {
  /** Distinct, in the order of the query. */
  terms: readonly RecallTerm[]
  /** By position of the term: the weight of the pair that it forms with the term before it, or 0. */
  pairs: readonly number[]
  /** Words that may be the leading name, those included that were left out as too common. */
  leadWords: ReadonlySet<number>
}

/** One bit of a number for each, and two for marks. */
export const maxTerms = 30
const pairShare = 0.3
/** In a large store a word that one memory in ten holds tells nothing beside a rarer one. */
const largeStore = 5_000
const commonShare = 0.1

/** Undefined when no memory can hold any of its words. */
export function recallQuery(
  index: MemoryIndex,
  words: readonly QueryWord[],
): RecallQuery | undefined {
  const telling = words.filter((word) => !word.isStopWord)
  const counted = telling.length > 0 ? telling : words
  const chosen = new Set(selectWords(index, counted))
  if (chosen.size === 0) return undefined
  const terms: RecallTerm[] = []
  const pairs: number[] = []
  let before: RecallTerm | undefined
  for (const { text, word } of counted) {
    if (!chosen.delete(word)) {
      before = undefined
      continue
    }
    const term = { text, word, weight: idf(index, word) }
    terms.push(term)
    pairs.push(before === undefined ? 0 : pairShare * (before.weight + term.weight))
    before = term
  }
  const names = counted.map(({ word }) => word).filter((word) => word !== -1)
  return { terms, pairs, leadWords: new Set(names) }
}

function selectWords(index: MemoryIndex, words: readonly QueryWord[]): number[] {
  const holders = (word: number) => index.documentFrequency(word)
  const known = [...new Set(words.map(({ word }) => word))].filter(
    (word) => word !== -1 && holders(word) > 0,
  )
  const isRare = (word: number) => holders(word) <= index.memoryCount * commonShare
  const rare = index.memoryCount > largeStore ? known.filter(isRare) : []
  const chosen = rare.length > 0 ? rare : known
  return chosen.sort((one, other) => holders(one) - holders(other)).slice(0, maxTerms)
}

/** The rarer the word, the more it is worth; always above 0. */
export function idf(index: MemoryIndex, word: number): number {
  const holders = index.documentFrequency(word)
  return Math.log(1 + (index.memoryCount - holders + 0.5) / (holders + 0.5))
}
