// A session file: a journal whose first line holds the schema version. Records are appended without
// fsync during a turn and synced at its end.
import path from 'node:path'
import type { Clock } from '@zee/core/clock'
import { rfc3339 } from '@zee/core/clock'
import { fileError, reasonOf, UncertainError, usageError, ZeeError } from '@zee/core/errors'
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
  /** Throws `not_recorded`; then no reader sees the record. */
  append(record: NewRecord, receipt?: Receipt): void
  /** Flushes all records to disk, so that they survive a power cut. Throws `may_not_be_recorded`. */
  sync(): void
  /** Throws `may_not_be_recorded`. */
  close(): void
}

/** Further fields for the meta line of a new session. */
export interface NewSessionMeta {
  /** The canonical path of the project. */
  root?: string
  /** The canonical working folder, if it is not the project. */
  cwd?: string
  /** The session that a handoff continues. */
  parent?: string | undefined
}

/** Opens a session for appending; the first record creates the file. `isNewName`: the id is a new one. */
export function openSession(
  folder: string,
  id: string,
  clock: Clock,
  meta: NewSessionMeta = {},
  isNewName = false,
): SessionWriter {
  const file = sessionPath(folder, id)
  const now = () => rfc3339(clock.now(), 0)
  let journal: Journal | undefined
  const openedJournal = () => {
    if (journal !== undefined) return journal
    createSessionsFolder(folder)
    journal = openJournal(file, {
      header: () => ({ type: 'meta', schema_version: 1, ts: now(), ...meta }),
      isNewName,
    })
    return journal
  }
  return {
    id,
    append: (record, receipt) =>
      orThrow('not_recorded', () =>
        openedJournal().append({
          ...record,
          ts: now(),
          ...(receipt && receiptFields(receipt)),
        }),
      ),
    sync: () => orThrow('may_not_be_recorded', () => journal?.sync()),
    close: () => orThrow('may_not_be_recorded', () => journal?.close()),
  }
}

type RecordFailure = 'not_recorded' | 'may_not_be_recorded'

const failureWords: Readonly<Record<RecordFailure, string>> = {
  not_recorded: 'not recorded in the session',
  may_not_be_recorded: 'the session may not be recorded',
}

function orThrow(failure: RecordFailure, work: () => void): void {
  try {
    work()
  } catch (error) {
    const code = error instanceof UncertainError ? 'may_not_be_recorded' : failure
    throw new ZeeError(code, `${failureWords[code]}: ${reasonOf(error)}`, { cause: error })
  }
}

/** Whether the error says that a record could not be written to the session. */
export function isNotRecorded(error: unknown): boolean {
  return error instanceof ZeeError && error.code === 'not_recorded'
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
