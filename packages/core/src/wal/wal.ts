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
import path from 'node:path'
import { fileError, reasonOf, ZeeError } from '../errors/errors.ts'
import { writeFileAtomic } from '../files/atomic-file.ts'
import { fsyncFolderSync } from '../files/files.ts'
import type { WalRecord } from './record.ts'
import { decodeRecords, encodeRecord } from './record.ts'
import { withoutVoided } from './replay.ts'

export { fsyncIfExists } from '../files/files.ts'
export { Checkpointer } from './checkpointer.ts'
export { checksumBefore } from './checksum-before.ts'
export { barrier, decodeRecords } from './record.ts'
export { applyRecords, replayWal } from './replay.ts'

export interface WalFile {
  path: string
  /** First line of the file, newline included: names the owner and the format version. */
  header: string
  /** Throws when this process no longer owns the folder; called before a write and before its result. */
  assertOwner?: (() => void) | undefined
  /** Flushes the log; fdatasync by default. */
  flush?: ((descriptor: number) => Promise<void>) | undefined
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

const fdatasyncFile = promisify(fdatasync)

export class WriteAheadLog {
  /** Called when the log cannot be replaced: the flush of its folder may have failed. */
  onReplaceFailure: (() => void) | undefined
  readonly #path: string
  readonly #header: Buffer
  readonly #assertOwner: () => void
  readonly #flush: (descriptor: number) => Promise<void>
  #descriptor: number
  /** A flush of the descriptor failed: the kernel may have dropped pages, so no later flush counts. */
  #isSuspect = false
  #size: number
  /** Bytes trimmed since the log was opened; positions include them, so they never go back. */
  #trimmedBytes = 0
  #pending: PendingCommit[] = []
  /** Positions of commits that are not released, in ascending order. */
  readonly #unreleased = new Set<number>()
  readonly #trims: (() => Promise<void>)[] = []
  #working: Promise<void> | undefined

  constructor({ path: file, header, assertOwner, flush }: WalFile) {
    this.#path = file
    this.#header = Buffer.from(header)
    this.#assertOwner = assertOwner ?? (() => {})
    this.#flush = flush ?? fdatasyncFile
    try {
      this.#descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600)
      this.#size = fstatSync(this.#descriptor).size
      if (this.#size >= this.#header.length) return
      this.#writeHeader()
      fsyncFolderSync(path.dirname(file))
    } catch (error) {
      throw fileError('open', file, error)
    }
  }

  /** Bytes of all records in the log. */
  get size(): number {
    return this.#size - this.#header.length
  }

  /** Whether the file may hold a record that was refused; the next commit rewrites it. */
  get isSuspect(): boolean {
    return this.#isSuspect
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

  /** The committed records of a file that no later barrier voids, in order. */
  recordsOf(file: string): WalRecord[] {
    const { records } = decodeRecords(this.#readCommitted(), this.#header.toString())
    return withoutVoided(records).filter((record) => record.file === file)
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
      this.#assertOwner()
      if (this.#isSuspect) await this.#rewrite()
      await this.#write(Buffer.concat(batch.map(({ bytes }) => bytes)))
      // Checked again: a process that was paused during the flush must not acknowledge.
      this.#assertOwner()
    } catch (error) {
      const reason = error instanceof ZeeError ? error : fileError('write', this.#path, error)
      for (const { reject } of batch) reject(reason)
      return
    }
    for (const { bytes, resolve } of batch) resolve(this.#addCommit(bytes.length))
  }

  async #write(bytes: Buffer): Promise<void> {
    try {
      let done = 0
      while (done < bytes.length) {
        done += writeSync(this.#descriptor, bytes, done, bytes.length - done, this.#size + done)
      }
    } catch (error) {
      await this.#dropFailedWrite(error)
      throw error
    }
    try {
      await this.#flush(this.#descriptor)
    } catch (error) {
      this.#isSuspect = true
      await this.#withoutFailedWrite(error, () => this.#rewrite())
      throw error
    }
  }

  /** A rejected record must not be replayed after a crash: it is cut off before the rejection. */
  async #dropFailedWrite(error: unknown): Promise<void> {
    await this.#withoutFailedWrite(error, async () => {
      try {
        ftruncateSync(this.#descriptor, this.#size)
        await this.#flush(this.#descriptor)
      } catch (failure) {
        this.#isSuspect = true
        throw failure
      }
    })
  }

  async #withoutFailedWrite(error: unknown, cutOff: () => Promise<void>): Promise<void> {
    try {
      await cutOff()
    } catch (failure) {
      const message =
        `cannot write ${this.#path}: ${reasonOf(error)}; the data may not be recorded ` +
        `(${reasonOf(failure)})`
      throw new ZeeError('may_not_be_recorded', message, { cause: error })
    }
  }

  /** Copies the committed records into a new file, whose flushes count again. */
  async #rewrite(): Promise<void> {
    const bytes = this.#readCommitted()
    if (decodeRecords(bytes, this.#header.toString()).end !== this.#size) {
      throw new ZeeError('damaged', `${this.#path} no longer holds its committed records`)
    }
    await this.#replaceFile(bytes)
    this.#isSuspect = false
  }

  async #replaceFile(bytes: Buffer): Promise<void> {
    try {
      await writeFileAtomic(this.#path, bytes, { mode: 0o600 })
    } catch (error) {
      this.onReplaceFailure?.()
      throw error
    }
    const fresh = openSync(this.#path, constants.O_RDWR)
    closeSync(this.#descriptor)
    this.#descriptor = fresh
  }

  #readCommitted(): Buffer {
    const bytes = Buffer.alloc(this.#size)
    let done = 0
    while (done < bytes.length) {
      const read = readSync(this.#descriptor, bytes, done, bytes.length - done, done)
      if (read === 0) break
      done += read
    }
    return bytes.subarray(0, done)
  }

  #addCommit(length: number): Commit {
    const position = this.#trimmedBytes + this.#size
    this.#size += length
    this.#unreleased.add(position)
    return { release: () => void this.#unreleased.delete(position) }
  }

  async #trimNow(position: number): Promise<void> {
    const headerLength = this.#header.length
    const start = position - this.#trimmedBytes
    if (start <= headerLength) return
    this.#assertOwner()
    if (start === this.#size && !this.#isSuspect) {
      ftruncateSync(this.#descriptor, headerLength)
    } else {
      const rest = this.#readCommitted().subarray(start)
      await this.#replaceFile(Buffer.concat([this.#header, rest]))
      this.#isSuspect = false
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
