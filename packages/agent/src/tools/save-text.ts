// Puts text into a file so that a crash or a full disk leaves the old contents whole.
import type { Stats } from 'node:fs'
import { accessSync, constants, realpathSync, statSync, writeFileSync } from 'node:fs'
import { ZeeError } from '@zee/core/errors'
import { writeInto } from './file-access.ts'
import type { ToolContext } from './tool.ts'

/** What is at a path, links followed; undefined when nothing is. */
export function lookAt(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false })
}

/** What a tool writes: told to whoever keeps a way back, then put into the file. */
export async function saveText(
  tool: string,
  path: string,
  data: Buffer,
  before: Stats | undefined,
  at: ToolContext,
): Promise<void> {
  if (before !== undefined && !before.isFile()) return writeInto(path, data, at.signal)
  const exists = before !== undefined
  // Replacing a file asks nobody whether it may be written: a folder's leave would be enough.
  if (exists) accessSync(path, constants.W_OK)
  await at.beforeChange?.({
    callId: at.callId,
    tool,
    path: exists ? realpathSync(path) : path,
    exists,
    after: data,
  })
  await putContents(path, data, before)
}

/** Makes a file or replaces its contents; `before` is what `lookAt` found there. */
export async function putContents(
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
    if (before === undefined || !isFolderRefusal(error)) throw error
    writeFileSync(path, data)
  }
}

/** The folder takes no new file, but the file itself may still be writable. */
function isFolderRefusal(error: unknown): boolean {
  return error instanceof ZeeError && ['eacces', 'eperm', 'erofs'].includes(error.code)
}
