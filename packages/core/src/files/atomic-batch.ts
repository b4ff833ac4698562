// Many whole files written at once: the promises of atomic-file for each of them, but each step is
// taken for all together, so that the disk is asked to flush for all at once. For thousands of small
// files that is most of the time. What never waits for the disk is done at once: handing it to a thread
// would cost more than the call.
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

/** How many files are taken through the steps together. */
const groupSize = 48
/** How many groups are on their way at once; a disk that is slow to flush must not hold the caller. */
const maxGroups = 3

interface PendingFile {
  target: string
  text: string
  /** What it replaces. */
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
   * Creates or replaces a regular file, by the end of `finish` at the latest. Files of one batch have
   * different names. Waits while too much is on its way. `names` are those in the folder, for whoever has
   * just read them.
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
    // The steps of those before go on between two files, however busy the caller is.
    else if (this.#groups.length > 0) await new Promise(setImmediate)
  }

  /** Resolves when every file is in its place and on disk; what failed is told when all is over. */
  async finish(): Promise<void> {
    this.#startGroup()
    await this.#waitForAllBut(0)
  }

  #startGroup(): void {
    const group = writeGroup(this.#pending)
    this.#pending = []
    // Whoever waits next hears of a failure; nobody may be waiting now.
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

/** All contents are on disk before the first name changes; then all names, then their folders. */
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
  // First of all, because the disk may be full of what others left.
  sweepDeadTemps(target, () => lstatSync(path.dirname(target)).mtimeMs, names)
  // Nobody else may read the content before the file has its final mode.
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

/** Only the superuser may give files away; for everybody else the new file is simply theirs. */
function keepOwnerAndMode(descriptor: number, old: Stats): void {
  const current = fstatSync(descriptor)
  if (current.uid !== old.uid || current.gid !== old.gid) {
    try {
      fchownSync(descriptor, old.uid, old.gid)
    } catch {
      // It stays ours.
    }
  }
  fchmodSync(descriptor, old.mode & 0o7777)
}

async function renameTemp({ temp, target, descriptor }: TempFile): Promise<void> {
  await promiseOf(target, (done) => rename(temp, target, done))
  closeSync(descriptor)
}

/** A step that fails takes the private file with it. */
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
