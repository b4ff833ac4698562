// A session file: a journal whose first line holds the schema version. Records are appended without
// fsync during a turn and synced at its end.
import path from 'node:path'
import type { Clock } from '@zee/core/clock'
import { rfc3339 } from '@zee/core/clock'
import { fileError, usageError } from '@zee/core/errors'
import { ensureDurableFolder } from '@zee/core/folders'
import type { Journal } from '@zee/core/journal'
import { openJournal } from '@zee/core/journal'
import { receiptFields } from './receipt.ts'
import type { Receipt, SessionRecord } from './records.ts'

/** A record without the fields that the writer adds: time stamp and receipt. */
export type NewRecord = SessionRecord extends infer R
  ? R extends SessionRecord
    ? Omit<R, 'ts' | 'receipt'>
    : never
  : never

export interface SessionWriter {
  readonly id: string
  append(record: NewRecord, receipt?: Receipt): void
  /** Flushes all records to disk, so that they survive a power cut. */
  sync(): void
  close(): void
}

/** Opens a session for appending; the first record creates the file. */
export function openSession(folder: string, id: string, clock: Clock): SessionWriter {
  const file = sessionPath(folder, id)
  const now = () => rfc3339(clock.now(), 0)
  let journal: Journal | undefined
  const openedJournal = () => {
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
      openedJournal().append({
        ...record,
        ts: now(),
        ...(receipt && receiptFields(receipt)),
      }),
    sync: () => journal?.sync(),
    close: () => journal?.close(),
  }
}

export const sessionExtension = '.jsonl'

export function sessionPath(folder: string, id: string): string {
  return path.join(folder, checkSessionId(id) + sessionExtension)
}

export function checkSessionId(id: string): string {
  if (isSessionId(id)) return id
  throw usageError(`'${id.slice(0, 60)}' is not a valid session id: it must be a plain file name`)
}

const maxIdBytes = 200

/** Ids must be valid file names. */
export function isSessionId(id: string): boolean {
  if (id === '' || id === '.' || id === '..') return false
  return Buffer.byteLength(id) <= maxIdBytes && !/[/\\\u0000-\u001f\u007f]/.test(id)
}

function createSessionsFolder(folder: string): void {
  try {
    ensureDurableFolder(folder, 0o700)
  } catch (error) {
    throw fileError('create the folder', folder, error)
  }
}
