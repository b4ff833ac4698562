// Append-only JSONL: one record is one line and one write(2). Several processes may append to one file.
// After `kill -9` at any instant, every record whose append had returned is in the file exactly once.
// Readers skip a torn line, and no later record is glued to it.
//
// core has two append mechanisms. Use `journal` when the file itself is a list of lines that only
// grows. Use `wal` when one process changes other files in place and must finish after a crash.
import path from 'node:path'
import { fileError, flushError, oneLine, UncertainError, ZeeError } from '../errors/errors.ts'
import { AppendFile, fsyncFolderSync } from '../files/files.ts'
import { withLock, withLockSync, type LockOptions } from '../lock/lock.ts'
import { createWithHeader } from './creation.ts'
import { validatedLine, maxLineBytes, recordLine } from './line.ts'
import { readTail, type JournalTail } from './tail.ts'

export { readJournal, readJournalSync } from './reader.ts'
export type {
  JournalEntry,
  JournalReading,
  JournalSummary,
  ReadJournalOptions,
  SkippedLine,
} from './reader.ts'
export { readLastLine } from './tail.ts'

export interface JournalOptions {
  /** `durable`: on the disk before append returns. `fast` (default) survives a crash of the process only. */
  durability?: 'fast' | 'durable'
  /** Mode of a new file; default 0o600. */
  mode?: number
  /** Creates the first record of a new or empty file. */
  header?: () => object
  /** The name is new, as with a random id: no writer can have left a temporary file, so none is looked for. */
  isNewName?: boolean
}

/**
 * The first append creates the file, which stays open until `close`. If the file is renamed or removed,
 * appends still go to the open file; open a new journal to create a new file.
 */
export interface Journal {
  readonly path: string
  /** Throws a ZeeError when the write fails; the journal stays usable. */
  append(record: object): void
  /** As `append`, for an object that is already JSON: one line, from `{` to `}`. */
  appendLine(json: string): void
  /**
   * Flushes all appended records, and a new file's entry in its folder, to the disk. Once it has thrown,
   * it throws every time: the lost records cannot be flushed again.
   */
  sync(): void
  close(): void
}

export interface LockedAppendOptions extends JournalOptions, LockOptions {
  /**
   * Recognizes the torn tail of a crashed writer of this program, which has not acknowledged it: it is
   * cut off. Any other torn tail stays and becomes a separate line.
   */
  isOwnTail?: (torn: Buffer) => boolean
}

/** Opens a journal; nothing on the disk changes before the first append. */
export function openJournal(file: string, options: JournalOptions = {}): Journal {
  return new JournalWriter(file, options)
}

/** Why an append under a lock failed. */
export class AppendError extends ZeeError {
  /** Number of records of this call that are in the file. */
  readonly appended: number
  /** The records are written, but a flush or the release of the lock failed. */
  readonly isUncertain: boolean

  constructor(cause: unknown, appended: number, isUncertain: boolean) {
    const failure = cause instanceof ZeeError ? cause : fileError('append to', 'the journal', cause)
    super(failure.code, failure.message, { cause, exitCode: failure.exitCode })
    this.appended = appended
    this.isUncertain = isUncertain
  }
}

/**
 * Appends records that depend on the previous line, under the lock `<path>.lock`. `make` receives
 * the last line that is not blank and the torn tail after it, unless it is cut off. A line that cannot be
 * written completely is cut off again. Durable by default; throws an AppendError.
 */
export async function lockedAppend(
  file: string,
  make: (
    lastLine: Buffer | undefined,
    torn: Buffer | undefined,
  ) => object | string | readonly string[],
  options: LockedAppendOptions = {},
): Promise<void> {
  const lock = `${file}.lock`
  const progress = { appended: 0, isWritten: false }
  const append = (): void => appendUnderLock(file, make, options, progress)
  try {
    if (options.signal?.aborted === true || !tryWithoutWaiting(lock, append)) {
      await withLock(lock, options, append)
    }
  } catch (error) {
    const isUncertain = progress.isWritten || error instanceof UncertainError
    throw new AppendError(error, progress.appended, isUncertain)
  }
}

