// The tables of one shard: repositories, their files at one commit, and every distinct text once, under a trigram index.
import { randomUUID } from 'node:crypto'
import { ZeeError } from '@zee/core/errors'
import type { Database, Queries } from './database.ts'
import { DatabaseError } from './database.ts'

const version = '1'

const tables = `
create extension if not exists pg_trgm;
create schema if not exists zeno_fleet;
create table if not exists zeno_fleet.meta (key text primary key, value text not null);
create table if not exists zeno_fleet.catalog (
  name text collate "C" primary key,
  shard text not null
);
create table if not exists zeno_fleet.repositories (
  id bigint generated always as identity primary key,
  name text collate "C" not null unique,
  source text not null,
  revision text not null,
  commit text,
  commit_time bigint,
  files int not null default 0,
  synced_at timestamptz,
  problem text
);
create table if not exists zeno_fleet.blobs (
  id bigint generated always as identity primary key,
  object bytea not null unique,
  bytes int not null,
  body text not null,
  raw bytea
);
create table if not exists zeno_fleet.files (
  repository bigint not null references zeno_fleet.repositories on delete cascade,
  path text collate "C" not null,
  object bytea not null,
  blob bigint,
  primary key (repository, path)
);
create index if not exists files_blob on zeno_fleet.files (blob);
create index if not exists blobs_trigrams on zeno_fleet.blobs using gin (body gin_trgm_ops);
`

/** Twice as fast to read as the default; absent where PostgreSQL was built without it. */
const compression = `
do $$ begin
  alter table zeno_fleet.blobs alter column body set compression lz4;
exception when others then null;
end $$;
`

/** Creates the tables if they are missing, and returns the id of the shard. */
export async function initShard(database: Database): Promise<string> {
  const [encoding] = await database.query<{ server_encoding: string }>('show server_encoding')
  if (encoding?.server_encoding !== 'UTF8') {
    throw new ZeeError('fleet', `${database.label}: the encoding must be UTF8`)
  }
  await database.session(async (session) => {
    // Concurrent "if not exists" statements fail on each other.
    await session.query('select pg_advisory_lock($1, $2)', [lockClass, initLock])
    await session.query(tables)
    await session.query(compression)
    const insert = 'insert into zeno_fleet.meta values ($1, $2) on conflict (key) do nothing'
    await session.query(insert, ['version', version])
    await session.query(insert, ['shard', randomUUID()])
    await session.query(insert, ['generation', '0'])
    await session.query('select pg_advisory_unlock($1, $2)', [lockClass, initLock])
  })
  return (await shardFacts(database)).shard
}

export interface ShardFacts {
  shard: string
  /** Changes with every change of the shard's contents. */
  generation: string
}

/** Throws a ZeeError if the database has no fleet of this version. */
export async function shardFacts(database: Database): Promise<ShardFacts> {
  const rows = await database
    .query<{ key: string; value: string }>('select key, value from zeno_fleet.meta')
    .catch((error: unknown) => {
      // 42P01: the table does not exist; 3F000: nor does the schema.
      if (error instanceof DatabaseError && /^(?:42P01|3F000)$/.test(error.sqlState ?? '')) {
        throw new ZeeError('fleet', `${database.label} has no fleet: run zeno fleet init --db URL`)
      }
      throw error
    })
  const facts = new Map(rows.map(({ key, value }) => [key, value]))
  if (facts.get('version') !== version) {
    throw new ZeeError('fleet', `${database.label} has a fleet of another version of zeno`)
  }
  return { shard: facts.get('shard') ?? '', generation: facts.get('generation') ?? '' }
}

/** Part of the transaction of every change. */
export async function bumpGeneration(queries: Queries): Promise<void> {
  const next = `(value::bigint + 1)::text`
  await queries.query(`update zeno_fleet.meta set value = ${next} where key = 'generation'`)
}

/** First key of all advisory locks: "zeno" as a number. */
export const lockClass = 0x7a_65_6e_6f
/** Second keys. Locks of repositories are hashes of their names. */
export const initLock = 1
export const collectLock = 2
