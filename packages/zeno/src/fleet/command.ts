// `zeno fleet`: stores many git repositories in PostgreSQL, keeps them up to date, and reports on them.
import path from 'node:path'
import { oneLine, usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { terminalSafeWriter } from '@zee/core/lossless'
import {
  assertAllShards,
  collectTexts,
  dropMoved,
  initFleet,
  rebalance,
  registerRepositories,
  removeRepositories,
  statusOf,
  syncFleet,
  withShards,
} from './store/store.ts'
import type { NewRepository, Shard, SyncResult } from './store/store.ts'

export interface FleetOptions {
  db: readonly string[]
  json: boolean
}

export async function runFleetInit({ db, json }: FleetOptions, host: Host): Promise<number> {
  const rows = await initFleet(databases(db))
  await print(host, json, rows, ({ database }) => `${database} is ready`)
  return 0
}

export interface AddOptions extends FleetOptions {
  rev: string
}

/** Registers repositories, given as `path` or `name=path`, and stores their files. */
export async function runFleetAdd(
  targets: readonly string[],
  options: AddOptions,
  host: Host,
): Promise<number> {
  const repositories = targets.map((target) => parseTarget(target, options.rev, host.cwd))
  const names = repositories.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) {
    throw usageError(`two repositories are named ${oneLine(twice)}: write name=path`)
  }
  return withShards(databases(options.db), async (shards) => {
    await assertAllShards(shards)
    await registerRepositories(shards, repositories)
    return syncAll(shards, names, options, host)
  })
}

export async function runFleetSync(
  names: readonly string[],
  options: FleetOptions,
  host: Host,
): Promise<number> {
  return withShards(databases(options.db), async (shards) => {
    await assertAllShards(shards)
    await rebalance(shards)
    return syncAll(shards, names.length === 0 ? undefined : names, options, host)
  })
}

export async function runFleetStatus({ db, json }: FleetOptions, host: Host): Promise<number> {
  return withShards(databases(db), async (shards) => {
    const statuses = await Promise.all(shards.map(statusOf))
    const rows = statuses.flatMap(({ shard, repositories }) => [shard, ...repositories])
    await print(host, json, rows, (row) =>
      'database' in row
        ? `${row.database}: ${row.repositories} repositories, ${row.files} files, ${row.texts} texts, ${row.bytes} bytes (table ${row.table_bytes}, index ${row.index_bytes})`
        : `  ${row.name} ${row.commit ?? 'not synced'}${row.problem === null ? '' : `: ${row.problem}`}`,
    )
    const hasProblem = rows.some((row) => 'problem' in row && row.problem !== null)
    return hasProblem ? 1 : 0
  })
}

export interface CollectOptions extends FleetOptions {
  remove: readonly string[]
}

/** Deletes texts that no repository has, after the named repositories. */
export async function runFleetCollect(options: CollectOptions, host: Host): Promise<number> {
  const { db, json, remove } = options
  return withShards(databases(db), async (shards) => {
    const removed = remove.length === 0 ? [] : await removeRepositories(shards, remove)
    const missing = remove.filter((name) => !removed.includes(name))
    if (missing.length > 0) throw usageError(`unknown repository: ${oneLine(missing.join(', '))}`)
    const rows = await Promise.all(
      shards.map(async (shard) => ({
        database: shard.database.label,
        removed: removed.length,
        ...(await collectTexts(shard)),
      })),
    )
    await print(
      host,
      json,
      rows,
      ({ database, texts, bytes }) => `${database}: deleted ${texts} texts, ${bytes} bytes`,
    )
    return 0
  })
}

async function syncAll(
  shards: readonly Shard[],
  names: readonly string[] | undefined,
  { json }: FleetOptions,
  host: Host,
): Promise<number> {
  let failed = 0
  const seen = new Set<string>()
  const results: SyncResult[] = []
  const write = terminalSafeWriter(host.stdout)
  const flush = async (): Promise<void> => {
    const lines = results.splice(0).map((result) => (json ? jsonOf(result) : textOf(result)))
    await write(lines.map((line) => `${line}\n`).join(''))
  }
  const timer = setInterval(() => void flush(), 500)
  try {
    await syncFleet(shards, names, (result) => {
      seen.add(result.name)
      if (result.state === 'failed') failed++
      results.push(result)
    })
    await dropMoved(shards)
  } finally {
    clearInterval(timer)
    await flush()
  }
  const unknown = names?.filter((name) => !seen.has(name)) ?? []
  if (unknown.length > 0) throw usageError(`unknown repository: ${oneLine(unknown.join(', '))}`)
  return failed === 0 ? 0 : 1
}

function jsonOf(result: SyncResult): string {
  if (result.state !== 'synced') return JSON.stringify(result)
  const { name, state, synced } = result
  return JSON.stringify({ name, state, ...synced })
}

function textOf(result: SyncResult): string {
  const { name, state } = result
  if (state === 'current') return `${name}: up to date`
  if (state === 'failed') return `${name}: failed: ${result.problem}`
  const { commit, changed, removed, texts } = result.synced
  return `${name}: ${commit}: ${changed} files changed, ${removed} removed, ${texts} new texts`
}

/** `name=path`, or a path whose last part is the name. */
function parseTarget(target: string, revision: string, cwd: string): NewRepository {
  const equals = target.indexOf('=')
  const source = path.resolve(cwd, target.slice(equals + 1))
  const isBare = /^(?:\.git)?$/.test(path.basename(source))
  const base = path.basename(isBare ? path.dirname(source) : source).replace(/\.git$/, '')
  const name = equals === -1 ? base : target.slice(0, equals)
  if (name !== '' && name.length <= 200 && !/[:@*?\p{Cc}]/u.test(name)) {
    return { name, source, revision }
  }
  throw usageError(
    `'${oneLine(target)}' has no name that a fleet can use: write name=path, without : @ * ?`,
  )
}

function databases(db: readonly string[]): readonly string[] {
  if (db.length === 0) throw usageError(`required option '--db <url>' not specified`)
  return db
}

async function print<Row extends object>(
  host: Host,
  json: boolean,
  rows: readonly Row[],
  format: (row: Row) => string,
): Promise<void> {
  const lines = rows.map((row) => (json ? JSON.stringify(row) : oneLine(format(row))))
  await terminalSafeWriter(host.stdout)(lines.map((line) => `${line}\n`).join(''))
}
