// Lists the session files of a folder.
import type { Stats } from 'node:fs'
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { errnoOf, fileError } from '@zee/core/errors'
import { isSessionId, sessionExtension } from './file.ts'

export interface SessionEntry {
  id: string
  modifiedMs: number
  bytes: number
}

/** Sorted by modification time, newest first; ties are broken by id. */
export function listSessions(folder: string): SessionEntry[] {
  const entries: SessionEntry[] = []
  for (const name of fileNames(folder)) {
    if (!name.endsWith(sessionExtension)) continue
    const id = name.slice(0, -sessionExtension.length)
    // A file with another name cannot be opened by its id.
    if (!isSessionId(id)) continue
    const stats = statIfReadable(path.join(folder, name))
    if (stats?.isFile() !== true) continue
    entries.push({ id, modifiedMs: stats.mtimeMs, bytes: stats.size })
  }
  return entries.sort((a, b) => b.modifiedMs - a.modifiedMs || (a.id < b.id ? -1 : 1))
}

export function latestSession(folder: string): string | undefined {
  return listSessions(folder)[0]?.id
}

function fileNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    throw fileError('list', folder, error)
  }
}

/** Undefined for a deleted file or a dangling link, which must not hide the other sessions. */
function statIfReadable(file: string): Stats | undefined {
  try {
    return statSync(file)
  } catch {
    return undefined
  }
}
