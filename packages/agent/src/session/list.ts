// Which sessions there are, newest first.
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

/** By modification time, newest first; equal times by id, so that the order is stable. */
export function listSessions(folder: string): SessionEntry[] {
  const entries: SessionEntry[] = []
  for (const name of fileNames(folder)) {
    if (!name.endsWith(sessionExtension)) continue
    const id = name.slice(0, -sessionExtension.length)
    // A file of any other name could not be opened by its id.
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

/** Undefined for what is gone or leads nowhere: it must not hide the others. */
function statIfReadable(file: string): Stats | undefined {
  try {
    return statSync(file)
  } catch {
    return undefined
  }
}
