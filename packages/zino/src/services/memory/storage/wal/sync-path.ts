// Flushes a file, or a folder's list of names, to the disk.
import { promises } from 'node:fs'
import { errnoOf } from '@zee/core/errors'

/** A missing one is fine: what removed it has its own record. Systems that cannot flush folders say so. */
const harmless = new Set(['ENOENT', 'EINVAL', 'EISDIR', 'ENOTSUP', 'EOPNOTSUPP', 'EPERM'])

export async function syncPath(path: string): Promise<void> {
  try {
    const handle = await promises.open(path, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (!harmless.has(errnoOf(error) ?? '')) throw error
  }
}
