// Flushes files and folder entries to the disk, so that they survive a power cut.
import { closeSync, fsyncSync, openSync, promises } from 'node:fs'
import { errnoOf } from '../errors/errors.ts'

const flushRefusals = new Set(['EINVAL', 'EISDIR', 'ENOTSUP', 'EOPNOTSUPP', 'EPERM', 'EACCES'])

/** Systems and file systems that cannot flush a folder answer so; nothing more can be done. */
export function isFlushUnsupported(error: unknown): boolean {
  return flushRefusals.has(errnoOf(error) ?? '')
}

export async function fsyncFolder(folder: string): Promise<void> {
  try {
    await fsyncPath(folder)
  } catch (error) {
    if (!isFlushUnsupported(error)) throw error
  }
}

/** Flushes a file or folder. A missing one is fine; one that cannot be opened is not. */
export async function fsyncIfExists(path: string): Promise<void> {
  try {
    await fsyncPath(path)
  } catch (error) {
    const code = errnoOf(error)
    if (code !== 'ENOENT' && (code === 'EACCES' || !isFlushUnsupported(error))) throw error
  }
}

async function fsyncPath(path: string): Promise<void> {
  const handle = await promises.open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export function fsyncFolderSync(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r')
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (!isFlushUnsupported(error)) throw error
  }
}
