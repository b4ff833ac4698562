// Takes the data folder for this process and makes it whole again after whatever happened before.
import { chmodSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileError } from '@zee/core/errors'
import { ensureFolder } from '@zee/core/folders'
import type { Lock } from '@zee/core/lock'
import { acquireLock } from '@zee/core/lock'
import type { Logger } from '@zee/core/log'
import { replayWal, WriteAheadLog } from '@zee/core/wal'
import { ListStore } from './list-store.ts'

export { FileQueues } from './file-queues.ts'
export type { ListStore } from './list-store.ts'
export { elementStart, elementText, parseList } from './list-text.ts'
export { readBytes } from './read-list.ts'
export { scanList } from './scan-list.ts'

export interface StorageOptions {
  folder: string
  log: Logger
  /** Gives up waiting for the folder. */
  signal: AbortSignal
}

export interface Storage {
  readonly lists: ListStore
  close(): Promise<void>
}

/** A service that ends may hold the folder for a moment after its successor listens. */
const lockWaitMs = 10_000
/** First line of `mem.journal`. */
const journalHeader = 'zino mem journal 1\n'
/** Of files that are replaced as a whole, while they are written. */
const tempName = /^\..+\.[0-9a-f]{12}-\d+-\d*-[0-9a-f]{12}\.tmp$/

/** The folder and its parts, for nobody else. */
export function makeDataFolder(folder: string): void {
  try {
    ensureFolder(path.join(folder, 'channels'), 0o700)
  } catch (error) {
    throw fileError('make the data folder', folder, error)
  }
}

export async function openStorage({ folder, log, signal }: StorageOptions): Promise<Storage> {
  const lockFile = path.join(folder, 'mem.lock')
  const lock = await acquireLock(lockFile, { waitMs: lockWaitMs, signal })
  try {
    // Locks can be read by everyone; nothing in this folder may be.
    chmodSync(lockFile, 0o600)
    const journal = { path: path.join(folder, 'mem.journal'), header: journalHeader }
    for (const one of [folder, path.join(folder, 'channels')]) sweepTemps(one)
    await replayWal({ ...journal, folder, log })
    return storageOf(folder, new WriteAheadLog(journal), lock, log)
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** What a killed writer left behind; nobody else writes here while the lock is held. */
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
  return { lists, close }
}
