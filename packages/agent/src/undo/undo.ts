// The door to what a session did to files: kept before each change, shown, taken back.
import { ZeeError } from '@zee/core/errors'
import type { SessionWriter } from '../session/session.ts'
import type { SessionPaths } from './live-changes.ts'
import { liveChanges, promptBefore } from './live-changes.ts'
import { planRestoration, restore } from './restore.ts'
export { unifiedDiff } from '../diff/diff.ts'
export { undoNote } from '../session/session.ts'
export { logChange } from './change-log.ts'
export type { LiveChange, SessionPaths } from './live-changes.ts'
export { liveChanges } from './live-changes.ts'
export { sessionDiff } from './session-diff.ts'

export interface Undone {
  files: string[]
}

/**
 * Takes back what happened after event `to`, or what the last turn with changes did, and says so in
 * the session.
 */
export async function undoSession(
  places: SessionPaths,
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
  const plan = await planRestoration(places.undo, changes)
  await restore(plan)
  const files = plan.map(({ path }) => path)
  session.append({ type: 'undo', files, undone: changes.map(({ number }) => number) })
  session.sync()
  return { files }
}
