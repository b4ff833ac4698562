// What a tool writes into a file: told to whoever keeps a way back, then put there.
import type { Stats } from 'node:fs'
import { accessSync, constants, realpathSync } from 'node:fs'
import { replaceContents, writeToSpecialFile } from '../files/files.ts'
import type { ToolContext } from './tool.ts'

export async function saveText(
  tool: string,
  path: string,
  data: Buffer,
  before: Stats | undefined,
  context: ToolContext,
): Promise<void> {
  if (before !== undefined && !before.isFile())
    return writeToSpecialFile(path, data, context.signal)
  const exists = before !== undefined
  // Replacing a file asks nobody whether it may be written: a folder's leave would be enough.
  if (exists) accessSync(path, constants.W_OK)
  await context.beforeChange?.({
    callId: context.callId,
    tool,
    path: exists ? realpathSync(path) : path,
    exists,
    after: data,
  })
  await replaceContents(path, data, before)
}