function appendUnderLock(
  file: string,
  make: Parameters<typeof lockedAppend>[1],
  options: LockedAppendOptions,
  progress: { appended: number; isWritten: boolean },
): void {
  const durability = options.durability ?? 'durable'
  const journal = new JournalWriter(file, { ...options, durability: 'fast' })
  try {
    const { lastLine, torn } = journal.tail()
    const isCut = torn !== undefined && options.isOwnTail?.(torn) === true
    if (isCut) journal.cutBackBy(torn.length)
    const made = make(lastLine, isCut ? undefined : torn)
    const lines =
      typeof made === 'string' ? [made] : Array.isArray(made) ? made : [recordLine(made)]
    for (const line of lines) {
      journal.appendOrCutBack(line)
      progress.appended++
    }
    progress.isWritten = true
    if (durability === 'durable') journal.sync()
  } finally {
    journal.close()
  }
}

/** Fast path for a free lock, the usual case: no timers. Returns false when the lock is held. */
function tryWithoutWaiting(lock: string, work: () => void): boolean {
  let isHeld = false
  try {
    withLockSync(lock, 0, () => {
      isHeld = true
      work()
    })
    return true
  } catch (error) {
    if (!isHeld && error instanceof ZeeError && error.code === 'lock_timeout') return false
    throw error
  }
}

/** Returns whether the file ends at `size` again. */
function canCutBack(file: AppendFile, size: number): boolean {
  try {
    file.cutBackTo(size)
    return true
  } catch {
    return false
  }
}

class JournalWriter implements Journal {
  readonly path: string
  readonly #mode: number
  readonly #durable: boolean
  readonly #header: (() => object) | undefined
  readonly #isNewName: boolean
  #file: AppendFile | undefined
  /** The entry of a new file in its folder is not flushed yet. */
  #isEntryDirty = false
  #entryFailure: ZeeError | undefined
  #closed = false

  constructor(file: string, options: JournalOptions) {
    // A later chdir must not change a relative path.
    this.path = path.resolve(file)
    this.#mode = options.mode ?? 0o600
    this.#durable = options.durability === 'durable'
    this.#header = options.header
    this.#isNewName = options.isNewName ?? false
  }

  append(record: object): void {
    this.#append(recordLine(record))
  }

  appendLine(json: string): void {
    this.#append(validatedLine(json))
  }

  sync(): void {
    this.#file?.sync()
    if (this.#isEntryDirty) this.#syncEntry()
  }

  /** As `appendLine`; removes a partly written line again. The caller holds the lock. */
  appendOrCutBack(json: string): void {
    const line = validatedLine(json)
    const file = this.#file ?? this.#open()
    const size = file.size()
    try {
      this.#append(line)
    } catch (error) {
      if (size === undefined || !canCutBack(file, size)) throw error
      throw error instanceof UncertainError ? fileError('append to', this.path, error.cause) : error
    }
  }

  /** Removes the last bytes. The caller holds the lock. */
  cutBackBy(bytes: number): void {
    const file = this.#file ?? this.#open()
    const size = file.size()
    if (size === undefined) return
    try {
      file.cutBackTo(size - bytes)
    } catch (error) {
      throw fileError('repair', this.path, error)
    }
  }

  close(): void {
    this.#closed = true
    this.#file?.close()
    this.#file = undefined
  }

  /** The tail that the next record follows; creates the header first. */
  tail(): JournalTail {
    if (this.#header !== undefined) this.#open()
    return readTail(this.path)
  }

  #append(line: string): void {
    // A UTF-16 unit takes at most 3 bytes of UTF-8: shorter lines need no exact count.
    if (line.length > maxLineBytes / 3 && Buffer.byteLength(line) > maxLineBytes) {
      const message = `cannot append to ${oneLine(this.path)}: the record is larger than 256 MiB`
      throw new ZeeError('record_too_large', message)
    }
    const file = this.#file ?? this.#open()
    file.append(line)
    if (this.#durable) file.sync()
  }

  #open(): AppendFile {
    if (this.#closed) {
      throw new ZeeError('journal_closed', `the journal ${oneLine(this.path)} is closed`)
    }
    const [mode, durable, header] = [this.#mode, this.#durable, this.#header]
    let created = false
    if (header !== undefined) {
      const makeHeader = (): string => {
        created = true
        return recordLine(header())
      }
      createWithHeader(this.path, makeHeader, { mode, durable, isNewName: this.#isNewName })
    }
    const file = new AppendFile(this.path, mode)
    this.#file = file
    this.#isEntryDirty = created || file.startedEmpty
    if (durable && this.#isEntryDirty) this.#syncEntry()
    return file
  }

  #syncEntry(): void {
    if (this.#entryFailure !== undefined) throw this.#entryFailure
    try {
      fsyncFolderSync(path.dirname(this.path))
    } catch (error) {
      this.#entryFailure = flushError(path.dirname(this.path), error)
      throw this.#entryFailure
    }
    this.#isEntryDirty = false
  }
}
