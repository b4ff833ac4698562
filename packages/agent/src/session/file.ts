// One session on disk: a journal whose first line says the schema version. Appending is fast during a
// turn and synced at its end.
import path from 'node:path'
import type { Clock } from '@zee/core/clock'
import { rfc3339 } from '@zee/core/clock'
import { fileError, usageError } from '@zee/core/errors'
import { ensureFolder } from '@zee/core/folders'
import type { Journal } from '@zee/core/journal'
import { openJournal } from '@zee/core/journal'
import { receiptFields } from './receipt.ts'
import type { Receipt, SessionRecord } from './records.ts'

/** A record without what the session adds: its time stamp and its receipt. */
export type NewRecord = SessionRecord extends infer R
  ? R extends SessionRecord
    ? Omit<R, 'ts' | 'receipt'>
    : never
  : never

export interface SessionWriter {
  readonly id: string
  append(record: NewRecord, receipt?: Receipt): void
  /** Everything written so far survives a power cut from here on. */
  sync(): void
  close(): void
}

/** Opens a session for appending; the file appears with the first record. */
export function openSession(folder: string, id: string, clock: Clock): SessionWriter {
  const file = sessionPath(folder, id)
  const now = () => rfc3339(clock.now(), 0)
  let journal: Journal | undefined
  const opened = () => {
    if (journal !== undefined) return journal
    createSessionsFolder(folder)
    journal = openJournal(file, {
      header: () => ({ type: 'meta', schema_version: 1, ts: now() }),
    })
    return journal
  }
  return {
    id,
    append: (record, receipt) =>
      opened().append({
        ...record,
        ts: now(),
        ...(receipt === undefined ? {} : receiptFields(receipt)),
      }),
    sync: () => journal?.sync(),
    close: () => journal?.close(),
  }
}

/** What the name of a session's file ends with. */
export const sessionExtension = '.jsonl'

export function sessionPath(folder: string, id: string): string {
  return path.join(folder, checkSessionId(id) + sessionExtension)
}

export function checkSessionId(id: string): string {
  if (isSessionId(id)) return id
  throw usageError(`'${id.slice(0, 60)}' cannot be a session id: it becomes a file name`)
}

const maxIdBytes = 200

/** Ids become file names. */
export function isSessionId(id: string): boolean {
  if (id === '' || id === '.' || id === '..') return false
  return Buffer.byteLength(id) <= maxIdBytes && !/[/\\\u0000-\u001f\u007f]/.test(id)
}

function createSessionsFolder(folder: string): void {
  try {
    ensureFolder(folder, 0o700)
  } catch (error) {
    throw fileError('make the folder', folder, error)
  }
}
