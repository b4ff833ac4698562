// The door to sessions as things to be listed, summed up, copied, named, removed.

export { deleteSession, forkSession, readTitles, renameSession } from './manage-sessions.ts'
export type { SessionSummary } from './session-summary.ts'
export { summarize } from './session-summary.ts'
export { readSessionLines } from './read-session.ts'
