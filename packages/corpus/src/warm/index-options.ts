// How an index is to be made, and what it says of itself.

export interface IndexOptions {
  /** The bundled `index-worker`. */
  workerPath: string
  /** What the index may take. */
  memoryBytes: number
  threads: number
  /** How much of that contents may take; the rest is for signatures. */
  contentBytes?: number
  /** False to look at everything before each answer instead of being told of changes. */
  watch?: boolean
  /** Events that may come at once before some count as lost; told by the system otherwise. */
  eventLimit?: number
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
  memory_bytes: number
  content_bytes: number
  signature_bytes: number
}
