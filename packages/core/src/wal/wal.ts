// A write-ahead log: bytes that are about to be written into other files, durable here first.
// Concurrent commits share one flush (group commit). `Checkpointer` flushes the target files and trims
// the log; `replayWal` finishes interrupted writes at the next start.
//
// core has two append mechanisms. Use this log when one process owns the files and changes them in
// place, such as the end of a JSON array. Use `journal` when the file itself is a list of lines that
// only grows; several processes may append to it, and no replay is needed.
import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs'
import { promisify } from 'node:util'
import { fileError } from '../errors/errors.ts'
import { writeFileAtomic } from '../files/atomic-file.ts'
import type { WalRecord } from './record.ts'
import { encodeRecord } from './record.ts'

export { fsyncIfExists } from '../files/files.ts'
export { Checkpointer } from './checkpointer.ts'
export { checksumBefore } from './checksum-before.ts'
export { barrier, decodeRecords } from './record.ts'
export { replayWal } from './replay.ts'

export interface WalFile {
  path: string
  /** First line of the file, newline included: names the owner and the format version. */
  header: string
}

/** A durable record whose bytes are not yet in the target file; `release` says that they are. */
export interface Commit {
  release(): void
}

interface PendingCommit {
  bytes: Buffer
  resolve(commit: Commit): void
  reject(error: unknown): void
}

const flush = promisify(fdatasync)

export class WriteAheadLog {
  readonly #path: string
  readonly #header: Buffer
  #descriptor: number
  #size: number
  /** Bytes trimmed since the log was opened; positions include them, so they never go back. */
  #trimmedBytes = 0
  #pending: PendingCommit[] = []
  /** Positions of commits that are not released, in ascending order. */
  readonly #unreleased = new Set<number>()
  readonly #trims: (() => Promise<void>)[] = []
  #working: Promise<void> | undefined

  constructor({ path, header }: WalFile) {
    this.#path = path
    this.#header = Buffer.from(header)
    try {
      this.#descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600)
      this.#size = fstatSync(this.#descriptor).size
      if (this.#size < this.#header.length) this.#writeHeader()
    } catch (error) {
      throw fileError('open', path, error)
    }
  }

  /** Bytes of all records in the log. */
  get size(): number {
    return this.#size - this.#header.length
  }

  /** Position of the oldest commit that is not released; the end of the log when there is none. */
  get oldestUnreleased(): number {
    const [first] = this.#unreleased
    return first ?? this.#trimmedBytes + this.#size
  }

  /** Resolves when the record is on the disk. */
  commit(record: WalRecord): Promise<Commit> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ bytes: encodeRecord(record), resolve, reject })
      this.#start()
    })
  }

  /** Drops the records before `position`. The files that they name must be on the disk. */
  trim(position: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#trims.push(() => this.#trimNow(position).then(resolve, reject))
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
      const trim = this.#trims.shift()
      if (trim !== undefined) await trim()
      else if (this.#pending.length > 0) await this.#flushPending()
      else break
    }
    this.#working = undefined
  }

  async #flushPending(): Promise<void> {
    const batch = this.#pending
    this.#pending = []
    try {
      await this.#write(Buffer.concat(batch.map(({ bytes }) => bytes)))
    } catch (error) {
      this.#dropFailedWrite()
      const reason = fileError('write', this.#path, error)
      for (const { reject } of batch) reject(reason)
      return
    }
    for (const { bytes, resolve } of batch) resolve(this.#addCommit(bytes.length))
  }

  async #write(bytes: Buffer): Promise<void> {
    let done = 0
    while (done < bytes.length) {
      done += writeSync(this.#descriptor, bytes, done, bytes.length - done, this.#size + done)
    }
    await flush(this.#descriptor)
  }

  #addCommit(length: number): Commit {
    const position = this.#trimmedBytes + this.#size
    this.#size += length
    this.#unreleased.add(position)
    return { release: () => void this.#unreleased.delete(position) }
  }

  /** A rejected record must not be replayed after a crash. */
  #dropFailedWrite(): void {
    try {
      ftruncateSync(this.#descriptor, this.#size)
    } catch {
      // The next record overwrites it.
    }
  }

  async #trimNow(position: number): Promise<void> {
    const headerLength = this.#header.length
    const start = position - this.#trimmedBytes
    if (start <= headerLength) return
    if (start === this.#size) {
      ftruncateSync(this.#descriptor, headerLength)
    } else {
      const rest = Buffer.alloc(this.#size - start)
      readSync(this.#descriptor, rest, 0, rest.length, start)
      await writeFileAtomic(this.#path, Buffer.concat([this.#header, rest]), { mode: 0o600 })
      const fresh = openSync(this.#path, constants.O_RDWR)
      closeSync(this.#descriptor)
      this.#descriptor = fresh
    }
    this.#trimmedBytes += start - headerLength
    this.#size -= start - headerLength
  }

  #writeHeader(): void {
    ftruncateSync(this.#descriptor, 0)
    writeSync(this.#descriptor, this.#header, 0, this.#header.length, 0)
    this.#size = this.#header.length
  }
}
