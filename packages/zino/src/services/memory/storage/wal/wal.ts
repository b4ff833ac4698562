// `mem.journal`: what is about to be written into other files, durable before it is written there.
// Records that come while the disk is busy share the next flush. A record stays until the files it
// names are on the disk themselves; then the journal is cut.
import {
  closeSync,
  constants,
  fdatasync,
  ftruncateSync,
  openSync,
  readSync,
  fstatSync,
  writeSync,
} from 'node:fs'
import { promisify } from 'node:util'
import { writeFileAtomic } from '@zee/core/atomic-file'
import { fileError } from '@zee/core/errors'
import type { JournalRecord } from './record.ts'
import { encodeRecord, journalHead } from './record.ts'

export { Checkpoints } from './checkpoints.ts'
export { checksumBefore } from './checksum-before.ts'
export { barrier } from './record.ts'
export { replayJournal } from './replay.ts'
export { syncPath } from './sync-path.ts'

/** A record that is durable and, until `release`, not yet written where it belongs. */
export interface Commit {
  release(): void
}

interface Waiting {
  bytes: Buffer
  resolve(commit: Commit): void
  reject(error: unknown): void
}

const flush = promisify(fdatasync)

export class OffsetJournal {
  readonly #path: string
  #descriptor: number
  #size: number
  /** Bytes that were cut off in front; positions count from the journal's beginning of time. */
  #cutBytes = 0
  #waiting: Waiting[] = []
  /** Positions of commits that are not released, in ascending order. */
  readonly #open = new Set<number>()
  readonly #cuts: (() => Promise<void>)[] = []
  #working: Promise<void> | undefined

  constructor(path: string) {
    this.#path = path
    try {
      this.#descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600)
      this.#size = fstatSync(this.#descriptor).size
      if (this.#size < journalHead.length) this.#begin()
    } catch (error) {
      throw fileError('open', path, error)
    }
  }

  get size(): number {
    return this.#size - journalHead.length
  }

  /** Everything before this position has been written where it belongs. */
  get boundary(): number {
    const [first] = this.#open
    return first ?? this.#cutBytes + this.#size
  }

  /** Resolves when the record is on the disk. */
  commit(record: JournalRecord): Promise<Commit> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ bytes: encodeRecord(record), resolve, reject })
      this.#start()
    })
  }

  /** Drops what lies before a boundary; the files that it names must be on the disk. */
  cut(boundary: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#cuts.push(() => this.#cutNow(boundary).then(resolve, reject))
      this.#start()
    })
  }

  async close(): Promise<void> {
    while (this.#working !== undefined) await this.#working
    closeSync(this.#descriptor)
  }

  #start(): void {
    this.#working ??= this.#work()
  }

  async #work(): Promise<void> {
    for (;;) {
      const cut = this.#cuts.shift()
      if (cut !== undefined) await cut()
      else if (this.#waiting.length > 0) await this.#flushWaiting()
      else break
    }
    this.#working = undefined
  }

  async #flushWaiting(): Promise<void> {
    const batch = this.#waiting
    this.#waiting = []
    try {
      await this.#write(Buffer.concat(batch.map(({ bytes }) => bytes)))
    } catch (error) {
      this.#takeBack()
      const reason = fileError('write', this.#path, error)
      for (const { reject } of batch) reject(reason)
      return
    }
    for (const { bytes, resolve } of batch) resolve(this.#opened(bytes.length))
  }

  async #write(bytes: Buffer): Promise<void> {
    let done = 0
    while (done < bytes.length) {
      done += writeSync(this.#descriptor, bytes, done, bytes.length - done, this.#size + done)
    }
    await flush(this.#descriptor)
  }

  #opened(length: number): Commit {
    const position = this.#cutBytes + this.#size
    this.#size += length
    this.#open.add(position)
    return { release: () => void this.#open.delete(position) }
  }

  /** A record that was refused must not come back after a crash. */
  #takeBack(): void {
    try {
      ftruncateSync(this.#descriptor, this.#size)
    } catch {
      // The next record overwrites it.
    }
  }

  async #cutNow(boundary: number): Promise<void> {
    const until = boundary - this.#cutBytes
    if (until <= journalHead.length) return
    if (until === this.#size) {
      ftruncateSync(this.#descriptor, journalHead.length)
    } else {
      const rest = Buffer.alloc(this.#size - until)
      readSync(this.#descriptor, rest, 0, rest.length, until)
      await writeFileAtomic(this.#path, Buffer.concat([journalHead, rest]), { mode: 0o600 })
      const fresh = openSync(this.#path, constants.O_RDWR)
      closeSync(this.#descriptor)
      this.#descriptor = fresh
    }
    this.#cutBytes += until - journalHead.length
    this.#size -= until - journalHead.length
  }

  #begin(): void {
    ftruncateSync(this.#descriptor, 0)
    writeSync(this.#descriptor, journalHead, 0, journalHead.length, 0)
    this.#size = journalHead.length
  }
}
