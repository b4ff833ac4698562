// Which repositories a fleet has, and on which shard each of them is.
import { oneLine, ZeeError } from '@zee/core/errors'
import { placeRepository } from './placement.ts'
import { bumpGeneration } from './schema.ts'
import type { Shard } from './store.ts'

export interface NewRepository {
  name: string
  /** Absolute path. */
  source: string
  revision: string
}

/** Registers repositories on their shards, and their names on all shards. */
export async function registerRepositories(
  shards: readonly Shard[],
  repositories: readonly NewRepository[],
): Promise<void> {
  const ids = shards.map(({ id }) => id)
  const placed = repositories.map((each) => ({ ...each, shard: placeRepository(each.name, ids) }))
  for (const { id, database } of shards) {
    const own = placed.filter(({ shard }) => shard === id)
    await database.session((session) =>
      session.transaction(async () => {
        await session.query(
          `insert into zeno_fleet.catalog (name, shard) select * from unnest($1::text[], $2::text[])
           on conflict (name) do update set shard = excluded.shard`,
          [placed.map(({ name }) => name), placed.map(({ shard }) => shard)],
        )
        await session.query(
          `insert into zeno_fleet.repositories (name, source, revision)
           select * from unnest($1::text[], $2::text[], $3::text[])
           on conflict (name) do update set source = excluded.source, revision = excluded.revision`,
          [
            own.map(({ name }) => name),
            own.map(({ source }) => source),
            own.map(({ revision }) => revision),
          ],
        )
        await bumpGeneration(session)
      }),
    )
  }
}

/** Throws if the fleet has a database that is not among the shards: placement depends on all of them. */
export async function assertAllShards(shards: readonly Shard[]): Promise<void> {
  const ids = shards.map(({ id }) => id)
  for (const { database } of shards) {
    const rows = await database.query<{ name: string }>(
      'select name from zeno_fleet.catalog where not shard = any($1) limit 1',
      [ids],
    )
    const [row] = rows
    if (row === undefined) continue
    const message = `${oneLine(row.name)} is in another database of the fleet: name all databases with --db`
    throw new ZeeError('fleet', message)
  }
}

/** Registers repositories that belong to another shard, after a shard was added. They stay where they are until synced. */
export async function rebalance(shards: readonly Shard[]): Promise<void> {
  const ids = shards.map(({ id }) => id)
  for (const { id, database } of shards) {
    const rows = await database.query<NewRepository>(
      'select name, source, revision from zeno_fleet.repositories',
    )
    const misplaced = rows.filter(({ name }) => placeRepository(name, ids) !== id)
    if (misplaced.length > 0) await registerRepositories(shards, misplaced)
  }
}

/** Deletes repositories from shards to which they no longer belong, once their own shard has them. */
export async function dropMoved(shards: readonly Shard[]): Promise<void> {
  for (const { id, database } of shards) {
    const moved = await database.query<{ name: string; shard: string }>(
      `select c.name, c.shard from zeno_fleet.catalog c join zeno_fleet.repositories r on r.name = c.name
       where c.shard <> $1`,
      [id],
    )
    for (const { name, shard } of moved) {
      const home = shards.find((other) => other.id === shard)?.database
      const rows = await home?.query(
        'select from zeno_fleet.repositories where name = $1 and commit is not null',
        [name],
      )
      if (rows === undefined || rows.length === 0) continue
      await database.session((session) =>
        session.transaction(async () => {
          await session.query('delete from zeno_fleet.repositories where name = $1', [name])
          await bumpGeneration(session)
        }),
      )
    }
  }
}

/** Removes repositories by name, with their files. Returns those that existed. */
export async function removeRepositories(
  shards: readonly Shard[],
  names: readonly string[],
): Promise<string[]> {
  const removed = new Set<string>()
  for (const { database } of shards) {
    await database.session((session) =>
      session.transaction(async () => {
        const rows = await session.query<{ name: string }>(
          'delete from zeno_fleet.repositories where name = any($1) returning name',
          [names],
        )
        for (const { name } of rows) removed.add(name)
        await session.query('delete from zeno_fleet.catalog where name = any($1)', [names])
        await bumpGeneration(session)
      }),
    )
  }
  return [...removed].sort()
}
