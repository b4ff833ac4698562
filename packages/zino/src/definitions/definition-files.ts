// Reads the JSON files of a definitions folder in name order. An invalid file is skipped with a
// warning, so that a typo does not take a service down.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { readBoundedFile } from '@zee/core/bounded-file'
import { reasonOf } from '@zee/core/errors'
import type { Logger } from '@zee/core/log'
import type { Message } from '../wire/wire.ts'
import { isMessage } from '../wire/wire.ts'

export interface DefinitionFile {
  /** The file name without `.json`. */
  name: string
  path: string
  data: Message
  /** The `meta` object; empty when the file has none. */
  meta: Message
}

export function readDefinitionFiles(folder: string, log: Logger): DefinitionFile[] {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch (error) {
    log.warn(`nothing loaded from ${folder}: ${reasonOf(error)}`)
    return []
  }
  return names
    .filter((name) => name.endsWith('.json'))
    .sort(compareCodeUnits)
    .flatMap((name) => readFile(path.join(folder, name), log))
}

/** The non-empty string `meta[name]`, or undefined. */
export function metaText(meta: Message, name: string): string | undefined {
  const value = meta[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

function readFile(file: string, log: Logger): DefinitionFile[] {
  try {
    const data: unknown = JSON.parse(readBoundedFile(file).toString('utf8'))
    if (!isMessage(data)) throw new Error('not a JSON object')
    const meta = isMessage(data.meta) ? data.meta : {}
    return [{ name: path.basename(file, '.json'), path: file, data, meta }]
  } catch (error) {
    log.warn(`skipped ${file}: ${reasonOf(error)}`)
    return []
  }
}

function compareCodeUnits(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}
