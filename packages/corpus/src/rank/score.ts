// Ranks files for a question: BM25 over contents, paths and symbols, what the history says, and partners of the best
// files. The weights were tuned on six public repositories and checked on six others (bench/zeno-locate.ts).
import { Collection } from './bm25.ts'
import type { ExampleList } from './commits.ts'
import type { FileDocument } from './document-group.ts'
import type { Field } from './documents.ts'
import { historyScores, placeExamples } from './history-scores.ts'
import type { HistoryScores } from './history-scores.ts'
import { bestPositions, partnersOf } from './partners.ts'
import type { Partner } from './partners.ts'
import type { Question } from './question.ts'

/** The share of each part in a score; every part is at most 1. */
interface Weights {
  content: number
  symbols: number
  file: number
  folder: number
  /** The part of the title before its colon, in paths. */
  scope: number
  /** Whole identifiers in contents and in names of symbols. */
  identifiers: number
  identifierSymbols: number
  /** Paths and names of files that the text spells out. */
  mention: number
  similar: number
  messages: number
  activity: number
  recency: number
  together: number
  named: number
}

const withHistory: Weights = {
  content: 1,
  symbols: 0.25,
  file: 1,
  folder: 0.7,
  scope: 0.6,
  identifiers: 0.8,
  identifierSymbols: 0.5,
  mention: 0.8,
  similar: 0.5,
  messages: 0.9,
  activity: 0.2,
  recency: 0.6,
  together: 0.5,
  named: 0.1,
}

/** Without messages that confirm a word of a path, the content counts more. */
const withoutHistory: Weights = {
  ...withHistory,
  file: 0.5,
  folder: 0.3,
  scope: 0.3,
  identifiers: 0.2,
  identifierSymbols: 0.2,
}

/** Commits from which the history counts fully. */
const enoughExamples = 100

export interface Ranked {
  document: FileDocument
  score: number
  /** Terms of the text in the content, the path and the symbols. */
  terms: string[]
  pathTerms: string[]
  symbolTerms: string[]
  /** The text spells out its path or name. */
  isMentioned: boolean
  /** Earlier commits with a similar message that changed the file. */
  commits: number
  /** Messages of earlier commits have terms of the text. */
  hasMessages: boolean
  /** A better file to which it belongs. */
  partner?: Partner
}

export interface RankRequest {
  question: Question
  documents: readonly FileDocument[]
  examples: ExampleList
  max: number
}

export interface Ranking {
  /** The best files, best first; ties in path order. */
  ranked: Ranked[]
  /** How rare a term of the question is in the contents, by its number. */
  rarity: (term: number) => number
}

export function rankFiles(request: RankRequest): Ranking {
  const { documents, question, examples, max } = request
  const weights = weightsFor(examples.examples.length)
  const collection = new Collection(documents)
  const placed = placeExamples(examples, documents)
  const history = historyScores(question, placed, documents.length)
  const mentions = mentionScores(documents, question.words)
  const scores = evidence(collection, question, weights)
  for (const [at, { weight }] of documents.entries()) {
    const own =
      (scores[at] as number) +
      weights.mention * (mentions[at] as number) +
      weights.similar * (history.similar[at] as number) +
      weights.messages * (history.messages[at] as number)
    // A recent change alone says nothing about the text.
    scores[at] = own === 0 ? 0 : weight * (own + changeScore(history, at, weights))
  }
  const partners = partnersOf(documents, placed, scores, weights)
  for (const [at, { gain }] of partners) scores[at] = (scores[at] as number) + gain
  const ranked = bestPositions(scores, max).map((at): Ranked => {
    const document = documents[at] as FileDocument
    const partner = partners.get(at)
    return {
      document,
      score: scores[at] as number,
      ...matchingTerms(document, question),
      isMentioned: (mentions[at] as number) > 0,
      commits: history.voters[at] as number,
      hasMessages: (history.messages[at] as number) > 0,
      ...(partner === undefined ? {} : { partner }),
    }
  })
  return { ranked, rarity: (term) => collection.rarity(question.hashes[term] ?? 0) }
}

function weightsFor(examples: number): Weights {
  const share = Math.min(1, examples / enoughExamples)
  const names = Object.keys(withHistory) as (keyof Weights)[]
  return Object.fromEntries(
    names.map((name) => [name, share * withHistory[name] + (1 - share) * withoutHistory[name]]),
  ) as unknown as Weights
}

/** What contents, symbols and paths say. */
function evidence(collection: Collection, question: Question, weights: Weights): Float64Array {
  const { hashes, identifiers, scope } = question
  const scores = new Float64Array(collection.documents.length)
  const add = (
    field: Field,
    wanted: readonly number[],
    lengthShare: number,
    weight: number,
    termWeights?: readonly number[],
  ): void => {
    for (const [at, score] of collection.scores(field, wanted, lengthShare, termWeights).entries())
      scores[at] = (scores[at] as number) + weight * score
  }
  add('content', hashes, 0.6, weights.content, question.weights)
  add('symbols', hashes, 0.4, weights.symbols, question.weights)
  add('file', hashes, 0.3, weights.file, question.weights)
  add('folder', hashes, 0.3, weights.folder, question.weights)
  add('content', identifiers, 0.75, weights.identifiers)
  add('symbols', identifiers, 0.4, weights.identifierSymbols)
  add('file', scope, 0.3, weights.scope / 2)
  add('folder', scope, 0.3, weights.scope / 2)
  return scores
}

function changeScore({ activity, recency }: HistoryScores, at: number, weights: Weights): number {
  return weights.activity * (activity[at] as number) + weights.recency * (recency[at] as number)
}

function matchingTerms(
  { group, number }: FileDocument,
  { terms, hashes }: Question,
): Pick<Ranked, 'terms' | 'pathTerms' | 'symbolTerms'> {
  const inFields = (...fields: Field[]): string[] =>
    terms.filter((_, at) => fields.some((field) => group.has(field, hashes[at] as number, number)))
  return {
    terms: inFields('content'),
    pathTerms: inFields('file', 'folder'),
    symbolTerms: inFields('symbols'),
  }
}

/** Files whose path, name or stem the text spells out, and files below a folder that it spells out with a slash. */
function mentionScores(
  documents: readonly FileDocument[],
  words: ReadonlySet<string>,
): Float64Array {
  const scores = new Float64Array(documents.length)
  const folders = [...words].filter((word) => /^[^/].*\/./.test(word)).map((word) => `${word}/`)
  for (const [at, { path, bareName: bare }] of documents.entries()) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (words.has(path)) scores[at] = 1
    else if (words.has(name)) scores[at] = 0.8
    else if (folders.some((folder) => isBelow(path, folder))) scores[at] = 0.5
    else if (bare.length > 3 && words.has(bare)) scores[at] = 0.35
  }
  return scores
}

/** `folder` ends with a slash, and may be the last part of a longer path. */
function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder) || path.includes(`/${folder}`)
}
