// Reads git repositories from their files, without running git and without writing: revisions, commits, trees and
// blobs. The object database is read with our own reader (objects/), refs with another (refs/).
export { subjectOf } from './commits.ts'
export type { Commit } from './commits.ts'
export { CommitQueue } from './commit-queue.ts'
export { gitError } from './failure.ts'
export { ByteCache } from './objects/objects.ts'
export { resolveCommit } from './refs/refs.ts'
export { Repository } from './repository.ts'
export type { TreeEntry } from './trees.ts'
