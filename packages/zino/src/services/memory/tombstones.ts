// What remains of forgotten memories: their hash, the time and the reason, never their content.
import { createHash } from 'node:crypto'
import { RecordFile } from './storage/storage.ts'

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
  readonly #file: RecordFile
  readonly #stones = new Map<string, Tombstone>()

  constructor(file: string) {
    this.#file = new RecordFile(file)
    for (const { id, sha256, ts, reason } of this.#file.records) {
      const texts = { sha256: String(sha256), ts: String(ts), reason: String(reason) }
      if (typeof id === 'string') this.#stones.set(id, { id, ...texts })
    }
  }

  find(id: string): Tombstone | undefined {
    return this.#stones.get(id)
  }

  async add(id: string, content: object, texts: readonly string[], when: Burial): Promise<void> {
    const hash = (text: string) => createHash('sha256').update(text).digest('hex')
    const contents = texts.map((text) => hash(text))
    const stone = { id, sha256: hash(JSON.stringify(content)), contents, ...when }
    await this.#file.add(stone)
    this.#stones.set(id, stone)
  }

  close(): void {
    this.#file.close()
  }
}
