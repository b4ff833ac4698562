// The parts of `locate` over a fleet: files with the rarest words of the text and, if these are few, files with many of
// its words. The ranking of corpus orders them.
import type { Part } from '../roots/roots.ts'
import { conditionOf, firstCandidates, rareCandidates } from './candidates.ts'
import type { CandidateRow, Condition } from './candidates.ts'
import type { FleetRequest } from './request.ts'
import type { Selected } from './search-parts.ts'
import type { FleetRepository, FleetShard } from './shards.ts'

const maxWords = 8
/** A word in more texts says little about a file. */
const maxTexts = 300
/** Files that are ranked, for each shard, and those that are enough to stop asking for more. */
const maxFiles = 100
const enoughFiles = 10
/** Words of questions rather than of code. */
const stopWords: ReadonlySet<string> = new Set(
  (
    'about after again also and are because been before being but can cannot does for from had has have how into ' +
    'its more must not only other our should some such than that the their then there these they this those ' +
    'too under was were what when where which while who why will with without would you your'
  ).split(' '),
)

export async function locateParts(
  request: FleetRequest,
  selected: readonly Selected[],
  text: string,
): Promise<Part[]> {
  const words = wordsOf(text)
  const shards = [...new Set(selected.map(({ repository }) => repository.shard))]
  const rows = new Map<FleetRepository, CandidateRow[]>()
  await Promise.all(
    shards.map(async (shard) => {
      const own = selected.filter(({ repository }) => repository.shard === shard)
      const found = await request.ask(shard, () => filesWith(shard, words, own))
      if (found === undefined) request.addMissing(own.map(({ repository }) => repository.name))
      else for (const [repository, files] of found) rows.set(repository, files)
    }),
  )
  return selected.flatMap(({ repository, args }) => {
    const own = rows.get(repository)
    if (own === undefined) return []
    return [{ root: { name: repository.name, engine: request.engineOver(repository, own) }, args }]
  })
}

/** Words of the text, the longest first: they are the rarest. */
function wordsOf(text: string): string[] {
  const words = new Set(text.slice(0, 20_000).match(/[A-Za-z0-9_]{3,40}/g))
  const unique = new Map([...words].map((word) => [word.toLowerCase(), word]))
  return [...unique]
    .filter(([lower]) => !stopWords.has(lower))
    .map(([, word]) => word)
    .sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
    .slice(0, maxWords)
}

async function filesWith(
  shard: FleetShard,
  words: readonly string[],
  selected: readonly Selected[],
): Promise<Map<FleetRepository, CandidateRow[]>> {
  const byId = new Map(selected.map(({ repository }) => [repository.id, repository]))
  const ids = [...byId.keys()]
  const found = await rareFiles(shard, words, byId)
  await addCommonFiles(shard, words, ids, found)
  const files = new Map<FleetRepository, CandidateRow[]>()
  for (const row of found.values()) {
    const repository = byId.get(row.repository) as FleetRepository
    files.set(repository, [...(files.get(repository) ?? []), row])
  }
  return files
}

/** Files of the rarest words first, until there are enough to rank. */
async function rareFiles(
  shard: FleetShard,
  words: readonly string[],
  repositories: ReadonlyMap<string, unknown>,
): Promise<Map<string, CandidateRow>> {
  const perWord: CandidateRow[][] = []
  const lookUp = async (word: string): Promise<void> => {
    const rows = await rareCandidates(shard, allOf([word]), maxTexts)
    if (rows !== undefined) perWord.push(rows.filter((row) => repositories.has(row.repository)))
  }
  await Promise.all(words.map(lookUp))
  const files = new Map<string, CandidateRow>()
  for (const rows of perWord.toSorted(byRarity)) {
    if (files.size > 0 && files.size + rows.length > maxFiles) break
    for (const row of rows.slice(0, maxFiles)) files.set(keyOf(row), row)
  }
  return files
}

/** Adds files with all words, then with the longer half of them, and then with the longest, until there are enough. */
async function addCommonFiles(
  shard: FleetShard,
  words: readonly string[],
  repositories: readonly string[],
  files: Map<string, CandidateRow>,
): Promise<void> {
  for (const count of new Set([words.length, Math.ceil(words.length / 2), 1])) {
    if (count === 0 || files.size >= enoughFiles) return
    const condition = allOf(words.slice(0, count))
    const rows = await firstCandidates(shard, repositories, condition, maxFiles)
    for (const row of rows) files.set(keyOf(row), row)
  }
}

function keyOf({ repository, path }: CandidateRow): string {
  return `${repository}:${path}`
}

/** Texts that contain all of the words, in any case. */
function allOf(words: readonly string[]): Condition {
  return conditionOf({ texts: [...words], ignoresCase: true }) as Condition
}

/** Fewer files first; ties in a fixed order, because queries end in any order. */
function byRarity(a: readonly CandidateRow[], b: readonly CandidateRow[]): number {
  if (a.length !== b.length) return a.length - b.length
  const key = (rows: readonly CandidateRow[]): string => `${rows[0]?.repository} ${rows[0]?.path}`
  return key(a) < key(b) ? -1 : 1
}
