// The changes of a session in the words of its events: which are still in force, and which belong to
// the last turn.
import { existsSync } from 'node:fs'
import { readJournalSync } from '@zee/core/journal'
import { sessionPath, parseRecord } from '../session/session.ts'
import type { ChangeRecord } from './change-log.ts'
import { readChanges } from './change-log.ts'

/** A change that is in force and the event (line of the session file) whose call made it. */
export interface LiveChange extends ChangeRecord {
  event: number
}

export interface SessionPaths {
  sessions: string
  /** The folder of this session's change log. */
  undo: string
  id: string
}

/** Changes that were not undone yet, oldest first. */
export function liveChanges(places: SessionPaths): LiveChange[] {
  const { calls, undone } = readEvents(places)
  return readChanges(places.undo)
    .map((change) => ({ ...change, event: findEvent(change, calls) }))
    .filter(({ number }) => !undone.has(number))
}

interface Events {
  /** By id, in order: some models repeat ids, within a turn or from one to the next. */
  calls: Map<string, Call[]>
  prompts: number[]
  undone: Set<number>
}

interface Call {
  event: number
  tool: string
  /** Undefined while there is no result. */
  ok?: boolean
}

function readEvents({ sessions, id }: SessionPaths): Events {
  const events: Events = { calls: new Map(), prompts: [], undone: new Set() }
  const file = sessionPath(sessions, id)
  if (!existsSync(file)) return events
  readJournalSync(file, ({ record, line }) => {
    const understood = parseRecord(record)
    if (understood?.type === 'tool_use') {
      const call = { event: line, tool: understood.name }
      const same = events.calls.get(understood.id)
      if (same === undefined) events.calls.set(understood.id, [call])
      else same.push(call)
    } else if (understood?.type === 'tool_result') {
      const answered = events.calls.get(understood.tool_use_id)?.find(({ ok }) => ok === undefined)
      if (answered !== undefined) answered.ok = understood.ok
    } else if (understood?.type === 'message' && understood.role === 'user') {
      events.prompts.push(line)
    } else if (understood?.type === 'undo') {
      for (const number of understood.undone) events.undone.add(number)
    }
  })
  return events
}

/** The next call of the change's id that can have made it; a call makes at most one change. */
function findEvent({ callId, tool }: ChangeRecord, calls: Map<string, Call[]>): number {
  const same = calls.get(callId) ?? []
  const index = same.findIndex((call) => call.tool === tool && call.ok !== false)
  const [call] = index === -1 ? [] : same.splice(0, index + 1).slice(-1)
  return call?.event ?? Number.MAX_SAFE_INTEGER
}

export function promptBefore(places: SessionPaths, event: number): number {
  return readEvents(places).prompts.findLast((prompt) => prompt < event) ?? 0
}
