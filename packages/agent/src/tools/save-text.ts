// Writes the new contents of a file, after `beforeChange` has allowed the change.
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
  folders: readonly string[] = [],
): Promise<ChangeDecision> {
  if (before !== undefined && !before.isFile()) {
    await writeToSpecialFile(path, data, context.signal)
    return { ok: true }
  }
  const exists = before !== undefined
  // An atomic replacement needs only permission for the folder, so the file's is checked here.
  if (exists) accessSync(path, constants.W_OK)
  const decision = await context.beforeChange?.({
    callId: context.callId,
    tool,
    path: exists ? realpathSync(path) : path,
    exists,
    after: data,
    ...(folders.length === 0 ? {} : { folders }),
  })
  if (decision?.ok === false) return decision
  const write = context.editorFiles?.write
  if (write === undefined) await replaceContents(path, data, before)
  else await write(path, data.toString('utf8'))
  return { ok: true }
}
