// Flushes files and folder entries to the disk, so that they survive a power cut.
import { closeSync, fsyncSync, openSync, promises } from 'node:fs'
import { errnoOf } from '../errors/errors.ts'

const flushRefusals = new Set(['EINVAL', 'EISDIR', 'ENOTSUP', 'EOPNOTSUPP', 'EPERM', 'EACCES'])

/** Whether the error says that this system or file system cannot flush folders. */
export function isFlushUnsupported(error: unknown): boolean {
  return flushRefusals.has(errnoOf(error) ?? '')
}

/** Makes new and renamed entries of a folder durable. */
export async function fsyncFolder(folder: string): Promise<void> {
  try {
    await fsyncPath(folder)
  } catch (error) {
    if (!isFlushUnsupported(error)) throw error
  }
}

/** Flushes a file or folder; does nothing when it does not exist. */
export async function fsyncIfExists(path: string): Promise<void> {
  try {
    await fsyncPath(path)
  } catch (error) {
    const code = errnoOf(error)
    if (code !== 'ENOENT' && (code === 'EACCES' || !isFlushUnsupported(error))) throw error
  }
}

const failures = new Map<string, number>()

/** A failed flush may drop changes of other callers, whose own flush then succeeds. */
export function failedFlushes(path: string): number {
  return failures.get(path) ?? 0
}

export async function fsyncPath(path: string): Promise<void> {
  const handle = await promises.open(path, 'r')
  try {
    await handle.sync()
  } catch (error) {
    if (!isFlushUnsupported(error)) failures.set(path, failedFlushes(path) + 1)
    throw error
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
