// Edits the settings files of other programs, such as coding agents: planned first, shown, then written.
import { isUtf8 } from 'node:buffer'
import { rmdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { errnoOf, fileError, oneLine, ZeeError } from '../errors/errors.ts'
import { writeFileAtomic } from '../files/atomic-file.ts'
import { readBoundedFile } from '../files/bounded-file.ts'
import { ensureDurableFolder } from '../files/folders.ts'
import { isWithin, resolveLinks } from '../files/links.ts'
import { parseObject } from '../json/json.ts'

export { hasJson, insertJson, removeJson, type Insertion, type JsonEdit } from './json-edit.ts'

/** A file that a command would write: null stands for no file. */
export interface PlannedChange {
  path: string
  before: string | null
  after: string | null
}

/** The text of a new JSON file. It ends with an empty line, which tells it from a user's `{}`. */
export const createdJson = '{}\n\n'

/** Written before the text of a blank file. The line with a space tells it from a user's `{}`. */
const filled = '{}\n \n'

/** The JSON text that insertions start from; `text` is undefined for a missing file, which becomes `created`. */
export function editableJson(text: string | undefined, created: string = createdJson): string {
  if (text === undefined) return created
  return text.trim() === '' ? filled + text : text
}

/** Takes back what `editableJson` wrote, once the insertions are removed; null stands for no file. */
export function restoredJson(text: string, created: string = createdJson): string | null {
  if (text === created) return null
  const rest = text.startsWith(filled) ? text.slice(filled.length) : text
  return rest.trim() === '' ? rest : text
}

/** Agents keep histories in their settings: such files can have some MiB. */
const maxSettingsBytes = 64 << 20

/** The text of the file; undefined if there is none. Other bytes than UTF-8 would not survive an edit. */
export function readIfExists(file: string): string | undefined {
  const bytes = readBytes(file)
  if (bytes === undefined || isUtf8(bytes)) return bytes?.toString('utf8')
  throw new ZeeError('not_utf8', `${oneLine(file)} is not UTF-8 text`)
}

function readBytes(file: string): Buffer | undefined {
  try {
    return readBoundedFile(file, { maxBytes: maxSettingsBytes })
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return undefined
    throw fileError('read', file, error)
  }
}

export async function writeSettings(file: string, text: string): Promise<void> {
  try {
    ensureDurableFolder(path.dirname(file))
    await writeFileAtomic(file, text)
  } catch (error) {
    throw error instanceof ZeeError ? error : fileError('write', file, error)
  }
}

/** Removes the file and the folders below `base` that are empty without it. */
export function removeSettings(file: string, base: string): void {
  rmSync(file)
  for (let at = path.dirname(file); at !== base && isWithin(base, at); at = path.dirname(at)) {
    try {
      rmdirSync(at)
    } catch {
      return
    }
  }
}

/** Whether a link leads the file out of the folder: nothing was written there. */
export function leadsOut(base: string, file: string): boolean {
  return !isWithin(resolveLinks(base), resolveLinks(file))
}

/** A link in a project must not lead a write out of it. */
export function requireInside(base: string, files: readonly string[]): void {
  for (const file of files) {
    if (!leadsOut(base, file)) continue
    throw new ZeeError('outside', `${oneLine(file)} leads out of ${oneLine(base)} through a link`)
  }
}

/** Planned changes from JSON lines. Other lines are skipped. */
export function parsePlan(lines: string): PlannedChange[] {
  return lines.split('\n').flatMap((line) => {
    const { path: file, before, after } = parseObject(line) ?? {}
    if (typeof file !== 'string') return []
    return [{ path: file, before: textOrNull(before), after: textOrNull(after) }]
  })
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
