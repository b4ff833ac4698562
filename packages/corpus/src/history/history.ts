// The history of files: commits that changed a path or a text, and the commit of each line.
export { blame } from './blame.ts'
export type { BlamedLines } from './blame.ts'
export { logOf } from './log.ts'
export { treeChanges } from './tree-changes.ts'
