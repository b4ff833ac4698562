// Reads a file: the first 50 KiB of a text, a window of its lines, or an image.
import { closeSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { cutBuffer } from '@zee/core/bounded'
import { oneLine, reasonOf } from '@zee/core/errors'
import type { Envelope } from '../envelope/envelope.ts'
import { failure, success } from '../envelope/envelope.ts'
import type { OpenedFile } from '../files/files.ts'
import { openForReading, readChunks, readHead, decodeStrictUtf8 } from '../files/files.ts'
import { imageType, maxImageBytes } from './image.ts'
import type { WindowRange } from './line-window.ts'
import { createWindowReader, maxWindowBytes, requestedWindow, windowFields } from './line-window.ts'
import type { BuiltInTool, ToolContext, ToolInput } from './tool.ts'
import { invalidInput } from './tool.ts'

/** Maximum length of a UTF-8 character; read beyond the limit to find its end. */
const maxCharacterBytes = 4

export const read: BuiltInTool = {
  name: 'read',
  description: 'Read a file: 50 KiB at most, or lines from offset.',
  schema: {
    type: 'object',
    properties: {
      path: { type: 'string' },
      offset: { type: 'integer' },
      limit: { type: 'integer' },
    },
    required: ['path'],
  },
  run: runRead,
}

async function runRead(input: ToolInput, context: ToolContext): Promise<Envelope> {
  const range = requestedWindow(input)
  if (typeof range === 'string') return invalidInput(read, range)
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
    return range === undefined
      ? await readStart(canonical, file, context)
      : await readWindow(canonical, file, range, context)
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

async function readStart(
  canonical: string,
  file: OpenedFile,
  { signal, editorFiles }: ToolContext,
): Promise<Envelope> {
  const stored = await readHead(file, maxWindowBytes + maxCharacterBytes, signal)
  const mediaType = imageType(stored)
  if (mediaType !== undefined) return readImage(canonical, mediaType, file, stored, signal)
  const edited = await editorFiles?.read?.(canonical)
  const head = edited === undefined ? stored : Buffer.from(edited)
  const bytes = edited === undefined ? Math.max(file.stats.size, head.length) : head.length
  const truncated = bytes > maxWindowBytes
  const content = decodeStrictUtf8(truncated ? cutBuffer(head, maxWindowBytes) : head)
  if (content === undefined) return readError(canonical, 'it is not UTF-8 text')
  return success({
    path: canonical,
    content,
    truncated,
    bytes,
    ...(truncated ? { next_offset: content.split('\n').length } : {}),
  })
}

async function readWindow(
  canonical: string,
  file: OpenedFile,
  range: WindowRange,
  { signal, editorFiles }: ToolContext,
): Promise<Envelope> {
  const reader = createWindowReader(range)
  const edited = await editorFiles?.read?.(canonical)
  let size = 0
  for await (const chunk of edited === undefined
    ? readChunks(file, signal)
    : [Buffer.from(edited)]) {
    size += chunk.length
    reader.add(chunk)
  }
  const window = reader.finish()
  const content = decodeStrictUtf8(window.bytes)
  if (content === undefined) return readError(canonical, 'the lines are not UTF-8 text')
  return success({
    path: canonical,
    content,
    truncated: window.truncated,
    bytes: size,
    ...windowFields(window),
  })
}

/** A one-line description, with the image for models that accept images. */
async function readImage(
  canonical: string,
  mediaType: string,
  file: OpenedFile,
  head: Buffer,
  signal: AbortSignal,
): Promise<Envelope> {
  const bytes = Math.max(file.stats.size, head.length)
  const isTooLarge = bytes > maxImageBytes
  const note = isTooLarge ? `, too large to show (at most ${maxImageBytes} bytes)` : ''
  const content = `Image: ${mediaType}, ${bytes} bytes${note}`
  const data = { path: canonical, content, truncated: isTooLarge, bytes, media_type: mediaType }
  if (isTooLarge) return success(data)
  const rest = await readHead(file, bytes - head.length, signal)
  const image = Buffer.concat([head, rest]).toString('base64')
  return { ...success(data), images: [{ type: 'image', mediaType, data: image }] }
}

export function readError(file: string, reason: string): Envelope {
  return failure('read_error', `Cannot read ${oneLine(file)}: ${reason}`)
}
