// What is done to whole sessions: summed up, copied up to an event, named, removed.
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Clock } from '@zee/core/clock'
import { rfc3339 } from '@zee/core/clock'
import { ZeeError } from '@zee/core/errors'
import { ensureFolder } from '@zee/core/folders'
import { openJournal, readJournal, readJournalSync } from '@zee/core/journal'
import { sessionPath } from '../session/session.ts'
export { readSessionLines } from '../session/session.ts'
export type { SessionSummary } from './summary.ts'
export { summarizeSession } from './summary.ts'

/** Copies the events of a session up to `at` (a line of its file) into a new one. */
export async function forkSession(
  folder: string,
  id: string,
  newId: string,
  at: number | undefined,
): Promise<void> {
  const source = existingSessionPath(folder, id)
  const target = sessionPath(folder, newId)
  if (existsSync(target)) throw new ZeeError('eexist', `session '${newId}' exists already`)
  const journal = openJournal(target)
  try {
    for await (const { record, raw, line } of readJournal(source)) {
      if (at !== undefined && line > at) break
      // The numbers of what was undone count changes of the source, which has a log of its own.
      if (record.type === 'undo') journal.append({ ...record, undone: [] })
      else journal.appendLine(raw.toString('utf8').trim())
    }
    journal.sync()
  } catch (error) {
    rmSync(target, { force: true })
    throw error
  } finally {
    journal.close()
  }
}

/** Where a session has left something. */
export interface SessionFolders {
  base: string
  /** Of the sessions. */
  folder: string
  undo: string
}

/** Removes a session, its title and what was kept to undo it. */
export function deleteSession(
  { base, folder, undo }: SessionFolders,
  id: string,
  clock: Clock,
): void {
  rmSync(existingSessionPath(folder, id))
  rmSync(undo, { recursive: true, force: true })
  if (readTitles(base).has(id)) addTitle(base, id, '', clock)
}

/** Names are a journal of their own: the latest of a session counts. */
export function renameSession(
  base: string,
  folder: string,
  id: string,
  title: string,
  clock: Clock,
): void {
  existingSessionPath(folder, id)
  addTitle(base, id, title, clock)
}

/** An empty title takes the title away. */
function addTitle(base: string, id: string, title: string, clock: Clock): void {
  ensureFolder(base, 0o700)
  const journal = openJournal(titlesPath(base))
  try {
    journal.append({ id, title, ts: rfc3339(clock.now(), 0) })
    journal.sync()
  } finally {
    journal.close()
  }
}

export function readTitles(base: string): Map<string, string> {
  const titles = new Map<string, string>()
  if (!existsSync(titlesPath(base))) return titles
  readJournalSync(titlesPath(base), ({ record }) => {
    const { id, title } = record
    if (typeof id !== 'string' || typeof title !== 'string') return
    if (title === '') titles.delete(id)
    else titles.set(id, title)
  })
  return titles
}

function titlesPath(base: string): string {
  return path.join(base, 'titles.jsonl')
}

function existingSessionPath(folder: string, id: string): string {
  const file = sessionPath(folder, id)
  if (!existsSync(file)) throw new ZeeError('no_session', `there is no session '${id}'`)
  return file
}
