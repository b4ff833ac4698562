// Makes a new or renamed entry of a folder survive a power cut.
import { closeSync, fsyncSync, openSync, promises } from 'node:fs'
import { errnoOf } from '../errors/errors.ts'

const flushRefusals = new Set(['EINVAL', 'EISDIR', 'ENOTSUP', 'EOPNOTSUPP', 'EPERM', 'EACCES'])

/** Systems and file systems that cannot flush a folder answer so; nothing more can be done. */
export function cannotFlush(error: unknown): boolean {
  return flushRefusals.has(errnoOf(error) ?? '')
}

export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await promises.open(folder, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (!cannotFlush(error)) throw error
  }
}

export function syncFolderNow(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r')
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (!cannotFlush(error)) throw error
  }
}
