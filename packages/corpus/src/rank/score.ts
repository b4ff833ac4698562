// Ranks files for a text: BM25 over contents, paths and symbols, and the files of earlier commits with similar
// messages. Files that often change together with the best ones move up.
import type { Example } from './commits.ts'
import type { FileDocument } from './documents.ts'
import { hashOf } from './tokens.ts'
import { countOf } from './vector.ts'
import type { TermVector } from './vector.ts'

/** The share of each part in a score. */
interface Weights {
  content: number
  path: number
  symbols: number
  /** Paths and names of files that the text spells out. */
  mention: number
  /** Messages of earlier commits. */
  message: number
  /** How often a file changed lately. */
  activity: number
  /** Files that change together with the best ones. */
  together: number
}

const defaultWeights: Weights = {
  content: 1,
  path: 0.6,
  symbols: 0.35,
  mention: 1.5,
  message: 0.9,
  activity: 0.5,
  together: 0.5,
}

export interface Ranked {
  document: FileDocument
  score: number
  /** Terms of the text in the content, the path and the symbols. */
  terms: string[]
  pathTerms: string[]
  symbolTerms: string[]
  /** Earlier commits with a similar message that changed the file. */
  commits: number
  /** A better file with which it often changes. */
  partner?: string
}

export interface RankRequest {
  text: string
  terms: readonly string[]
  documents: readonly FileDocument[]
  /** Newest first. */
  examples: readonly Example[]
  weights?: Weights
  max: number
}

/** The best files, best first; ties in path order. */
export function rankFiles(request: RankRequest): Ranked[] {
  const { documents, terms, weights = defaultWeights, examples, text, max } = request
  const hashes = terms.map(hashOf)
  const content = bm25(
    documents.map((each) => each.content),
    hashes,
    0.75,
  )
  const names = bm25(
    documents.map((each) => each.name),
    hashes,
    0.3,
  )
  const symbols = bm25(
    documents.map((each) => each.symbols),
    hashes,
    0.4,
  )
  const history = historyScores(documents, examples, hashes)
  const mentions = mentionScores(documents, text)
  const scores = documents.map(
    ({ weight }, at) =>
      weight *
      (weights.content * (content[at] as number) +
        weights.path * (names[at] as number) +
        weights.symbols * (symbols[at] as number) +
        weights.mention * (mentions[at] as number) +
        weights.message * (history.message[at] as number) +
        weights.activity * (history.activity[at] as number)),
  )
  const partners =
    weights.together > 0 ? addTogether(documents, examples, scores, weights.together) : []
  const order = documents.map((_, at) => at).filter((at) => (scores[at] as number) > 0)
  order.sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b)
  return order.slice(0, max).map((at) => {
    const document = documents[at] as FileDocument
    const partner = partners[at]
    const inVector = (vector: TermVector): string[] =>
      terms.filter((_, term) => countOf(vector, hashes[term] as number) > 0)
    return {
      document,
      score: scores[at] as number,
      terms: inVector(document.content),
      pathTerms: inVector(document.name),
      symbolTerms: inVector(document.symbols),
      commits: history.commits[at] as number,
      ...(partner === undefined ? {} : { partner }),
    }
  })
}

const saturation = 1.2

/** Scores between 0 and 1: BM25 divided by the best one. */
function bm25(
  vectors: readonly TermVector[],
  hashes: readonly number[],
  lengthShare: number,
): Float64Array {
  const scores = new Float64Array(vectors.length)
  const total = vectors.reduce((sum, { length }) => sum + length, 0)
  const average = total / Math.max(1, vectors.length) || 1
  const counts = new Uint16Array(vectors.length)
  for (const hash of hashes) {
    let found = 0
    for (const [at, vector] of vectors.entries()) {
      const count = countOf(vector, hash)
      counts[at] = count
      if (count > 0) found++
    }
    if (found === 0) continue
    const rarity = Math.log(1 + (vectors.length - found + 0.5) / (found + 0.5))
    for (const [at, count] of counts.entries()) {
      if (count === 0) continue
      const length = 1 - lengthShare + (lengthShare * (vectors[at] as TermVector).length) / average
      scores[at] =
        (scores[at] as number) + (rarity * count * (saturation + 1)) / (count + saturation * length)
    }
  }
  return normalized(scores)
}

