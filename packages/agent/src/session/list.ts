// Lists the session files of a folder, and finds one by project or by the start of its id.
import type { Stats } from 'node:fs'
import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { errnoOf, fileError } from '@zee/core/errors'
import { isSessionId, sessionExtension, sessionPath } from './file.ts'
import { belongsTo, readMeta } from './meta.ts'

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

/** The newest session, of `project` if it is given. */
export function latestSession(folder: string, project?: string): string | undefined {
  const sessions = listSessions(folder)
  if (project === undefined) return sessions[0]?.id
  return sessions.find(({ id }) => belongsTo(readMeta(folder, id), project))?.id
}

const minPrefixLength = 4

/**
 * The sessions that `text` names: the session with this id, else those whose id starts with it. A prefix
 * needs at least 4 characters.
 */
export function sessionsNamed(folder: string, text: string): string[] {
  if (existsSync(sessionPath(folder, text))) return [text]
  if (text.length < minPrefixLength) return []
  return listSessions(folder).flatMap(({ id }) => (id.startsWith(text) ? [id] : []))
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
  } catch (error) {
    if (errnoOf(error) === 'EIO') throw fileError('read', file, error)
    return undefined
  }
}
