// One session on disk: a journal whose first line says the schema version. Appending is fast during a
// turn and synced at its end.
import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Clock } from '@zee/core/clock'
import { rfc3339 } from '@zee/core/clock'
import { usageError } from '@zee/core/errors'
import type { Journal } from '@zee/core/journal'
import { openJournal, readJournal, readJournalSync } from '@zee/core/journal'
import type { Message } from '@zee/llm'
import { rebuildMessages } from './rebuild-messages.ts'
import type { SessionRecord } from './records.ts'
import { understand } from './records.ts'

/** A record without its time stamp, which the session adds. */
export type NewRecord = SessionRecord extends infer R
  ? R extends SessionRecord
    ? Omit<R, 'ts'>
    : never
  : never

export interface SessionWriter {
  readonly id: string
  append(record: NewRecord): void
  /** Everything written so far survives a power cut from here on. */
  sync(): void
  close(): void
}

/** Opens a session for appending; the file appears with the first record. */
export function openSession(folder: string, id: string, clock: Clock): SessionWriter {
  const now = () => rfc3339(clock.now(), 0)
  let journal: Journal | undefined
  const opened = () => {
    if (journal !== undefined) return journal
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    journal = openJournal(sessionPath(folder, id), {
      header: () => ({ type: 'meta', schema_version: 1, ts: now() }),
    })
    return journal
  }
  return {
    id,
    append: (record) => opened().append({ ...record, ts: now() }),
    sync: () => journal?.sync(),
    close: () => journal?.close(),
  }
}

/** The messages of a session so far, fit to be sent; none when it does not exist yet. */
export function loadMessages(folder: string, id: string): Message[] {
  const file = sessionPath(folder, id)
  const records: SessionRecord[] = []
  if (!existsSync(file)) return []
  readJournalSync(file, ({ record }) => {
    const understood = understand(record)
    if (understood !== undefined) records.push(understood)
  })
  return rebuildMessages(records)
}

/** The records of a session one by one, in constant memory. */
export async function* readSession(folder: string, id: string): AsyncGenerator<SessionRecord> {
  const file = sessionPath(folder, id)
  if (!existsSync(file)) return
  for await (const { record } of readJournal(file)) {
    const understood = understand(record)
    if (understood !== undefined) yield understood
  }
}

export function sessionPath(folder: string, id: string): string {
  return path.join(folder, `${checkSessionId(id)}.jsonl`)
}

/** Ids become file names. */
export function checkSessionId(id: string): string {
  const tooLong = Buffer.byteLength(id) > 200
  if (id === '' || id === '.' || id === '..' || tooLong || /[/\\\0]/.test(id)) {
    throw usageError(`'${id.slice(0, 60)}' cannot be a session id: it becomes a file name`)
  }
  return id
}
