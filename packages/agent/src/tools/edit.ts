// Replaces exact text in a file. If the text is not found, the failure quotes the most similar lines, so
// that the model can correct itself in one step.
import { closeSync } from 'node:fs'
import path from 'node:path'
import { oneLine, reasonOf } from '@zee/core/errors'
import type { Envelope } from '../envelope/envelope.ts'
import { failure, success } from '../envelope/envelope.ts'
import { statIfExists, openForReading, readHead, decodeStrictUtf8 } from '../files/files.ts'
import { canonicalPath, readError } from './read.ts'
import { saveText } from './save-text.ts'
import type { BuiltInTool, ToolContext, ToolInput } from './tool.ts'
import { invalidInput } from './tool.ts'
import { writeError } from './write.ts'

const maxFileBytes = 64 * 1024 * 1024

export const edit: BuiltInTool = {
  name: 'edit',
  description: 'Replace exact text in a file.',
  schema: {
    type: 'object',
    properties: {
      path: { type: 'string' },
      old: { type: 'string' },
      new: { type: 'string' },
      expected_replacements: { type: 'integer', default: 1 },
    },
    required: ['path', 'old', 'new'],
  },
  run: runEdit,
}

async function runEdit(input: ToolInput, context: ToolContext): Promise<Envelope> {
  const before = String(input.old)
  const expected = Number(input.expected_replacements)
  if (before === '') return invalidInput(edit, "'old' must not be empty")
  if (expected < 1) return invalidInput(edit, "'expected_replacements' must be at least 1")
  const target = path.resolve(context.root, String(input.path))
  const canonical = canonicalPath(target)
  if (typeof canonical !== 'string') return canonical
  const text =
    (await context.editorFiles?.read?.(canonical)) ?? (await readText(canonical, context.signal))
  if (typeof text !== 'string') return text
  const count = countOccurrences(text, before)
  if (count === 0) {
    const { nearestHint } = await import('./nearest-hint.ts')
    const hint = nearestHint(text, before)
    return failure('old_not_found', `'old' was not found in ${oneLine(target)}. ${hint}`)
  }
  if (count !== expected) return countMismatch(target, expected, count)
  try {
    // A function, because `replaceAll` interprets patterns such as $& in a string.
    const data = Buffer.from(text.replaceAll(before, () => String(input.new)))
    const saved = await saveText(edit.name, canonical, data, statIfExists(canonical), context)
    if (!saved.ok) return writeError(target, saved.reason)
  } catch (error) {
    context.signal.throwIfAborted()
    return writeError(target, reasonOf(error))
  }
  return success({ path: target, replacements: count })
}

/** Counts occurrences that do not overlap. */
function countOccurrences(text: string, piece: string): number {
  let count = 0
  let index = text.indexOf(piece)
  while (index !== -1) {
    count++
    index = text.indexOf(piece, index + piece.length)
  }
  return count
}

function countMismatch(target: string, expected: number, count: number): Envelope {
  return failure(
    'replacement_count_mismatch',
    `Expected ${expected} replacement(s) but found ${count} in ${oneLine(target)}. ` +
      `Give more surrounding text, or set expected_replacements to ${count}.`,
  )
}

async function readText(file: string, signal: AbortSignal): Promise<string | Envelope> {
  try {
    const opened = openForReading(file)
    try {
      if (opened.stats.isDirectory()) return readError(file, 'it is a folder')
      if (opened.stats.size > maxFileBytes) {
        return readError(file, `it is larger than ${maxFileBytes} bytes; use bash with sed`)
      }
      const text = decodeStrictUtf8(await readHead(opened, maxFileBytes, signal))
      return text ?? readError(file, 'it is not UTF-8 text')
    } finally {
      closeSync(opened.descriptor)
    }
  } catch (error) {
    signal.throwIfAborted()
    return readError(file, reasonOf(error))
  }
}
