// Places repositories on shards by rendezvous hashing: each repository goes to the shard with the highest hash of both.
// Adding a shard moves only the repositories that belong there.
import { createHash } from 'node:crypto'

export function placeRepository(name: string, shards: readonly string[]): string {
  let [best, highest] = ['', '']
  for (const shard of shards) {
    const score = createHash('sha256').update(`${shard}\0${name}`).digest('hex')
    if (score > highest) [best, highest] = [shard, score]
  }
  return best
}

/** The second key of the advisory lock of a repository: a signed 32-bit number. */
export function lockKey(name: string): number {
  return createHash('sha256').update(name).digest().readInt32BE(0)
}
