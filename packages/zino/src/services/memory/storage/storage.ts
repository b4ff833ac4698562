// Opens the data folder: locks it, removes stale temporary files and replays the journal.
import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { flushFolder } from '@zee/core/atomic-file'
import { fileError } from '@zee/core/errors'
import { ensureDurableFolder } from '@zee/core/folders'
import type { Lock } from '@zee/core/lock'
import type { Logger } from '@zee/core/log'
import { replayWal, WriteAheadLog } from '@zee/core/wal'
import { lockData } from '../../../lock-data.ts'
import { ListStore } from './list-store.ts'

export { FileQueues } from './file-queues.ts'
export type { ListStore } from './list-store.ts'
export { elementStart, elementText, parseList } from './list-text.ts'
export { readBytes } from './read-list.ts'
export { RecordFile } from './record-file.ts'
export { scanList } from './scan-list.ts'

export interface StorageOptions {
  folder: string
  log: Logger
  /** Aborts waiting for the lock. */
  signal: AbortSignal
}

export interface Storage {
  readonly lists: ListStore
  /** Throws when another process owns the folder; called before every write. */
  assertOwner(): void
  close(): Promise<void>
}

/** A stopping service holds the folder for a moment after its successor listens. */
const lockWaitMs = 10_000
/** First line of `mem.journal`. */
const journalHeader = 'zino mem journal 1\n'
/** Temporary files of atomic writes. */
const tempName = /^\..+\.[0-9a-f]{12}-\d+-\d*-[0-9a-f]{12}\.tmp$/

/** Creates the folder and its subfolder with mode 0700. */
export function makeDataFolder(folder: string): void {
  try {
    ensureDurableFolder(path.join(folder, 'channels'), 0o700)
  } catch (error) {
    throw fileError('make the data folder', folder, error)
  }
}

export async function openStorage({ folder, log, signal }: StorageOptions): Promise<Storage> {
  const lock = await lockData(folder, 'mem', { waitMs: lockWaitMs, signal })
  try {
    const assertOwner = () => lock.assertHeld()
    const journal = { path: path.join(folder, 'mem.journal'), header: journalHeader, assertOwner }
    const folders = [folder, path.join(folder, 'channels')]
    for (const swept of folders) sweepTemps(swept)
    await replayWal({ ...journal, folder, log })
    // A killed process may have replaced a file without flushing its entry; appends rely on that file.
    for (const flushed of folders) await flushFolder(flushed)
    return storageOf(folder, new WriteAheadLog(journal), lock, log)
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Removes temporary files of a killed writer; the lock excludes other writers. */
function sweepTemps(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (tempName.test(name)) rmSync(path.join(folder, name), { force: true })
  }
}

function storageOf(folder: string, journal: WriteAheadLog, lock: Lock, log: Logger): Storage {
  const lists = new ListStore({ folder, journal, log })
  const close = async () => {
    try {
      await lists.close()
    } finally {
      await journal.close()
      await lock.release()
    }
  }
  return { lists, close, assertOwner: () => lock.assertHeld() }
}
