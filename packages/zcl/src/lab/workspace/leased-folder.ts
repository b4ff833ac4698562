// A folder that its process removes when it is done with it. The lock beside it tells the next start
// whether the process is still alive; the folder of a dead process is swept.
import { existsSync, promises, readdirSync } from 'node:fs'
import path from 'node:path'
import { ZeeError } from '@zee/core/errors'
import { ensureFolder } from '@zee/core/folders'
import { acquireLock, type Lock } from '@zee/core/lock'
import { removeTree } from './tree-work.ts'

export interface LeasedFolder {
  /** Absolute. Not created yet. */
  path: string
  /** Removes the folder, or moves it to `keepAs`. */
  close(keepAs?: string): Promise<void>
}

/** Leases `name` below `parent`; what a dead process left there is removed first. */
export async function leaseFolder(parent: string, name: string): Promise<LeasedFolder> {
  const folder = path.join(parent, name)
  ensureFolder(parent)
  const lock = await acquireLock(lockOf(folder))
  await removeTree(folder)
  return { path: folder, close: (keepAs) => closeLease(folder, lock, keepAs) }
}

async function closeLease(folder: string, lock: Lock, keepAs: string | undefined): Promise<void> {
  try {
    if (keepAs !== undefined && existsSync(folder)) await move(folder, keepAs)
    await removeTree(folder)
  } finally {
    await lock.release()
  }
}

async function move(from: string, to: string): Promise<void> {
  try {
    await promises.rename(from, to)
  } catch {
    // The folder is on another file system.
    await promises.cp(from, to, { recursive: true, verbatimSymlinks: true })
  }
}

/** Removes the leased folders of dead processes. */
export async function sweepLeasedFolders(parent: string): Promise<void> {
  for (const name of new Set(namesIn(parent).map((each) => each.replace(/\.lock$/, '')))) {
    const folder = path.join(parent, name)
    try {
      // The lock of a live process is not waited for.
      const lock = await acquireLock(lockOf(folder), { waitMs: 0 })
      await closeLease(folder, lock, undefined)
    } catch (error) {
      if (!(error instanceof ZeeError)) throw error
    }
  }
}

function lockOf(folder: string): string {
  return `${folder}.lock`
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
