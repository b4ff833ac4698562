// A state kept as a journal of events. Every change is on the disk before it is applied. When most lines
// are obsolete, the file is replaced by the events that rebuild the present state.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { writeFileAtomic } from '@zee/core/atomic-file'
import { ensureDurableFolder } from '@zee/core/folders'
import type { Journal } from '@zee/core/journal'
import { openJournal, readJournalSync } from '@zee/core/journal'
import { copyAside } from '@zee/core/set-aside'

export interface EventFileOptions {
  file: string
  /** Changes the state; returns false for an event that cannot be used. */
  apply(event: Record<string, unknown>): boolean
  /** The events that rebuild the present state. */
  snapshot(): Iterable<object>
  /** Called when the file cannot be shortened; it stays as it is. */
  onCompactionError(error: unknown): void
}

/** The lines of a file that could not be read, and the copy that keeps them. */
export interface Damage {
  lines: number
  /** Absent when no copy could be made; the file then stays as it is. */
  copy: string | undefined
}

/** A short file is never compacted. */
const minLines = 128

export class EventFile {
  /** Set when the file held lines that are no events. */
  readonly damage: Damage | undefined
  readonly #options: EventFileOptions
  #journal: Journal
  #lines = 0
  #liveLines = 0
  #compacting: Promise<void> | undefined

  constructor(options: EventFileOptions) {
    this.#options = options
    this.#journal = openJournal(options.file, { durability: 'durable' })
    this.damage = this.#load()
    // The damaged lines are in the copy; without them the next start finds a clean file.
    if (this.damage?.copy !== undefined) void this.#startCompaction(options.onCompactionError)
  }

  /** Resolves when the event is on the disk and applied; throws when it cannot be written. */
  async commit(event: object): Promise<void> {
    while (this.#compacting !== undefined) await this.#compacting
    ensureDurableFolder(path.dirname(this.#options.file), 0o700)
    this.#journal.append(event)
    this.#lines += 1
    this.#options.apply(event as Record<string, unknown>)
    if (this.#lines < minLines || this.#lines < 2 * this.#liveLines) return
    void this.#startCompaction(this.#options.onCompactionError)
  }

  /** Rewrites the file, so that it holds nothing obsolete; throws when it cannot be written. */
  async compact(): Promise<void> {
    while (this.#compacting !== undefined) await this.#compacting
    if (!existsSync(this.#options.file)) return
    const failures: unknown[] = []
    await this.#startCompaction((error) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  }

  /** Waits for a running compaction. */
  async close(): Promise<void> {
    await this.#compacting
    this.#journal.close()
  }

  #load(): Damage | undefined {
    const { file, apply } = this.#options
    if (!existsSync(file)) return undefined
    let unusable = 0
    const summary = readJournalSync(file, ({ record }) => {
      if (!apply(record)) unusable += 1
    })
    this.#lines = summary.lines
    // A torn last line is an event that was never acknowledged.
    const torn = summary.tornTail && summary.skippedLines > 0 ? 1 : 0
    const lines = summary.skippedLines - torn + unusable
    return lines === 0 ? undefined : { lines, copy: this.#copy() }
  }

  #copy(): string | undefined {
    try {
      return copyAside(this.#options.file)
    } catch {
      return undefined
    }
  }

  #startCompaction(onError: (error: unknown) => void): Promise<void> {
    this.#compacting = this.#rewrite()
      .catch(onError)
      .finally(() => {
        this.#compacting = undefined
      })
    return this.#compacting
  }

  async #rewrite(): Promise<void> {
    const { file, snapshot } = this.#options
    const lines = [...snapshot()].map((event) => `${JSON.stringify(event)}\n`)
    try {
      await writeFileAtomic(file, lines.join(''), { mode: 0o600 })
      this.#journal.close()
      this.#journal = openJournal(file, { durability: 'durable' })
      this.#lines = lines.length
    } finally {
      this.#liveLines = lines.length
    }
  }
}
