// Finds text in a recorded file. In JSON it searches the decoded strings, so that quotes and line breaks match and the
// excerpt is text. Strings of keys such as `runId` are skipped: they are in every record.
import { readFileSync, statSync } from 'node:fs'
import { cutToBytes } from '@zee/core/bounded'
import { oneLine } from '@zee/core/errors'
import { isObject } from '@zee/core/json'

const maxFileBytes = 16 << 20
const contextBefore = 30
const excerptBytes = 120

/** The text around the first match; undefined without one. `needle` is in lower case. */
export function findInFile(file: string, needle: string, skipped: string[]): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats?.isFile() !== true) return undefined
  if (stats.size > maxFileBytes) {
    skipped.push(`${file}: larger than ${maxFileBytes >> 20} MB`)
    return undefined
  }
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    skipped.push(`${file}: cannot be read`)
    return undefined
  }
  if (file.endsWith('.json')) return findInJson(text, needle)
  if (!file.endsWith('.jsonl')) return excerptOf(text, needle)
  for (const line of text.split('\n')) {
    const found = findInJson(line, needle)
    if (found !== undefined) return found
  }
  return undefined
}

/** The text around the first match in one line. */
export function excerptOf(text: string, needle: string): string | undefined {
  const index = text.toLowerCase().indexOf(needle)
  if (index === -1) return undefined
  const start = Math.max(0, index - contextBefore)
  return oneLine(cutToBytes(text.slice(start, start + excerptBytes), excerptBytes).text)
}

/** A text that is not JSON, such as a torn line, is searched as it is. */
function findInJson(text: string, needle: string): string | undefined {
  const escaped = JSON.stringify(needle).slice(1, -1).toLowerCase()
  if (!text.toLowerCase().includes(escaped)) return undefined
  try {
    return findInValue(JSON.parse(text), needle)
  } catch {
    return excerptOf(text, needle)
  }
}

function findInValue(value: unknown, needle: string): string | undefined {
  if (typeof value === 'string') return excerptOf(value, needle)
  if (!isObject(value) && !Array.isArray(value)) return undefined
  for (const [key, inner] of Object.entries(value)) {
    if (key.endsWith('Id')) continue
    const found = findInValue(inner, needle)
    if (found !== undefined) return found
  }
  return undefined
}
