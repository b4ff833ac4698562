// Reads a session as messages for a request, or record by record in constant memory.
import { existsSync } from 'node:fs'
import { readJournal, readJournalSync } from '@zee/core/journal'
import type { Message } from '@zee/llm'
import { sessionPath } from './file.ts'
import { rebuildMessages } from './rebuild-messages.ts'
import type { SessionRecord } from './records.ts'
import { parseRecord } from './records.ts'
export type { NewRecord, SessionWriter } from './file.ts'
export { checkSessionId, isNotRecorded, openSession, sessionPath } from './file.ts'
export { joinNeighbours } from './join-messages.ts'
export type { SessionEntry } from './list.ts'
export { latestSession, listSessions, sessionsNamed } from './list.ts'
export { belongsTo, metaOf, readMeta } from './meta.ts'
export { undoNote } from './rebuild-messages.ts'
export { usageFields } from './receipt.ts'
export type { Receipt, SessionRecord } from './records.ts'
export { parseRecord } from './records.ts'

/** A record and its line number in the file, counted from 1. */
export interface SessionEvent {
  event: number
  record: SessionRecord
}

/** The messages of a session, repaired for a request; empty if the session does not exist. */
export function loadMessages(folder: string, id: string): Message[] {
  const file = sessionPath(folder, id)
  const records: SessionRecord[] = []
  if (!existsSync(file)) return []
  readJournalSync(file, ({ record }) => {
    const parsed = parseRecord(record)
    if (parsed !== undefined) records.push(parsed)
  })
  return rebuildMessages(records)
}

/** Yields the records of a session in constant memory; nothing if the session does not exist. */
export async function* readSession(folder: string, id: string): AsyncGenerator<SessionEvent> {
  const file = sessionPath(folder, id)
  if (!existsSync(file)) return
  for await (const { record, line } of readJournal(file)) {
    const parsed = parseRecord(record)
    if (parsed !== undefined) yield { event: line, record: parsed }
  }
}

/** Yields the lines of a session unchanged, with fields and types of later versions. */
export async function* readSessionLines(
  folder: string,
  id: string,
): AsyncGenerator<{ event: number; line: Readonly<Record<string, unknown>> }> {
  const file = sessionPath(folder, id)
  if (!existsSync(file)) return
  for await (const { record, line } of readJournal(file)) yield { event: line, line: record }
}
