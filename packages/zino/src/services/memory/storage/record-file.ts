// A file of small records that are only added, as JSON lines. A failed flush is final for its file: the
// next record goes into a new file, after all records that are on the disk.
import { existsSync } from 'node:fs'
import { writeFileAtomic } from '@zee/core/atomic-file'
import type { Journal } from '@zee/core/journal'
import { openJournal, readJournalSync } from '@zee/core/journal'

type FileRecord = Readonly<Record<string, unknown>>

export class RecordFile {
  readonly #path: string
  readonly #records: FileRecord[] = []
  #journal: Journal
  #isSuspect = false
  #rewriting: Promise<void> | undefined

  constructor(path: string) {
    this.#path = path
    if (existsSync(path)) readJournalSync(path, ({ record }) => void this.#records.push(record))
    this.#journal = this.#open()
  }

  get records(): readonly FileRecord[] {
    return this.#records
  }

  /** Resolves when the record is on the disk. */
  async add(record: FileRecord): Promise<void> {
    if (this.#isSuspect) await this.#rewrite()
    try {
      this.#journal.append(record)
    } catch (error) {
      this.#isSuspect = true
      throw error
    }
    this.#records.push(record)
  }

  close(): void {
    this.#journal.close()
  }

  #open(): Journal {
    return openJournal(this.#path, { durability: 'durable' })
  }

  #rewrite(): Promise<void> {
    this.#rewriting ??= this.#rewriteNow().finally(() => {
      this.#rewriting = undefined
    })
    return this.#rewriting
  }

  async #rewriteNow(): Promise<void> {
    const lines = this.#records.map((record) => `${JSON.stringify(record)}\n`)
    await writeFileAtomic(this.#path, lines.join(''), { mode: 0o600 })
    this.#journal.close()
    this.#journal = this.#open()
    this.#isSuspect = false
  }
}
