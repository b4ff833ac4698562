// Writes many files with the guarantees of atomic-file, each step for a group of files, so that their
// flushes run concurrently. Flushing dominates the time for thousands of small files. Calls that
// never wait for the disk are synchronous: a thread pool round trip costs more than the call.
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  lstatSync,
  open,
  openSync,
  rename,
  type Stats,
  write,
} from 'node:fs'
import path from 'node:path'
import { fileError } from '../errors/errors.ts'
import { assertRegularFile } from './regular-file.ts'
import { isFlushUnsupported } from './fsync.ts'
import { removeQuietly, sweepDeadTemps, tempPathFor } from './temp-file.ts'

/** Files per group. */
const groupSize = 48
/** Groups in progress at once, so that a slow flush does not block the caller. */
const maxGroups = 6
/** A busy caller lets the groups make progress after this many files. */
const filesPerTurn = 4

interface PendingFile {
  target: string
  text: string
  /** Stats of the file to replace. */
  old: Stats | undefined
  names: readonly string[] | undefined
}

interface TempFile extends PendingFile {
  temp: string
  /** -1 before it is open. */
  descriptor: number
}

type Done = (error?: NodeJS.ErrnoException | null) => void

export class AtomicBatch {
  #pending: PendingFile[] = []
  /** Oldest first. */
  readonly #groups: Promise<void>[] = []

  /**
   * Creates or replaces a regular file, at the latest when `finish` resolves. Names within a batch must
   * differ. Waits while too many groups are in progress. `names` is the folder's listing, if the caller
   * already has it.
   */
  async write(file: string, text: string, names?: readonly string[]): Promise<void> {
    const target = path.resolve(file)
    const isNew = names?.includes(path.basename(target)) === false
    const old = isNew ? undefined : lstatSync(target, { throwIfNoEntry: false })
    if (old !== undefined) assertRegularFile('write', target, old)
    this.#pending.push({ target, text, old, names })
    if (this.#pending.length >= groupSize) {
      this.#startGroup()
      await this.#waitForAllBut(maxGroups - 1)
    }
    const isTurnOver = this.#pending.length % filesPerTurn === 0
    if (this.#groups.length > 0 && isTurnOver) await new Promise(setImmediate)
  }

  /** Resolves when every file is on the disk; rejects with the first failure after all have ended. */
  async finish(): Promise<void> {
    this.#startGroup()
    await this.#waitForAllBut(0)
  }

  #startGroup(): void {
    const group = writeGroup(this.#pending)
    this.#pending = []
    // The next wait reports a failure; until then it must not count as unhandled.
    group.catch(() => {})
    this.#groups.push(group)
  }

  async #waitForAllBut(count: number): Promise<void> {
    const failures: unknown[] = []
    while (this.#groups.length > count) {
      await this.#groups.shift()?.catch((error: unknown) => failures.push(error))
    }
    if (failures.length > 0) throw failures[0]
  }
}

/** Flushes all contents before the first rename; then renames all, then flushes their folders. */
async function writeGroup(files: readonly PendingFile[]): Promise<void> {
  const failures: unknown[] = []
  const discard = (file: TempFile, error: Error): void => {
    if (file.descriptor >= 0) closeSync(file.descriptor)
    removeQuietly(file.temp)
    failures.push(fileError('write', file.target, error))
  }
  const temps = files.map((file) => ({ ...file, temp: tempPathFor(file.target), descriptor: -1 }))
  const opened = await runStep(temps, openTemp, discard)
  const written = await runStep(opened, writeText, discard)
  const flushed = await runStep(written, flush, discard)
  const placed = await runStep(flushed, renameTemp, discard)
  const folders = new Set(placed.map(({ target }) => path.dirname(target)))
  await runStep([...folders], flushFolder, (folder, error) =>
    failures.push(fileError('write', folder, error)),
  )
  if (failures.length > 0) throw failures[0]
}

/**
 * Starts a step for all items; resolves with those for which it succeeded when all have ended. Uses
 * callbacks: a promise per file and step costs more than the system call.
 */
function runStep<Item>(
  items: readonly Item[],
  step: (item: Item, done: Done) => void,
  onFailure: (item: Item, error: Error) => void,
): Promise<Item[]> {
  return new Promise((resolve) => {
    const succeeded: Item[] = []
    let left = items.length
    if (left === 0) resolve(succeeded)
    for (const item of items) {
      step(item, (error) => {
        if (error === null || error === undefined) succeeded.push(item)
        else onFailure(item, error)
        if (--left === 0) resolve(succeeded)
      })
    }
  })
}

function openTemp(file: TempFile, done: Done): void {
  const { target, temp, old, names } = file
  // Sweeps first, because leftovers may fill the disk.
  sweepDeadTemps(target, () => lstatSync(path.dirname(target)).mtimeMs, names)
  // Private until the file has its final mode.
  open(temp, 'wx', old === undefined ? 0o666 : 0o600, (error, descriptor) => {
    if (error === null) file.descriptor = descriptor
    done(error)
  })
}

function writeText({ descriptor, text, old }: TempFile, done: Done): void {
  const writeRest = (rest: Buffer): void => {
    write(descriptor, rest, (error, bytes) => {
      if (error !== null) return done(error)
      if (bytes < rest.length) return writeRest(rest.subarray(bytes))
      if (old === undefined) return done()
      try {
        keepOwnerAndMode(descriptor, old)
        done()
      } catch (refusal) {
        done(refusal as NodeJS.ErrnoException)
      }
    })
  }
  writeRest(Buffer.from(text))
}

/** Only the superuser may change the owner; otherwise the file belongs to the current user. */
function keepOwnerAndMode(descriptor: number, old: Stats): void {
  const current = fstatSync(descriptor)
  if (current.uid !== old.uid || current.gid !== old.gid) {
    try {
      fchownSync(descriptor, old.uid, old.gid)
    } catch {
      // The current user keeps it.
    }
  }
  fchmodSync(descriptor, old.mode & 0o7777)
}

function flush({ descriptor }: TempFile, done: Done): void {
  fsync(descriptor, done)
}

function renameTemp(file: TempFile, done: Done): void {
  rename(file.temp, file.target, (error) => {
    if (error === null) closeSync(file.descriptor)
    done(error)
  })
}

function flushFolder(folder: string, done: Done): void {
  const doneUnlessUnsupported = (error: NodeJS.ErrnoException | null): void =>
    done(isFlushUnsupported(error) ? undefined : error)
  let descriptor: number
  try {
    descriptor = openSync(folder, 'r')
  } catch (error) {
    return doneUnlessUnsupported(error as NodeJS.ErrnoException)
  }
  fsync(descriptor, (error) => {
    closeSync(descriptor)
    doneUnlessUnsupported(error)
  })
}
