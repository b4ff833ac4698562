// Selects the terms of a query for the recall ranking, with their weights and adjacent pairs.
import type { MemoryIndex, QueryWord } from '../memory-index.ts'
import { recallTuning as tuning } from './tuning.ts'

export interface RecallTerm {
  text: string
  word: number
  /** Score of one occurrence in a memory of average length. */
  weight: number
}

export interface RecallQuery {
  /** Distinct terms in query order. */
  terms: readonly RecallTerm[]
  /** Per term, the weight of its pair with the previous term, or 0. */
  pairs: readonly number[]
  /** The distinct words of the query with their weights. */
  words: readonly (readonly [word: number, weight: number])[]
  /** Sum of the weights of all words of the query, those that no memory contains included. */
  fullWeight: number
  /** The score of a memory of average length that holds every word of the query once. */
  fullScore: number
  /** The largest product of all factors. */
  maxFactor: number
  /** The query asks for a time, or for a number. */
  wantsTime: boolean
  wantsNumber: boolean
  /** Words that memories start with as a name, including words dropped as too common. */
  leadWords: ReadonlySet<number>
}

/** The first three words of questions for a time and for a number. */
const timeQuestion = /\b(?:when|how long|(?:what|which) (?:day|date|week|month|year|time))\b/
const numberQuestion = /\bhow (?:many|much|old|often)\b/

/** Each term has a bit in a 32-bit number; two bits are left for marks. */
export const maxTerms = 30
/** Above this size, words in more than a tenth of the memories are dropped beside rarer ones. */
const largeStore = 5_000
const commonShare = 0.1

/** Undefined when no memory contains any word of the query. */
export function recallQuery(
  index: MemoryIndex,
  words: readonly QueryWord[],
): RecallQuery | undefined {
  const contentWords = words.filter((word) => !word.isStopWord)
  const counted = contentWords.length > 0 ? contentWords : words
  const chosen = new Set(selectWords(index, counted))
  if (chosen.size === 0) return undefined
  const terms: RecallTerm[] = []
  const pairs: number[] = []
  let previous: RecallTerm | undefined
  for (const queryWord of counted) {
    const { text, word } = queryWord
    if (!chosen.delete(word)) {
      previous = undefined
      continue
    }
    const term = { text, word, weight: weightOf(index, queryWord) }
    terms.push(term)
    pairs.push(previous === undefined ? 0 : tuning.pair * (previous.weight + term.weight))
    previous = term
  }
  const leadWords = counted.map(({ word }) => word).filter((word) => index.leadWords.has(word))
  const distinct = distinctWords(counted)
  const fullWeight = distinct.reduce((sum, { word }) => sum + idf(index, word), 0)
  const opening = words
    .slice(0, 3)
    .map(({ text }) => text)
    .join(' ')
  const wantsTime = timeQuestion.test(opening)
  const wantsNumber = numberQuestion.test(opening)
  const sharedFactor = (1 + tuning.coverage) * (1 + tuning.session)
  const maxCoverage = terms.reduce((sum, { weight }) => sum + weight, 0) / fullWeight
  const leadFactor = leadWords.length > 0 ? tuning.lead : 1
  const kindFactor = (wantsTime ? tuning.time : 1) * (wantsNumber ? tuning.number : 1)
  return {
    terms,
    pairs,
    words: distinct.map((each): [number, number] => [each.word, weightOf(index, each)]),
    fullWeight,
    fullScore: fullWeight * sharedFactor * lengthFactor(index.totalWords / index.memoryCount),
    maxFactor:
      leadFactor *
      kindFactor *
      (1 + tuning.coverage * maxCoverage) *
      (1 + tuning.session) *
      (1 + tuning.length),
    wantsTime,
    wantsNumber,
    leadWords: new Set(leadWords),
  }
}

function distinctWords(words: readonly QueryWord[]): QueryWord[] {
  return [...new Map(words.map((word) => [word.text, word])).values()]
}

function weightOf(index: MemoryIndex, { word, isSimilar }: QueryWord): number {
  return idf(index, word) * (isSimilar ? tuning.similar : 1)
}

function selectWords(index: MemoryIndex, words: readonly QueryWord[]): number[] {
  const frequency = (word: number) => index.documentFrequency(word)
  const indexed = [...new Set(words.map(({ word }) => word))].filter(
    (word) => word !== -1 && frequency(word) > 0,
  )
  const isRare = (word: number) => frequency(word) <= index.memoryCount * commonShare
  const rare = index.memoryCount > largeStore ? indexed.filter(isRare) : []
  const chosen = rare.length > 0 ? rare : indexed
  return chosen.sort((one, other) => frequency(one) - frequency(other)).slice(0, maxTerms)
}

/** Short memories ("Thanks, Anna!") answer few questions. */
export function lengthFactor(words: number): number {
  return 1 + (tuning.length * Math.min(words, tuning.fullLength)) / tuning.fullLength
}

/** In a small store every word would look common: it counts as one of this size. */
const minMemories = 100

/** Inverse document frequency as in BM25; always above 0. */
export function idf(index: MemoryIndex, word: number): number {
  const frequency = word === -1 ? 0 : index.documentFrequency(word)
  const memories = Math.max(index.memoryCount, minMemories)
  return Math.log(1 + (memories - frequency + 0.5) / (frequency + 0.5))
}
