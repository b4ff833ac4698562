// Writes a file and creates its parent folders.
import path from 'node:path'
import { oneLine, reasonOf } from '@zee/core/errors'
import { ensureFolder, missingFolders } from '@zee/core/folders'
import type { Envelope } from '../envelope/envelope.ts'
import { failure, success } from '../envelope/envelope.ts'
import { statIfExists } from '../files/files.ts'
import { saveText } from './save-text.ts'
import type { BuiltInTool, ToolContext, ToolInput } from './tool.ts'

export const write: BuiltInTool = {
  name: 'write',
  description: 'Create or overwrite a file.',
  schema: {
    type: 'object',
    properties: { path: { type: 'string' }, content: { type: 'string' } },
    required: ['path', 'content'],
  },
  run: runWrite,
}

async function runWrite(input: ToolInput, context: ToolContext): Promise<Envelope> {
  const target = path.resolve(context.root, String(input.path))
  const data = Buffer.from(String(input.content))
  const folders = missingFolders(path.dirname(target))
  try {
    ensureFolder(path.dirname(target))
  } catch (error) {
    return failure(
      'mkdir_error',
      `Cannot create the folder ${oneLine(path.dirname(target))}: ${reasonOf(error)}`,
    )
  }
  try {
    const before = statIfExists(target)
    if (before?.isDirectory() === true) return writeError(target, 'it is a folder')
    const saved = await saveText(write.name, target, data, before, context, folders)
    if (!saved.ok) return writeError(target, saved.reason)
    return success({ path: target, bytes: data.length, created: before === undefined })
  } catch (error) {
    context.signal.throwIfAborted()
    return writeError(target, reasonOf(error))
  }
}

export function writeError(file: string, reason: string): Envelope {
  return failure('write_error', `Cannot write ${oneLine(file)}: ${reason}`)
}
