// Empties the journal: flushes the files that it speaks of, then cuts it. When nothing was written for
// a second, when it has grown, and at the end; appends go on meanwhile.
import path from 'node:path'
import { reasonOf } from '@zee/core/errors'
import type { Logger } from '@zee/core/log'
import { syncPath } from './sync-path.ts'
import type { OffsetJournal } from './wal.ts'

export interface CheckpointOptions {
  folder: string
  journal: OffsetJournal
  log: Logger
}

const idleMs = 1000
const mostBytes = 4 * 1024 * 1024
const mostStopMs = 1000

export class Checkpoints {
  readonly #folder: string
  readonly #journal: OffsetJournal
  readonly #log: Logger
  #touched = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #latest = Infinity

  constructor({ folder, journal, log }: CheckpointOptions) {
    this.#folder = folder
    this.#journal = journal
    this.#log = log
  }

  /** A file was written or removed by what stands in the journal. */
  touch(file: string): void {
    this.#touched.add(file)
    if (this.#journal.size > mostBytes) this.#runQuietly()
    this.#timer ??= setTimeout(() => this.#runQuietly(), idleMs).unref()
    this.#timer.refresh()
  }

  async run(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
    await this.#running
  }

  /** After the last write. What takes too long is left to the journal and the next start. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    this.#latest = performance.now() + mostStopMs
    await this.#running?.catch(() => {})
    await this.run()
  }

  #runQuietly(): void {
    this.run().catch((error: unknown) => {
      this.#log.error(`cannot flush memory files, will try again: ${reasonOf(error)}`)
    })
  }

  async #run(): Promise<void> {
    const { boundary } = this.#journal
    const files = this.#touched
    this.#touched = new Set()
    try {
      for (const file of files) {
        if (performance.now() > this.#latest) return
        await syncPath(path.join(this.#folder, file))
      }
      const folders = new Set([...files].map((file) => path.dirname(path.join(this.#folder, file))))
      for (const folder of folders) await syncPath(folder)
      await this.#journal.cut(boundary)
    } catch (error) {
      for (const file of files) this.#touched.add(file)
      throw error
    }
  }
}
