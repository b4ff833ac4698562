// The public part of the index. Re-exports only, so that each bundle gets what it uses: the first request loads
// lazy-index.ts, the rest loads when an index is built, and threads load their own part.
export { createLazyIndex } from './lazy-index.ts'
export type { IndexOptions, IndexStats } from './options.ts'
export { serveQueries } from './query/query.ts'
export { serveBuilder } from './refresh/refresh.ts'
export { isSnapshotName, snapshotFacts, snapshotName } from './snapshot/snapshot.ts'
export type { SnapshotFacts } from './snapshot/snapshot.ts'
export { isRacy } from './racy.ts'
