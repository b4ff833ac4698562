// Files of the working folder. Contents are replaced atomically, so that a crash or a full disk leaves
// the old contents intact.
import type { Stats } from 'node:fs'
import { statSync, writeFileSync } from 'node:fs'
import { ZeeError } from '@zee/core/errors'
export { isInside } from './is-inside.ts'
export type { OpenedFile } from './nonblocking.ts'
export { openForReading, readChunks, readHead, writeToSpecialFile } from './nonblocking.ts'
export { decodeStrictUtf8 } from './strict-utf8.ts'

/** The stats at a path, following links; undefined if nothing exists there. */
export function statIfExists(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false })
}

/** Creates a file or replaces its contents; `before` is the result of `statIfExists`. */
export async function replaceContents(
  path: string,
  data: Uint8Array,
  before: Stats | undefined,
): Promise<void> {
  // A rename would break hard links: the other names would keep the old contents.
  if (before !== undefined && before.nlink > 1) return writeFileSync(path, data)
  const { writeFileAtomic } = await import('@zee/core/atomic-file')
  try {
    await writeFileAtomic(path, data)
  } catch (error) {
    if (before === undefined || !isFolderReadOnly(error)) throw error
    writeFileSync(path, data)
  }
}

/** The folder rejects new files, but the file itself may be writable. */
function isFolderReadOnly(error: unknown): boolean {
  return error instanceof ZeeError && ['eacces', 'eperm', 'erofs'].includes(error.code)
}
