// Contents of stored texts, fetched in batches and cached up to a limit. A text never changes.
import type { FleetShard } from './shards.ts'

const maxCacheBytes = 128 << 20

export class FleetTexts {
  /** Least recently used first. */
  readonly #cache = new Map<string, Buffer>()
  readonly #shards = new Map<FleetShard, number>()
  #bytes = 0

  /** The contents of texts by their ids. */
  async load(shard: FleetShard, ids: readonly string[]): Promise<Map<string, Buffer>> {
    const found = new Map<string, Buffer>()
    const absent: string[] = []
    for (const id of new Set(ids)) {
      const cached = this.#take(this.#key(shard, id))
      if (cached === undefined) absent.push(id)
      else found.set(id, cached)
    }
    if (absent.length === 0) return found
    const rows = await shard.database.query<{ id: string; body: string; raw: string | null }>(
      `select id, case when raw is null then body else '' end as body, encode(raw, 'base64') as raw
       from zeno_fleet.blobs where id = any($1::bigint[])`,
      [absent],
    )
    for (const { id, body, raw } of rows) {
      const bytes = raw === null ? Buffer.from(body) : Buffer.from(raw, 'base64')
      found.set(id, bytes)
      this.#put(this.#key(shard, id), bytes)
    }
    return found
  }

  #key(shard: FleetShard, id: string): string {
    const number = this.#shards.get(shard) ?? this.#shards.size
    this.#shards.set(shard, number)
    return `${number}:${id}`
  }

  #take(key: string): Buffer | undefined {
    const bytes = this.#cache.get(key)
    if (bytes === undefined) return undefined
    this.#cache.delete(key)
    this.#cache.set(key, bytes)
    return bytes
  }

  #put(key: string, bytes: Buffer): void {
    this.#cache.set(key, bytes)
    this.#bytes += bytes.length
    for (const [oldest, content] of this.#cache) {
      if (this.#bytes <= maxCacheBytes) break
      this.#cache.delete(oldest)
      this.#bytes -= content.length
    }
  }
}
