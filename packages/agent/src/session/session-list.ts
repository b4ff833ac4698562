// Which sessions there are, newest first.
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { errnoOf, fileError } from '@zee/core/errors'

export interface SessionEntry {
  id: string
  modifiedMs: number
  bytes: number
}

/** By modification time, newest first; equal times by id, so that the order is stable. */
export function listSessions(folder: string): SessionEntry[] {
  const entries: SessionEntry[] = []
  for (const name of namesIn(folder)) {
    if (!name.endsWith('.jsonl') || name.startsWith('.')) continue
    const stats = statSync(path.join(folder, name), { throwIfNoEntry: false })
    if (stats?.isFile() !== true) continue
    const id = name.slice(0, -'.jsonl'.length)
    entries.push({ id, modifiedMs: stats.mtimeMs, bytes: stats.size })
  }
  return entries.sort((a, b) => b.modifiedMs - a.modifiedMs || (a.id < b.id ? -1 : 1))
}

export function latestSession(folder: string): string | undefined {
  return listSessions(folder)[0]?.id
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    throw fileError('list', folder, error)
  }
}
