// Reads the first 50 KiB of a file as text.
import { closeSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { cutBuffer } from '@zee/core/bounded'
import { oneLine, reasonOf } from '@zee/core/errors'
import type { Envelope } from '../envelope/envelope.ts'
import { failure, success } from '../envelope/envelope.ts'
import type { OpenedFile } from '../files/files.ts'
import { openForReading, readHead, decodeStrictUtf8 } from '../files/files.ts'
import type { BuiltInTool, ToolContext, ToolInput } from './tool.ts'

const maxBytes = 50 * 1024
/** Maximum length of a UTF-8 character; read beyond the limit to find its end. */
const maxCharacterBytes = 4

export const read: BuiltInTool = {
  name: 'read',
  description: 'Read a file (first 50 KiB).',
  schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  run: runRead,
}

async function runRead(input: ToolInput, context: ToolContext): Promise<Envelope> {
  const requested = path.resolve(context.root, String(input.path))
  const canonical = canonicalPath(requested)
  if (typeof canonical !== 'string') return canonical
  let file: OpenedFile
  try {
    file = openForReading(canonical)
  } catch (error) {
    return readError(canonical, reasonOf(error))
  }
  try {
    if (file.stats.isDirectory()) return readError(canonical, 'it is a folder')
    return readResult(
      canonical,
      file,
      await readHead(file, maxBytes + maxCharacterBytes, context.signal),
    )
  } catch (error) {
    context.signal.throwIfAborted()
    return readError(canonical, reasonOf(error))
  } finally {
    closeSync(file.descriptor)
  }
}

/** The canonical path, or a failure if the path does not exist. */
export function canonicalPath(requested: string): string | Envelope {
  try {
    return realpathSync(requested)
  } catch (error) {
    return failure('path_error', `Path does not exist: ${oneLine(requested)} (${reasonOf(error)})`)
  }
}

function readResult(canonical: string, file: OpenedFile, head: Buffer): Envelope {
  const bytes = Math.max(file.stats.size, head.length)
  const truncated = bytes > maxBytes
  const content = decodeStrictUtf8(truncated ? cutBuffer(head, maxBytes) : head)
  if (content === undefined) return readError(canonical, 'it is not UTF-8 text')
  return success({ path: canonical, content, truncated, bytes })
}

export function readError(file: string, reason: string): Envelope {
  return failure('read_error', `Cannot read ${oneLine(file)}: ${reason}`)
}
