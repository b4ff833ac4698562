// How an index is to be made, and what it says of itself.
import type { WorkerName } from '../workers/workers.ts'

export interface IndexOptions {
  /** Files that the thread that answers searches before others do; as many as pay by default. */
  ownFiles?: number
  /** What the index may take. */
  memoryBytes: number
  threads: number
  /** How much of that contents may take; the rest is for signatures. */
  contentBytes?: number
  /** A file outside the root that the index begins with and is written to; absolute. */
  snapshotFile?: string | undefined
  /** False to look at everything before each answer instead of being told of changes. */
  watch?: boolean
  /** Events that may come at once before some count as lost; told by the system otherwise. */
  eventLimit?: number
}

export interface IndexSetup extends IndexOptions {
  workerFile(name: WorkerName): string
}

export interface IndexStats {
  state: 'idle' | 'loading' | 'ready' | 'off'
  files: number
  /** Files that are still to be read. */
  pending: number
  folders_watched: number
  fresh: 'watch' | 'sweep'
  /** Requests that it has answered. */
  answers: number
  /** Of these, how many were searched by other threads, and threads that are at it now. */
  handed_over: number
  searching: number
  memory_bytes: number
  content_bytes: number
  signature_bytes: number
  /** Null when there is to be none. */
  snapshot: SnapshotStats | null
}

export interface SnapshotStats {
  file: string
  /** Files that were taken over from it and were still the same. */
  restored: number
  /** When it was last written by this process, RFC 3339. */
  written: string | null
}
