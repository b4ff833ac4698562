// What remains of forgotten memories: their hash, the time and the reason, never their content.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Journal } from '@zee/core/journal'
import { openJournal, readJournalSync } from '@zee/core/journal'

export interface Tombstone {
  id: string
  sha256: string
  /** Hashes of the texts alone, which `zino replay` finds in recorded prompts. */
  contents?: readonly string[] | undefined
  ts: string
  reason: string
}

type Burial = Pick<Tombstone, 'ts' | 'reason'>

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

  add(id: string, content: object, texts: readonly string[], when: Burial): Tombstone {
    const hash = (text: string) => createHash('sha256').update(text).digest('hex')
    const contents = texts.map((text) => hash(text))
    const stone = { id, sha256: hash(JSON.stringify(content)), contents, ...when }
    this.#journal.append(stone)
    this.#stones.set(id, stone)
    return stone
  }

  close(): void {
    this.#journal.close()
  }
}
