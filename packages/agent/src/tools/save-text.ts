// What a tool writes into a file: told to whoever keeps a way back, then put there.
import type { Stats } from 'node:fs'
import { accessSync, constants, realpathSync } from 'node:fs'
import { replaceContents, writeToSpecialFile } from '../files/files.ts'
import type { ChangeDecision, ToolContext } from './tool.ts'

export async function saveText(
  tool: string,
  path: string,
  data: Buffer,
  before: Stats | undefined,
  context: ToolContext,
): Promise<ChangeDecision> {
  if (before !== undefined && !before.isFile()) {
    await writeToSpecialFile(path, data, context.signal)
    return { ok: true }
  }
  const exists = before !== undefined
  // Replacing a file asks nobody whether it may be written: a folder's leave would be enough.
  if (exists) accessSync(path, constants.W_OK)
  const decision = await context.beforeChange?.({
    callId: context.callId,
    tool,
    path: exists ? realpathSync(path) : path,
    exists,
    after: data,
  })
  if (decision?.ok === false) return decision
  await replaceContents(path, data, before)
  return { ok: true }
}
