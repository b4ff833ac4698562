// The sizes of a shard, and the state of its repositories.
import type { Shard } from './store.ts'

export interface ShardStatus {
  shard: string
  database: string
  repositories: number
  files: number
  texts: number
  bytes: number
  table_bytes: number
  index_bytes: number
}

export interface RepositoryStatus {
  name: string
  shard: string
  source: string
  revision: string
  commit: string | null
  files: number
  synced_at: string | null
  problem: string | null
}

export async function statusOf({ id, database }: Shard): Promise<{
  shard: ShardStatus
  repositories: RepositoryStatus[]
}> {
  const [sizes] = await database.query<Record<string, string | null>>(
    `select (select count(*) from zeno_fleet.repositories) as repositories,
       (select count(*) from zeno_fleet.files) as files, count(*) as texts, sum(bytes) as bytes,
       pg_table_size('zeno_fleet.blobs') as table_bytes,
       pg_relation_size('zeno_fleet.blobs_trigrams') as index_bytes from zeno_fleet.blobs`,
  )
  const rows = await database.query<Omit<RepositoryStatus, 'shard'>>(
    `select name, source, revision, commit, files, problem,
       to_char(synced_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as synced_at
     from zeno_fleet.repositories order by name`,
  )
  const number = (name: string): number => Number(sizes?.[name] ?? 0)
  return {
    shard: {
      shard: id,
      database: database.label,
      repositories: number('repositories'),
      files: number('files'),
      texts: number('texts'),
      bytes: number('bytes'),
      table_bytes: number('table_bytes'),
      index_bytes: number('index_bytes'),
    },
    repositories: rows.map((row) => ({ ...row, shard: id })),
  }
}
