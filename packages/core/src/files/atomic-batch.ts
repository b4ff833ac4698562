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
import { fileError, ZeeError } from '../errors/errors.ts'
import { assertRegularFile } from './regular-file.ts'
import { isFlushUnsupported } from './fsync.ts'
import { removeQuietly, sweepDeadTemps, tempPathFor } from './temp-file.ts'

/** Files per group. */
const groupSize = 48
/** Groups in progress at once, so that a slow flush does not block the caller. */
const maxGroups = 3

interface PendingFile {
  target: string
  text: string
  /** Stats of the file to replace. */
  old: Stats | undefined
  names: readonly string[] | undefined
}

interface TempFile {
  target: string
  temp: string
  descriptor: number
}

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
    // Lets earlier groups make progress between two files of a busy caller.
    else if (this.#groups.length > 0) await new Promise(setImmediate)
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
  const runStep = async <Item, Result>(
    items: readonly Item[],
    step: (item: Item) => Promise<Result>,
  ): Promise<Result[]> => {
    const results = await Promise.allSettled(items.map(step))
    const done: Result[] = []
    for (const result of results) {
      if (result.status === 'fulfilled') done.push(result.value)
      else failures.push(result.reason)
    }
    return done
  }
  const written = await runStep(files, writeTemp)
  const flushed = await runStep(written, (file) => withCleanup(file, () => flush(file)))
  const placed = await runStep(flushed, (file) => withCleanup(file, () => renameTemp(file)))
  const folders = new Set(placed.map(({ target }) => path.dirname(target)))
  await runStep([...folders], flushFolder)
  if (failures.length > 0) throw failures[0]
}

async function writeTemp({ target, text, old, names }: PendingFile): Promise<TempFile> {
  const temp = tempPathFor(target)
  // Sweeps first, because leftovers may fill the disk.
  sweepDeadTemps(target, () => lstatSync(path.dirname(target)).mtimeMs, names)
  // Private until the file has its final mode.
  const descriptor = await promiseOf<number>(target, (done) =>
    open(temp, 'wx', old === undefined ? 0o666 : 0o600, done),
  )
  const file = { target, temp, descriptor }
  await withCleanup(file, async () => {
    const bytes = Buffer.from(text)
    for (let offset = 0; offset < bytes.length;) {
      const rest = bytes.subarray(offset)
      offset += await promiseOf<number>(target, (done) => write(descriptor, rest, done))
    }
    if (old !== undefined) keepOwnerAndMode(descriptor, old)
  })
  return file
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

async function renameTemp({ temp, target, descriptor }: TempFile): Promise<void> {
  await promiseOf(target, (done) => rename(temp, target, done))
  closeSync(descriptor)
}

/** Runs a step and removes the temporary file if it fails. */
async function withCleanup(file: TempFile, step: () => Promise<void>): Promise<TempFile> {
  try {
    await step()
    return file
  } catch (error) {
    closeSync(file.descriptor)
    removeQuietly(file.temp)
    throw error
  }
}

function flush({ target, descriptor }: Pick<TempFile, 'target' | 'descriptor'>): Promise<void> {
  return promiseOf(target, (done) => fsync(descriptor, done))
}

async function flushFolder(folder: string): Promise<void> {
  try {
    const descriptor = openSync(folder, 'r')
    await flush({ target: folder, descriptor }).finally(() => closeSync(descriptor))
  } catch (error) {
    if (!isFlushUnsupported(error instanceof ZeeError ? error.cause : error)) throw error
  }
}

type Done<Result> = (error: NodeJS.ErrnoException | null, result?: Result) => void

function promiseOf<Result = void>(
  file: string,
  start: (done: Done<Result>) => void,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    start((error, result) => {
      if (error === null) resolve(result as Result)
      else reject(fileError('write', file, error))
    })
  })
}
