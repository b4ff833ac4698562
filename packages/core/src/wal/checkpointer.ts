// Trims the write-ahead log: flushes the files that its records name, then drops the records. Runs one
// second after the last write, when the log exceeds 4 MiB, and on stop. Commits continue concurrently.
import path from 'node:path'
import { reasonOf } from '../errors/errors.ts'
import { fsyncIfExists } from '../files/files.ts'
import type { Logger } from '../log/log.ts'
import type { WriteAheadLog } from './wal.ts'

export interface CheckpointerOptions {
  /** File names in records are relative to it. */
  folder: string
  wal: WriteAheadLog
  log: Logger
  /** Rewrites a file whose flush failed, from its content and the log; no write may interleave. */
  rewrite(file: string): Promise<void>
}

const idleMs = 1000
const maxLogBytes = 4 * 1024 * 1024
const maxStopMs = 1000

export class Checkpointer {
  readonly #folder: string
  readonly #wal: WriteAheadLog
  readonly #log: Logger
  readonly #rewrite: (file: string) => Promise<void>
  #dirty = new Set<string>()
  /** The files of the running checkpoint. */
  #checked = new Set<string>()
  /** Files whose flush failed: a later flush proves nothing until the file was rewritten. */
  readonly #suspect = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #deadline = Infinity

  constructor({ folder, wal, log, rewrite }: CheckpointerOptions) {
    this.#folder = folder
    this.#wal = wal
    this.#log = log
    this.#rewrite = rewrite
    // The log lies in this folder, too.
    wal.onReplaceFailure = () => this.markFolderSuspect('.')
  }

  /** Whether the last flush of the file failed and it was not rewritten since. */
  isSuspect(file: string): boolean {
    return this.#suspect.has(file)
  }

  markSuspect(file: string): void {
    this.#suspect.add(file)
    this.markDirty(file)
  }

  /** After a failed flush of a folder: the entries of all its changed files may be lost. */
  markFolderSuspect(folder: string): void {
    for (const file of [...this.#dirty, ...this.#checked]) {
      if (path.dirname(file) === folder) this.#suspect.add(file)
    }
  }

  markRewritten(file: string): void {
    this.#suspect.delete(file)
  }

  /** Marks a file that a committed record has changed or removed. */
  markDirty(file: string): void {
    this.#dirty.add(file)
    if (this.#wal.size > maxLogBytes) this.#runInBackground()
    this.#timer ??= setTimeout(() => this.#runInBackground(), idleMs).unref()
    this.#timer.refresh()
  }

  async run(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
    await this.#running
  }

  /** Call after the last write. Files not flushed within one second are left to the next replay. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    this.#deadline = performance.now() + maxStopMs
    await this.#running?.catch(() => {})
    await this.run()
  }

  #runInBackground(): void {
    this.run().catch((error: unknown) => {
      this.#log.error(
        `cannot flush ${this.#folder}, retry after the next write: ${reasonOf(error)}`,
      )
    })
  }

  async #run(): Promise<void> {
    const position = this.#wal.oldestUnreleased
    const files = this.#dirty
    this.#checked = files
    this.#dirty = new Set()
    try {
      for (const file of files) {
        if (performance.now() > this.#deadline) return
        await this.#flush(file)
      }
      await this.#flushFolders(files)
      await this.#wal.trim(position)
    } catch (error) {
      for (const file of files) this.#dirty.add(file)
      throw error
    } finally {
      this.#checked = new Set()
    }
  }

  /** After a failed flush of a folder, rewriting its files makes their entries anew. */
  async #flushFolders(files: ReadonlySet<string>): Promise<void> {
    const folders = new Set([...files].map((file) => path.dirname(file)))
    for (const folder of folders) {
      try {
        await fsyncIfExists(path.join(this.#folder, folder))
      } catch (error) {
        this.markFolderSuspect(folder)
        throw error
      }
    }
  }

  async #flush(file: string): Promise<void> {
    if (!this.#suspect.has(file)) {
      try {
        await fsyncIfExists(path.join(this.#folder, file))
        return
      } catch (error) {
        this.#suspect.add(file)
        this.#log.warn(`cannot flush ${file}, rewriting it: ${reasonOf(error)}`)
      }
    }
    try {
      await this.#rewrite(file)
    } catch (error) {
      this.markFolderSuspect(path.dirname(file))
      throw error
    }
  }
}
