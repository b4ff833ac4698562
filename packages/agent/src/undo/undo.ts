// Logs, shows and undoes the file changes of a session.
import { reasonOf, ZeeError } from '@zee/core/errors'
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
 * Undoes the changes after event `to`, or without it those of the last turn with changes. Appends an
 * undo record to the session.
 */
export async function undoSession(
  paths: SessionPaths,
  to: number | undefined,
  session: SessionWriter,
): Promise<Undone> {
  const live = liveChanges(paths)
  const last = live.at(-1)
  const since = to ?? (last === undefined ? 0 : promptBefore(paths, last.event))
  const changes = live.filter(({ event }) => event > since)
  if (changes.length === 0) {
    throw new ZeeError('nothing_to_undo', 'there are no changes to undo')
  }
  const plan = await planRestoration(paths.undo, changes)
  await restore(plan)
  const files = plan.map(({ path }) => path)
  try {
    session.append({ type: 'undo', files, undone: changes.map(({ number }) => number) })
    session.sync()
  } catch (error) {
    const message = `restored ${files.length} file(s), but: ${reasonOf(error)}`
    throw new ZeeError('undo_not_recorded', message, { cause: error })
  }
  return { files }
}
