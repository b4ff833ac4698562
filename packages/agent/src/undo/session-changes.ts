// The changes of a session in the words of its events: which are still in force, which belong to the
// last turn, and the way back.
import { existsSync } from 'node:fs'
import { readJournalSync } from '@zee/core/journal'
import { ZeeError } from '@zee/core/errors'
import { understand } from '../session/records.ts'
import type { SessionWriter } from '../session/session-file.ts'
import { sessionPath } from '../session/session-file.ts'
import type { ChangeRecord } from './change-log.ts'
import { readChanges } from './change-log.ts'
import { planUndo, restore } from './undo-changes.ts'

/** A change that is in force and the event (line of the session file) whose call made it. */
export interface LiveChange extends ChangeRecord {
  event: number
}

export interface SessionPlaces {
  sessions: string
  /** The folder of this session's change log. */
  undo: string
  id: string
}

export interface Undone {
  files: string[]
}

/** Changes that were not undone yet, oldest first. */
export function liveChanges(places: SessionPlaces): LiveChange[] {
  const { calls, undone } = eventsOf(places)
  return readChanges(places.undo)
    .map((change) => ({ ...change, event: eventOf(change, calls) }))
    .filter(({ number }) => !undone.has(number))
}

/**
 * Takes back what happened after event `to`, or what the last turn with changes did, and says so in
 * the session.
 */
export async function undoSession(
  places: SessionPlaces,
  to: number | undefined,
  session: SessionWriter,
): Promise<Undone> {
  const live = liveChanges(places)
  const last = live.at(-1)
  const since = to ?? (last === undefined ? 0 : promptBefore(places, last.event))
  const changes = live.filter(({ event }) => event > since)
  if (changes.length === 0) {
    throw new ZeeError('nothing_to_undo', 'there are no changes to undo')
  }
  const plan = await planUndo(places.undo, changes)
  await restore(plan)
  const files = plan.map(({ path }) => path)
  session.append({ type: 'undo', files, undone: changes.map(({ number }) => number) })
  session.sync()
  return { files }
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

function eventsOf({ sessions, id }: SessionPlaces): Events {
  const events: Events = { calls: new Map(), prompts: [], undone: new Set() }
  const file = sessionPath(sessions, id)
  if (!existsSync(file)) return events
  readJournalSync(file, ({ record, line }) => {
    const understood = understand(record)
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
function eventOf({ callId, tool }: ChangeRecord, calls: Map<string, Call[]>): number {
  const same = calls.get(callId) ?? []
  const index = same.findIndex((call) => call.tool === tool && call.ok !== false)
  const [call] = index === -1 ? [] : same.splice(0, index + 1).slice(-1)
  return call?.event ?? Number.MAX_SAFE_INTEGER
}

function promptBefore(places: SessionPlaces, event: number): number {
  return eventsOf(places).prompts.findLast((prompt) => prompt < event) ?? 0
}
