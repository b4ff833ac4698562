// Options and statistics of an index.
import type { WorkerName } from '../workers/workers.ts'

export interface IndexOptions {
  /** Files that the main thread searches before it starts the query threads; adaptive by default. */
  ownFiles?: number
  /** Memory limit. */
  memoryBytes: number
  threads: number
  /** Longest wait for query threads that start; 500 ms by default. */
  maxStartMs?: number
  /** Part of the memory for contents; the rest is for signatures. 85 % by default. */
  contentBytes?: number
  /** Absolute path outside the root from which the index is restored and to which it is saved. */
  snapshotFile?: string | undefined
  /** False to sweep the tree before each answer instead of watching it. */
  watch?: boolean
  /** Events per turn from which events count as lost; by default from the inotify queue limit. */
  eventLimit?: number
}

export interface IndexSetup extends IndexOptions {
  workerFile(name: WorkerName): string
}

export interface IndexStats {
  state: 'idle' | 'loading' | 'ready' | 'off'
  files: number
  /** Files to read. */
  pending: number
  folders_watched: number
  fresh: 'watch' | 'sweep'
  /** Answered requests. */
  answers: number
  /** Searches that used query threads, and threads that search now. */
  handed_over: number
  searching: number
  memory_bytes: number
  content_bytes: number
  signature_bytes: number
  /** Null without `snapshotFile`. */
  snapshot: SnapshotStats | null
}

export interface SnapshotStats {
  file: string
  /** Restored files that were unchanged. */
  restored: number
  /** Time of the last save by this process, RFC 3339. */
  written: string | null
}
