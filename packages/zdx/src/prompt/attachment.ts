// The file, folder or image that an `@path` of a prompt names.
import {
  closeSync,
  constants,
  openSync,
  readdirSync,
  readSync,
  statSync,
  type Stats,
} from 'node:fs'
import path from 'node:path'
import type { PromptPart } from '@zee/agent'
import { imageType, maxImageBytes } from '@zee/agent'
import { cutToBytes } from '@zee/core/bounded'
import { leadsOutOf } from '@zee/core/contained-path'
import { isWithin } from '@zee/core/links'
import { oneLine, reasonOf } from '@zee/core/errors'
import { fenced } from '../text/text.ts'

/** As for the `read` tool. */
const maxTextBytes = 50 * 1024
const maxFolderEntries = 1000

type Content = { block: string; image?: PromptPart } | { warning: string }

export type Attachment = { path: string } & Content

/** Undefined if the reference names nothing: then it is ordinary text. */
export function attach(root: string, reference: string): Attachment | undefined {
  const named = findNamed(root, reference)
  if (named === undefined) return undefined
  const { name, file, stats } = named
  // A path outside that the user names is not a link of the repository.
  if (isWithin(root, file) && leadsOutOf(root, file)) {
    const reason = 'it is a link that leads out of the project; name its target'
    return { path: file, warning: `@${oneLine(name)} is not attached: ${reason}` }
  }
  try {
    if (stats.isDirectory()) return { path: file, block: folderBlock(name, file) }
    if (!stats.isFile()) return undefined
    return { path: file, ...fileBlock(name, file, stats) }
  } catch (error) {
    return { path: file, warning: `@${oneLine(name)} is not attached: ${reasonOf(error)}` }
  }
}

/** Finds the path, without punctuation at its end if there is no such file with it. */
function findNamed(
  root: string,
  reference: string,
): { name: string; file: string; stats: Stats } | undefined {
  for (const name of [reference, reference.replace(/[.,;:!?)\]}'"]+$/, '')]) {
    if (name === '') continue
    const file = path.resolve(root, name)
    try {
      const stats = statSync(file, { throwIfNoEntry: false })
      if (stats !== undefined) return { name, file, stats }
    } catch {
      // Not a path, for example too long, or below a file.
    }
  }
  return undefined
}

function fileBlock(name: string, file: string, { size }: Stats): Content {
  const head = readHead(file, maxTextBytes)
  const mediaType = imageType(head)
  if (mediaType !== undefined) return imageBlock(name, file, size, mediaType)
  if (head.includes(0)) {
    return { warning: `@${oneLine(name)} is not attached: it is not a text file` }
  }
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(head)
  const cut = cutToBytes(text, maxTextBytes)
  const isCut = size > maxTextBytes
  const title = `${oneLine(name)}${isCut ? ` (the first ${maxTextBytes} of ${size} bytes)` : ''}:`
  const shown = isCut ? cut.text.replace(/\uFFFD+$/, '') : cut.text
  return { block: `${title}\n${fenced(shown.replace(/\n$/, ''), languageOf(name))}` }
}

/** A model that accepts no images receives the description alone. */
function imageBlock(name: string, file: string, size: number, mediaType: string): Content {
  if (size > maxImageBytes) {
    const limit = `it has more than ${maxImageBytes} bytes`
    return { warning: `@${oneLine(name)} is not attached: ${limit}` }
  }
  const data = readHead(file, maxImageBytes).toString('base64')
  return {
    block: `${oneLine(name)}: ${mediaType}, ${size} bytes`,
    image: { type: 'image', mediaType, data },
  }
}

function readHead(file: string, maxBytes: number): Buffer {
  // A file that was replaced by a FIFO must not block.
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const buffer = Buffer.allocUnsafe(maxBytes)
    let length = 0
    for (;;) {
      const count = readSync(descriptor, buffer, length, maxBytes - length, length)
      length += count
      if (count === 0 || length === maxBytes) return buffer.subarray(0, length)
    }
  } finally {
    closeSync(descriptor)
  }
}

function folderBlock(name: string, folder: string): string {
  const entries = readdirSync(folder, { withFileTypes: true })
    .map((entry) => oneLine(entry.isDirectory() ? `${entry.name}/` : entry.name))
    .sort()
  const shown = entries.slice(0, maxFolderEntries)
  const hidden = entries.length - shown.length
  if (hidden > 0) shown.push(`... and ${hidden} more`)
  return `${oneLine(name)} (folder):\n${fenced(shown.join('\n'), '')}`
}

function languageOf(name: string): string {
  return /\.([a-z0-9]{1,12})$/i.exec(name)?.[1] ?? ''
}
