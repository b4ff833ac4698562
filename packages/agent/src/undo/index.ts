// The door to what a session did to files: kept before each change, shown, taken back.

export { undoNote } from '../session/rebuild-messages.ts'
export { logChange } from './change-log.ts'
export { unifiedDiff } from './line-diff.ts'
export type { LiveChange, SessionPlaces } from './session-changes.ts'
export { liveChanges, undoSession } from './session-changes.ts'
export { sessionDiff } from './session-diff.ts'
