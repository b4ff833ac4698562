// Relates the change log of a session to its events: which changes are not undone, and which turn made
// them.
import { existsSync } from 'node:fs'
import { readJournalSync } from '@zee/core/journal'
import type { SessionRecord } from '../session/session.ts'
import { sessionPath, parseRecord } from '../session/session.ts'
import type { ChangeRecord } from './change-log.ts'
import { readChanges } from './change-log.ts'

/** A change that is not undone, and the event (line number in the session file) of its call. */
export interface LiveChange extends ChangeRecord {
  event: number
}

export interface SessionPaths {
  sessions: string
  /** The folder of this session's change log. */
  undo: string
  id: string
  /** The environment of git. */
  env: Readonly<Record<string, string | undefined>>
}

/** The changes that are not undone, oldest first. */
export function liveChanges(paths: SessionPaths): LiveChange[] {
  const { calls, undone } = readEvents(paths)
  const firstCalls = new Map([...calls].map(([id, same]) => [id, same[0]?.event]))
  return readChanges(paths.undo)
    .map((change) => ({ ...change, event: eventOf(change, calls, firstCalls) }))
    .filter(({ number }) => !undone.has(number))
}

/** The shell changes of a turn belong to the call before which the snapshot was taken. */
function eventOf(
  change: ChangeRecord,
  calls: Map<string, Call[]>,
  firstCalls: ReadonlyMap<string, number | undefined>,
): number {
  if (change.tool !== 'bash') return findEvent(change, calls)
  return firstCalls.get(change.callId) ?? Number.MAX_SAFE_INTEGER
}

interface Events {
  /** Calls by id, in order; some models reuse ids within a turn or in later turns. */
  calls: Map<string, Call[]>
  prompts: number[]
  undone: Set<number>
}

interface Call {
  event: number
  tool: string
  /** Undefined without a result. */
  ok?: boolean
}

function readEvents({ sessions, id }: SessionPaths): Events {
  const events: Events = { calls: new Map(), prompts: [], undone: new Set() }
  const file = sessionPath(sessions, id)
  if (!existsSync(file)) return events
  readJournalSync(file, ({ record, line }) => {
    const parsed = parseRecord(record)
    if (parsed?.type === 'tool_use') {
      const call = { event: line, tool: parsed.name }
      const same = events.calls.get(parsed.id)
      if (same === undefined) events.calls.set(parsed.id, [call])
      else same.push(call)
    } else if (parsed?.type === 'tool_result') {
      const answered = events.calls.get(parsed.tool_use_id)?.find(({ ok }) => ok === undefined)
      if (answered !== undefined) answered.ok = parsed.ok
    } else if (isPrompt(parsed)) {
      events.prompts.push(line)
    } else if (parsed?.type === 'undo') {
      for (const number of parsed.undone) events.undone.add(number)
    } else if (parsed?.type === 'redo') {
      for (const number of parsed.redone) events.undone.delete(number)
    }
  })
  return events
}

function isPrompt(record: SessionRecord | undefined): boolean {
  return record?.type === 'message' && record.role === 'user' && record.steered !== true
}

/** The event of the next successful call with the change's id; a call makes at most one change. */
function findEvent({ callId, tool }: ChangeRecord, calls: Map<string, Call[]>): number {
  const same = calls.get(callId) ?? []
  const index = same.findIndex((call) => call.tool === tool && call.ok !== false)
  const [call] = same.splice(0, index + 1).slice(-1)
  return call?.event ?? Number.MAX_SAFE_INTEGER
}

/** The event of the last user message before `event`, or 0. */
export function promptBefore(paths: SessionPaths, event: number): number {
  return readEvents(paths).prompts.findLast((prompt) => prompt < event) ?? 0
}
