// Files of the working folder. Text is put into a file so that a crash or a full disk leaves the old
// contents whole.
import type { Stats } from 'node:fs'
import { statSync, writeFileSync } from 'node:fs'
import { ZeeError } from '@zee/core/errors'
export { isInside } from './is-inside.ts'
export type { OpenedFile } from './nonblocking.ts'
export { openForReading, readHead, writeToSpecialFile } from './nonblocking.ts'
export { decodeStrictUtf8 } from './strict-utf8.ts'

/** What is at a path, links followed; undefined when nothing is. */
export function statIfExists(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false })
}

/** Makes a file or replaces its contents; `before` is what `lookAt` found there. */
export async function replaceContents(
  path: string,
  data: Uint8Array,
  before: Stats | undefined,
): Promise<void> {
  // A second name of the file would keep the old contents if the file were replaced.
  if (before !== undefined && before.nlink > 1) return writeFileSync(path, data)
  const { writeFileAtomic } = await import('@zee/core/atomic-file')
  try {
    await writeFileAtomic(path, data)
  } catch (error) {
    if (before === undefined || !isFolderReadOnly(error)) throw error
    writeFileSync(path, data)
  }
}

/** The folder takes no new file, but the file itself may still be writable. */
function isFolderReadOnly(error: unknown): boolean {
  return error instanceof ZeeError && ['eacces', 'eperm', 'erofs'].includes(error.code)
}