function normalized(scores: Float64Array): Float64Array {
  let best = 0
  for (const score of scores) best = Math.max(best, score)
  return best === 0 ? scores : scores.map((score) => score / best)
}

interface HistoryScores {
  message: Float64Array
  activity: Float64Array
  commits: Uint32Array
}

/** Commits after which the weight of a change has halved. */
const halfLife = 150
/** Similar commits that vote for their files. */
const voters = 30

function historyScores(
  documents: readonly FileDocument[],
  examples: readonly Example[],
  hashes: readonly number[],
): HistoryScores {
  const positions = new Map(documents.map(({ path }, at) => [path, at]))
  const [message, activity] = [
    new Float64Array(documents.length),
    new Float64Array(documents.length),
  ]
  const commits = new Uint32Array(documents.length)
  const similar = bm25(
    examples.map((each) => each.message),
    hashes,
    0.6,
  )
  const least = Float64Array.from(similar).sort().at(-voters) ?? 0
  for (const [age, { files }] of examples.entries()) {
    const recent = 0.5 ** (age / halfLife)
    const likeness = similar[age] as number
    const vote = likeness > 0 && likeness >= least ? likeness ** 2 * (0.5 + 0.5 * recent) : 0
    for (const file of files) {
      const at = positions.get(file)
      if (at === undefined) continue
      activity[at] = (activity[at] as number) + recent / Math.sqrt(files.length)
      if (vote === 0) continue
      message[at] = (message[at] as number) + vote / Math.sqrt(files.length)
      commits[at] = (commits[at] as number) + 1
    }
  }
  return { message: normalized(message), activity: normalized(activity.map(Math.sqrt)), commits }
}

/** Files whose path, name or stem the text spells out. */
function mentionScores(documents: readonly FileDocument[], text: string): Float64Array {
  const words = new Set(text.match(/[\w./-]*\w/g) ?? [])
  const scores = new Float64Array(documents.length)
  for (const [at, { path }] of documents.entries()) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const bare = name.replace(/\.[^.]+$/, '')
    if (words.has(path)) scores[at] = 1
    else if (words.has(name)) scores[at] = 0.8
    else if (bare.length > 3 && words.has(bare)) scores[at] = 0.35
  }
  return scores
}

const seeds = 5

/** Adds to the scores of files that change together with the best ones; returns the partner of each. */
function addTogether(
  documents: readonly FileDocument[],
  examples: readonly Example[],
  scores: number[],
  weight: number,
): (string | undefined)[] {
  const best = scores
    .map((_, at) => at)
    .sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b)
    .slice(0, seeds)
    .filter((at) => (scores[at] as number) > 0)
  const positions = new Map(documents.map(({ path }, at) => [path, at]))
  const partners: (string | undefined)[] = []
  const added = new Float64Array(scores.length)
  for (const seed of best) {
    const { path } = documents[seed] as FileDocument
    const own = examples.filter(({ files }) => files.includes(path))
    const shared = new Map<number, number>()
    for (const { files } of own) {
      for (const file of files) {
        const at = positions.get(file)
        if (at !== undefined && at !== seed) shared.set(at, (shared.get(at) ?? 0) + 1)
      }
    }
    for (const [at, count] of shared) {
      if (count < 2) continue
      const gain = (weight * (scores[seed] as number) * count) / (own.length + 2)
      if (gain <= (added[at] as number)) continue
      added[at] = gain
      partners[at] = path
    }
  }
  for (const [at, gain] of added.entries()) scores[at] = (scores[at] as number) + gain
  return partners
}
