// Makes a new or renamed entry of a folder survive a power cut.
import { closeSync, fsyncSync, openSync, promises } from 'node:fs'
import { errnoOf } from './errors.ts'

/** What systems and file systems answer that cannot flush a folder; nothing more can be done. */
const unsupported = new Set(['EINVAL', 'EISDIR', 'ENOTSUP', 'EOPNOTSUPP', 'EPERM', 'EACCES'])

export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await promises.open(folder, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (!unsupported.has(errnoOf(error) ?? '')) throw error
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
    if (!unsupported.has(errnoOf(error) ?? '')) throw error
  }
}
