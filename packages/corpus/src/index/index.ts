// The door to the index. Only re-exports, so that a bundler takes what is used: the code that decides when an index
// is made is in the first answer, everything behind it is loaded later, and threads load their own part.
export { createLazyIndex } from './lazy-index.ts'
export type { IndexOptions, IndexStats } from './options.ts'
export { serveQueries } from './query/query.ts'
export { serveBuilder } from './refresh/refresh.ts'
export { isSnapshotName, snapshotFacts, snapshotName } from './snapshot/snapshot.ts'
export type { SnapshotFacts } from './snapshot/snapshot.ts'
