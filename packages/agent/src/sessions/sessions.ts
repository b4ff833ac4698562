// Manages stored sessions: summary, fork, title, removal.
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Clock } from '@zee/core/clock'
import { rfc3339 } from '@zee/core/clock'
import { reasonOf, ZeeError } from '@zee/core/errors'
import { ensureDurableFolder } from '@zee/core/folders'
import type { Journal } from '@zee/core/journal'
import { openJournal, readJournalSync } from '@zee/core/journal'
import { sessionPath } from '../session/session.ts'
import { forkedLines } from './fork.ts'
export { readSessionLines } from '../session/session.ts'
export type { WrittenReceipt } from './fork.ts'
export { uncountedReceipts } from './fork.ts'
export type { SessionSummary } from './summary.ts'
export { summarizeSession } from './summary.ts'

/** Copies the events of a session up to `lastEvent` (a line number) into a new session. */
export async function forkSession(
  folder: string,
  id: string,
  newId: string,
  lastEvent: number | undefined,
): Promise<void> {
  const source = existingSessionPath(folder, id)
  const target = sessionPath(folder, newId)
  if (existsSync(target)) throw new ZeeError('eexist', `session '${newId}' already exists`)
  const { writeFileAtomic } = await import('@zee/core/atomic-file')
  await writeFileAtomic(target, forkedLines(source, lastEvent), { mode: 0o600 })
}

/** Folders with data of a session. */
export interface SessionFolders {
  base: string
  /** Folder of the session files. */
  folder: string
  undo: string
  /** The HTML page of the session. */
  page: string
}

/** Removes the undo data, page and title of a session, then the session: a failed call can be repeated. */
export async function deleteSession(
  { base, folder, undo, page }: SessionFolders,
  id: string,
  clock: Clock,
): Promise<void> {
  const file = existingSessionPath(folder, id)
  rmSync(undo, { recursive: true, force: true })
  rmSync(page, { force: true })
  if (readTitles(base).has(id)) addTitle(base, id, '', clock)
  rmSync(file)
  const { flushFolder } = await import('@zee/core/atomic-file')
  await flushFolder(folder)
}

/** Sets the title of a session. Titles are stored in a journal; the latest record counts. */
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

/** An empty title removes the title. */
function addTitle(base: string, id: string, title: string, clock: Clock): void {
  ensureDurableFolder(base, 0o700)
  const journal = openJournal(titlesPath(base))
  try {
    journal.append({ id, title, ts: rfc3339(clock.now(), 0) })
    syncTitles(journal)
  } finally {
    journal.close()
  }
}

function syncTitles(journal: Journal): void {
  try {
    journal.sync()
  } catch (error) {
    const message = `the title may not be recorded: ${reasonOf(error)}`
    throw new ZeeError('may_not_be_recorded', message, { cause: error })
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
