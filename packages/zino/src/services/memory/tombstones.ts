// What remains of forgotten memories: their hash, the time and the reason, never their content.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Journal } from '@zee/core/journal'
import { openJournal, readJournalSync } from '@zee/core/journal'

export interface Tombstone {
  id: string
  sha256: string
  ts: string
  reason: string
}

export class Tombstones {
  readonly #journal: Journal
  readonly #stones = new Map<string, Tombstone>()

  constructor(file: string) {
    if (existsSync(file)) {
      readJournalSync(file, ({ record }) => {
        const { id, sha256, ts, reason } = record as Record<string, unknown>
        const texts = { sha256: String(sha256), ts: String(ts), reason: String(reason) }
        if (typeof id === 'string') this.#stones.set(id, { id, ...texts })
      })
    }
    this.#journal = openJournal(file, { durability: 'durable' })
  }

  find(id: string): Tombstone | undefined {
    return this.#stones.get(id)
  }

  add(id: string, content: object, ts: string, reason: string): Tombstone {
    const sha256 = createHash('sha256').update(JSON.stringify(content)).digest('hex')
    const stone = { id, sha256, ts, reason }
    this.#journal.append(stone)
    this.#stones.set(id, stone)
    return stone
  }

  close(): void {
    this.#journal.close()
  }
}
