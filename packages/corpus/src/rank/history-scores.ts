// What the history says about files: messages of the commits that changed them, and how often and when they changed.
import { bm25Gain, normalized, rarityOf } from './bm25.ts'
import type { Example, ExampleList } from './commits.ts'
import type { Question } from './question.ts'

export interface HistoryScores {
  /** Votes of the commits with the most similar titles for their files. */
  similar: Float64Array
  /** BM25 over the messages of all commits that changed a file, as its document. */
  messages: Float64Array
  /** How often a file changed lately. */
  activity: Float64Array
  /** How recently it changed. */
  recency: Float64Array
  /** Number of voters for each file. */
  voters: Uint32Array
}

/** The examples of a request. */
export interface PlacedExamples {
  list: ExampleList
  /** Positions of the files of each example among the documents. */
  files: readonly (readonly number[])[]
}

export function placeExamples(
  list: ExampleList,
  documents: readonly { path: string }[],
): PlacedExamples {
  const positions = new Map(documents.map(({ path }, at) => [path, at]))
  const files = list.examples.map((example) =>
    example.files.flatMap((file) => positions.get(file) ?? []),
  )
  return { list, files }
}

const maxVoters = 40
/** Commits after which the weight of a change has halved. */
const activityHalfLife = 150
/** Commits after which the recency of a file has halved. */
const recencyHalfLife = 20
const bodyShare = 0.3

/** `count` is the number of documents. */
export function historyScores(
  question: Question,
  placed: PlacedExamples,
  count: number,
): HistoryScores {
  const [activity, recency] = [new Float64Array(count), new Float64Array(count)]
  for (const [age, files] of placed.files.entries()) {
    const gain = 0.5 ** (age / activityHalfLife) * shareOf(placed, age)
    for (const file of files) {
      activity[file] = (activity[file] as number) + gain
      if (recency[file] === 0) recency[file] = 1 / (1 + age / recencyHalfLife)
    }
  }
  return {
    ...votes(question, placed, count),
    messages: messageScores(question, placed, count),
    activity: normalized(activity.map(Math.sqrt)),
    recency,
  }
}

/** A commit of many files says less about each of them. */
function shareOf({ list }: PlacedExamples, at: number): number {
  return 1 / Math.sqrt((list.examples[at] as Example).files.length)
}

function votes(
  { hashes, titleTerms }: Question,
  placed: PlacedExamples,
  count: number,
): Pick<HistoryScores, 'similar' | 'voters'> {
  const likeness = titleLikeness(hashes.slice(0, titleTerms), placed.list)
  const least = Float64Array.from(likeness).sort().at(-maxVoters) ?? 0
  const [similar, voters] = [new Float64Array(count), new Uint32Array(count)]
  for (const [age, files] of placed.files.entries()) {
    const like = likeness[age] as number
    if (like === 0 || like < least) continue
    for (const file of files) {
      similar[file] = (similar[file] as number) + like ** 2 * shareOf(placed, age)
      voters[file] = (voters[file] as number) + 1
    }
  }
  return { similar: normalized(similar), voters }
}

/** BM25 of the titles, divided by the best one. */
function titleLikeness(hashes: readonly number[], list: ExampleList): Float64Array {
  const { examples } = list
  const scores = new Float64Array(examples.length)
  const total = examples.reduce((sum, { title }) => sum + title.length, 0)
  const average = total / Math.max(1, examples.length) || 1
  for (const hash of hashes) {
    const found = list.having(hash).filter(({ title }) => title > 0)
    const rarity = rarityOf(found.length, examples.length)
    for (const { example, title } of found) {
      const length = (examples[example] as Example).title.length / average
      scores[example] = (scores[example] as number) + rarity * bm25Gain(title, length, 0.5)
    }
  }
  return normalized(scores)
}

function messageScores(
  { hashes, weights }: Question,
  placed: PlacedExamples,
  count: number,
): Float64Array {
  const { list, files: positions } = placed
  const lengths = new Float64Array(count)
  const gains = list.examples.map(({ title, body }, age) => {
    const gain = messageWeight(age) * shareOf(placed, age)
    const length = gain * (title.length + bodyShare * body.length)
    for (const file of positions[age] ?? []) lengths[file] = (lengths[file] as number) + length
    return gain
  })
  const changed = lengths.filter((length) => length > 0)
  const average = changed.reduce((sum, length) => sum + length, 0) / changed.length || 1
  const scores = new Float64Array(count)
  for (const [term, hash] of hashes.entries()) {
    const counts = new Map<number, number>()
    for (const { example, title, body } of list.having(hash)) {
      const found = (title + bodyShare * body) * (gains[example] as number)
      for (const file of positions[example] ?? []) counts.set(file, (counts.get(file) ?? 0) + found)
    }
    const rarity = (weights[term] as number) * rarityOf(counts.size, count)
    for (const [file, each] of counts) {
      const length = (lengths[file] as number) / average
      scores[file] = (scores[file] as number) + rarity * bm25Gain(each, length, 0.5)
    }
  }
  return normalized(scores)
}

/** Old messages still tell what a file is about, and recent ones what is being done. */
function messageWeight(age: number): number {
  return 0.45 * 0.5 ** (age / 1500) + 0.55 * 0.5 ** (age / 300)
}
