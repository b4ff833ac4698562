// The operations on the history of files. Loaded lazily: most clients never need them.
export { blame } from './blame.ts'
export type { BlameArgs, BlameResult, BlameRow } from './blame.ts'
export { log } from './log.ts'
export type { LogArgs, LogResult, LogRow } from './log.ts'
