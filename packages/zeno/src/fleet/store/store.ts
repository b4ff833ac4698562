// The shards of a fleet as the commands change them: add and sync repositories, collect unused texts, and report.
import { oneLine, reasonOf, ZeeError } from '@zee/core/errors'
import type { Database, Session } from './database.ts'
import { openDatabase } from './database.ts'
import { lockKey } from './placement.ts'
import { collectLock, initShard, lockClass, shardFacts } from './schema.ts'
import { syncRepository } from './sync-repository.ts'
import type { RepositoryRow, Synced } from './sync-repository.ts'

export { DatabaseError, openDatabase } from './database.ts'
export type { Database } from './database.ts'
export {
  assertAllShards,
  dropMoved,
  rebalance,
  registerRepositories,
  removeRepositories,
} from './members.ts'
export type { NewRepository } from './members.ts'
export { shardFacts } from './schema.ts'
export { statusOf } from './status.ts'

export interface Shard {
  id: string
  database: Database
}

export type SyncResult =
  | { name: string; state: 'synced'; synced: Synced }
  | { name: string; state: 'current' }
  | { name: string; state: 'failed'; problem: string }

/** Creates the tables of every shard. */
export async function initFleet(
  urls: readonly string[],
): Promise<{ database: string; shard: string }[]> {
  const rows: { database: string; shard: string }[] = []
  for (const url of urls) {
    const database = openDatabase(url)
    try {
      rows.push({ database: database.label, shard: await initShard(database) })
    } finally {
      await database.close()
    }
  }
  return rows
}

/** Opens every shard, runs `work` and closes them. Throws if a shard does not answer. */
export async function withShards<Value>(
  urls: readonly string[],
  work: (shards: readonly Shard[]) => Promise<Value>,
): Promise<Value> {
  const databases = urls.map((url) => openDatabase(url))
  try {
    const shards: Shard[] = []
    for (const database of databases) {
      const { shard: id } = await shardFacts(database)
      if (shards.some((other) => other.id === id)) {
        throw new ZeeError('fleet', `${database.label} is named twice`)
      }
      shards.push({ id, database })
    }
    return await work(shards)
  } finally {
    for (const database of databases) await database.close()
  }
}

/**
 * Syncs repositories of all shards, or those named. Repositories that another worker syncs come last: by then they
 * are usually current.
 */
export async function syncFleet(
  shards: readonly Shard[],
  names: readonly string[] | undefined,
  onResult: (result: SyncResult) => void,
): Promise<void> {
  for (const { database } of shards) {
    await database.session(async (session) => {
      const rows = await repositoryRows(session, names)
      const busy: RepositoryRow[] = []
      for (const row of rows) {
        const result = await syncLocked(session, row, 'pg_try_advisory_lock')
        if (result === undefined) busy.push(row)
        else onResult(result)
      }
      for (const row of busy) {
        const result = await syncLocked(session, row, 'pg_advisory_lock')
        if (result !== undefined) onResult(result)
      }
      // Searches are slower while new trigrams wait in the list.
      await session.query(`select gin_clean_pending_list('zeno_fleet.blobs_trigrams')`)
    })
  }
}

async function repositoryRows(
  session: Session,
  names: readonly string[] | undefined,
): Promise<RepositoryRow[]> {
  return session.query<RepositoryRow>(
    `select id, name, source, revision, commit from zeno_fleet.repositories
     where ($1::text[] is null or name = any($1))
       and exists (select from zeno_fleet.catalog c join zeno_fleet.meta m on m.key = 'shard' and m.value = c.shard
         where c.name = repositories.name)
     order by name`,
    [names ?? null],
  )
}

/** Undefined if another worker has the repository. */
async function syncLocked(
  session: Session,
  row: RepositoryRow,
  lock: 'pg_try_advisory_lock' | 'pg_advisory_lock',
): Promise<SyncResult | undefined> {
  const keys = [lockClass, lockKey(row.name)]
  const [locked] = await session.query<Record<string, unknown>>(`select ${lock}($1, $2)`, keys)
  if (locked?.[lock] === false) return undefined
  try {
    // Texts without files must not be collected before their files are written.
    await session.query('select pg_advisory_lock_shared($1, $2)', [lockClass, collectLock])
    const [current] = await repositoryRows(session, [row.name])
    return current === undefined
      ? { name: row.name, state: 'current' }
      : await syncOne(session, current)
  } finally {
    await session.query('select pg_advisory_unlock_shared($1, $2)', [lockClass, collectLock])
    await session.query('select pg_advisory_unlock($1, $2)', keys)
  }
}

/** A repository that cannot be read keeps its stored commit. */
async function syncOne(session: Session, row: RepositoryRow): Promise<SyncResult> {
  const { name } = row
  try {
    const synced = await syncRepository(session, row)
    return synced === undefined ? { name, state: 'current' } : { name, state: 'synced', synced }
  } catch (error) {
    if (error instanceof ZeeError && error.code === 'fleet') throw error
    const problem = oneLine(reasonOf(error))
    const update = 'update zeno_fleet.repositories set problem = $2 where id = $1'
    await session.query(update, [row.id, problem])
    return { name, state: 'failed', problem }
  }
}

export interface Collected {
  texts: number
  bytes: number
}

/** Deletes texts that no file has. Waits for running syncs, and they wait for it. */
export async function collectTexts({ database }: Shard): Promise<Collected> {
  return database.session(async (session) => {
    await session.query('select pg_advisory_lock($1, $2)', [lockClass, collectLock])
    try {
      const [found] = await session.query<{ texts: string; bytes: string | null }>(
        `with gone as (
           delete from zeno_fleet.blobs b
           where not exists (select from zeno_fleet.files f where f.blob = b.id) returning bytes
         ) select count(*) as texts, sum(bytes) as bytes from gone`,
      )
      return { texts: Number(found?.texts ?? 0), bytes: Number(found?.bytes ?? 0) }
    } finally {
      await session.query('select pg_advisory_unlock($1, $2)', [lockClass, collectLock])
    }
  })
}
