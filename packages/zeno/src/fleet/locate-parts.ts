// The parts of `locate` over a fleet: files with the rarest words of the text. The ranking of corpus orders them.
import type { Part } from '../roots/roots.ts'
import { rareCandidates } from './candidates.ts'
import type { CandidateRow } from './candidates.ts'
import type { FleetRequest } from './request.ts'
import type { Selected } from './search-parts.ts'
import type { FleetRepository, FleetShard } from './shards.ts'

const maxWords = 16
/** Files that are ranked, for each shard. */
const maxFiles = 1000

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
  return [...unique.values()]
    .sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
    .slice(0, maxWords)
}

/** Files of the rarest words first, until there are enough to rank. */
async function filesWith(
  shard: FleetShard,
  words: readonly string[],
  selected: readonly Selected[],
): Promise<Map<FleetRepository, CandidateRow[]>> {
  const byId = new Map(selected.map(({ repository }) => [repository.id, repository]))
  const perWord: CandidateRow[][] = []
  for (const word of words) {
    const condition = {
      sql: (first: number) => `b.body ilike $${first}`,
      values: [`%${word.replaceAll('_', String.raw`\_`)}%`],
      isIndexed: true,
    }
    const rows = await rareCandidates(shard, condition)
    if (rows !== undefined) perWord.push(rows.filter(({ repository }) => byId.has(repository)))
  }
  const files = new Map<FleetRepository, CandidateRow[]>()
  const seen = new Set<string>()
  for (const rows of perWord.toSorted((a, b) => a.length - b.length)) {
    if (seen.size > 0 && seen.size + rows.length > maxFiles) break
    for (const row of rows.slice(0, maxFiles)) {
      const key = `${row.repository}:${row.path}`
      if (seen.has(key)) continue
      seen.add(key)
      const repository = byId.get(row.repository) as FleetRepository
      files.set(repository, [...(files.get(repository) ?? []), row])
    }
  }
  return files
}
