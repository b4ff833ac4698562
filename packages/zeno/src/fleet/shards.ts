// The shards of a fleet as a server sees them: their repositories, cached until they change, and those that a silent
// shard has.
import { oneLine, reasonOf, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { DatabaseError, openDatabase, shardFacts } from './store/store.ts'
import type { Database } from './store/store.ts'

export interface FleetRepository {
  name: string
  /** Id in its shard. */
  id: string
  commit: string
  /** Seconds since 1970. */
  time: number
  shard: FleetShard
}

export interface FleetShard {
  database: Database
}

/** What the shards that answer have at the start of a request. */
export interface FleetState {
  /** By name, in byte order. */
  repositories: readonly FleetRepository[]
  byName: ReadonlyMap<string, FleetRepository>
  /** Names of repositories on shards that do not answer. */
  missing: readonly string[]
  /** Identifies the contents of the fleet. */
  generation: string
}

interface ShardCache {
  shard: FleetShard
  id: string | undefined
  generation: string | undefined
  repositories: FleetRepository[]
  /** The shard of every repository of the fleet, as this shard knows it. */
  catalog: ReadonlyMap<string, string>
  /** A silent shard is asked again after this time. */
  silentUntilMs: number
}

/** A silent shard delays only one request in this time. */
const retryMs = 2000

/** Bitmap scans of the trigram index: estimates for patterns are too rough to choose between plans. */
const settings = { enable_seqscan: 'off', jit: 'off' }

export class FleetShards {
  readonly #caches: ShardCache[]
  readonly #host: Host
  #state: FleetState | undefined

  constructor(urls: readonly string[], timeoutMs: number, host: Host) {
    this.#host = host
    this.#caches = urls.map((url) => ({
      shard: { database: openDatabase(url, { timeoutMs, settings }) },
      id: undefined,
      generation: undefined,
      repositories: [],
      catalog: new Map(),
      silentUntilMs: 0,
    }))
  }

  /** Reads what changed since the last request. Throws if no shard answers. */
  async state(): Promise<FleetState> {
    const answers = await Promise.all(this.#caches.map((cache) => this.#refresh(cache)))
    const live = this.#caches.filter((_, index) => answers[index] === true)
    if (live.length === 0) throw new ZeeError('fleet', 'no database of the fleet answers')
    const generation = this.#caches
      .map((cache) => `${cache.id ?? ''}:${live.includes(cache) ? cache.generation : 'silent'}`)
      .join(' ')
    if (this.#state?.generation !== generation) this.#state = stateOf(live, generation)
    return this.#state
  }

  /** A shard failed in the middle of a request. */
  reportFailure(shard: FleetShard, error: unknown): void {
    const cache = this.#caches.find((each) => each.shard === shard)
    if (cache !== undefined) this.#silence(cache, error)
  }

  async close(): Promise<void> {
    await Promise.all(this.#caches.map(({ shard }) => shard.database.close()))
  }

  async #refresh(cache: ShardCache): Promise<boolean> {
    if (this.#host.clock.monotonicMs() < cache.silentUntilMs) return false
    try {
      const facts = await shardFacts(cache.shard.database)
      if (facts.generation !== cache.generation) {
        await readRepositories(cache)
        cache.id = facts.shard
        cache.generation = facts.generation
      }
      cache.silentUntilMs = 0
      return true
    } catch (error) {
      this.#silence(cache, error)
      return false
    }
  }

  #silence(cache: ShardCache, error: unknown): void {
    const isFirst = cache.silentUntilMs === 0
    cache.silentUntilMs = this.#host.clock.monotonicMs() + retryMs
    if (isFirst) this.#host.stderr.write(`zeno: fleet: ${oneLine(reasonOf(error))}\n`)
  }
}

export function isShardFailure(error: unknown): boolean {
  return error instanceof DatabaseError
}

async function readRepositories(cache: ShardCache): Promise<void> {
  const { shard } = cache
  const rows = await shard.database.query<Omit<FleetRepository, 'shard'>>(
    `select id, name, commit, commit_time::float8 as time from zeno_fleet.repositories
     where commit is not null`,
  )
  cache.repositories = rows.map((row) => ({ ...row, shard }))
  const names = await shard.database.query<{ name: string; shard: string }>(
    'select name, shard from zeno_fleet.catalog',
  )
  cache.catalog = new Map(names.map((row) => [row.name, row.shard]))
}

function stateOf(live: readonly ShardCache[], generation: string): FleetState {
  const byName = new Map<string, FleetRepository>()
  for (const { repositories, catalog, id } of live) {
    for (const repository of repositories) {
      // A repository that moves is on two shards for a while.
      const isHome = catalog.get(repository.name) === id
      if (isHome || !byName.has(repository.name)) byName.set(repository.name, repository)
    }
  }
  const ids = new Set(live.map(({ id }) => id))
  const missing = new Set<string>()
  for (const { catalog } of live) {
    for (const [name, shard] of catalog) if (!ids.has(shard)) missing.add(name)
  }
  const repositories = [...byName.values()].sort((a, b) => compareBytes(a.name, b.name))
  return { repositories, byName, missing: [...missing].sort(compareBytes), generation }
}

export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
