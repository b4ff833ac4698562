// Which stored texts may match: conditions for the trigram index, from texts that every match contains.
import type { RequiredTexts } from '@zee/corpus'
import type { FleetShard } from './shards.ts'

export interface Condition {
  /** SQL over `b.body`, with parameters from a number on. */
  sql(firstParameter: number): string
  values: readonly string[]
  /** The trigram index can answer it. */
  isIndexed: boolean
}

/** Rows of files whose texts may match. */
export interface CandidateRow {
  repository: string
  path: string
  blob: string
  bytes: number
}

/** pg_trgm indexes three letters or digits in a row. */
const trigram = /[A-Za-z0-9]{3}/

/** A text in at most this many stored texts is rare: all of them are fetched at once. */
const maxRare = 2000

/** Undefined if every text may match. */
export function conditionOf({ texts, ignoresCase }: RequiredTexts): Condition | undefined {
  const values = texts.filter((text) => !text.includes('\0')).map((text) => `%${escaped(text)}%`)
  if (values.length === 0) return undefined
  const operator = ignoresCase ? 'ilike' : 'like'
  return {
    sql: (first) => values.map((_, index) => `b.body ${operator} $${first + index}`).join(' and '),
    values,
    isIndexed: texts.some((text) => trigram.test(text)),
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`)
}

/** The files of all texts that may match; undefined if there are too many for one answer. */
export async function rareCandidates(
  { database }: FleetShard,
  condition: Condition,
  max = maxRare,
): Promise<CandidateRow[] | undefined> {
  if (!condition.isIndexed) return undefined
  const texts = await database.query<{ id: string }>(
    `select b.id from zeno_fleet.blobs b where ${condition.sql(1)} limit ${max + 1}`,
    condition.values,
  )
  if (texts.length > max) return undefined
  if (texts.length === 0) return []
  return database.query<CandidateRow>(
    `select f.repository, f.path, f.blob, b.bytes from zeno_fleet.blobs b
     join zeno_fleet.files f on f.blob = b.id where b.id = any($1::bigint[])`,
    [texts.map(({ id }) => id)],
  )
}

/** The first files of some repositories whose texts may match, in a fixed order. */
export async function firstCandidates(
  { database }: FleetShard,
  repositories: readonly string[],
  condition: Condition,
  max: number,
): Promise<CandidateRow[]> {
  if (!condition.isIndexed) return []
  return database.query<CandidateRow>(
    `select f.repository, f.path, f.blob, b.bytes from zeno_fleet.blobs b
     join zeno_fleet.files f on f.blob = b.id
     where ${condition.sql(2)} and f.repository = any($1::bigint[])
     order by b.id, f.repository, f.path limit ${max}`,
    [repositories, ...condition.values],
  )
}

/** The files of some repositories whose texts may match. */
export async function candidatesIn(
  { database }: FleetShard,
  repositories: readonly string[],
  condition: Condition | undefined,
): Promise<CandidateRow[]> {
  const filter = condition === undefined ? '' : `where ${condition.sql(2)}`
  return database.query<CandidateRow>(
    `with f as materialized (
       select repository, path, blob from zeno_fleet.files
       where repository = any($1::bigint[]) and blob is not null
     ) select f.repository, f.path, f.blob, b.bytes
       from f join zeno_fleet.blobs b on b.id = f.blob ${filter}`,
    [repositories, ...(condition?.values ?? [])],
  )
}

/** All files of some repositories, also those without a stored text. */
export async function allFiles(
  { database }: FleetShard,
  repositories: readonly string[],
): Promise<CandidateRow[]> {
  return database.query<CandidateRow>(
    `select repository, path, coalesce(blob, 0) as blob, 0 as bytes from zeno_fleet.files
     where repository = any($1::bigint[])`,
    [repositories],
  )
}

/** Files by path, and one file below each path that is a folder. */
export async function filesAt(
  { database }: FleetShard,
  repository: string,
  paths: readonly string[],
): Promise<CandidateRow[]> {
  return database.query<CandidateRow>(
    `select f.repository, f.path, coalesce(f.blob, 0) as blob, coalesce(b.bytes, 0) as bytes
     from zeno_fleet.files f left join zeno_fleet.blobs b on b.id = f.blob
     where f.repository = $1 and f.path = any($2::text[])
     union all
     select g.repository, g.path, 0, 0 from unnest($2::text[]) p, lateral (
       select repository, path from zeno_fleet.files
       where repository = $1 and path >= p || '/' and path < p || '0' limit 1
     ) g`,
    [repository, paths],
  )
}
