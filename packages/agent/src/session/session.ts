// Reads a session as messages for a request, or record by record in constant memory.
import { existsSync } from 'node:fs'
import { readJournal, readJournalSync } from '@zee/core/journal'
import type { Message, Usage } from '@zee/llm'
import { elidedLine } from '../envelope/envelope.ts'
import { sessionPath } from './file.ts'
import { rebuildMessages } from './rebuild-messages.ts'
import type { SessionRecord } from './records.ts'
import { parseRecord } from './records.ts'
export { callIdsOf, takeCallId } from './call-ids.ts'
export type { NewRecord, SessionWriter } from './file.ts'
export { checkSessionId, isNotRecorded, openSession, sessionPath } from './file.ts'
export { joinNeighbours } from './join-messages.ts'
export type { SessionEntry } from './list.ts'
export { latestSession, listSessions, sessionsNamed } from './list.ts'
export { metaOf } from './meta.ts'
export { redoNote, undoNote } from './rebuild-messages.ts'
export { usageFields } from './receipt.ts'
export type { Receipt, SessionRecord } from './records.ts'
export { parseRecord } from './records.ts'

/** A record and its line number in the file, counted from 1. */
export interface SessionEvent {
  event: number
  record: SessionRecord
}

/** A session as input for further requests. */
export interface LoadedHistory {
  /** Repaired for a request; empty if the session does not exist. */
  messages: Message[]
  /** Token counts of the latest request. */
  usage: Usage | undefined
}

export function loadHistory(folder: string, id: string): LoadedHistory {
  const file = sessionPath(folder, id)
  const records: SessionRecord[] = []
  const byEvent = new Map<number, SessionRecord>()
  let usage: Usage | undefined
  if (!existsSync(file)) return { messages: [], usage }
  readJournalSync(file, ({ record, line }) => {
    const parsed = parseRecord(record)
    if (parsed === undefined) return
    records.push(parsed)
    if (parsed.type === 'tool_result') byEvent.set(line, parsed)
    if ('receipt' in parsed) usage = parsed.receipt?.usage ?? usage
  })
  return { messages: rebuildMessages(records, elidedLines(records, byEvent)), usage }
}

function elidedLines(
  records: readonly SessionRecord[],
  byEvent: ReadonlyMap<number, SessionRecord>,
): Map<SessionRecord, string> {
  const lines = new Map<SessionRecord, string>()
  const events = records.flatMap((record) => (record.type === 'elided' ? record.events : []))
  if (events.length === 0) return lines
  const calls = new Map(
    records.flatMap((record) => (record.type === 'tool_use' ? [[record.id, record] as const] : [])),
  )
  for (const event of events) {
    const record = byEvent.get(event)
    if (record?.type !== 'tool_result') continue
    const call = calls.get(record.tool_use_id)
    const { name: tool = 'unknown', input = {} } = call ?? {}
    lines.set(record, elidedLine({ event, tool, input, output: record.output }))
  }
  return lines
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
