// Metrics of a result, and flags that a result has only when they are true.

export interface Metrics {
  time_ms: number
  /** Characters, not bytes: code points of everything read, CRLF counted once. */
  bytes_read: number
  files_scanned: number
  /** How the index detects changes; absent without an index. */
  fresh?: 'watch' | 'sweep'
}

/** Has the fields in their fixed order. */
export function metricsOf(time: { elapsedMs(): number }, chars: number, files: number): Metrics {
  return {
    time_ms: Math.max(0, Math.floor(time.elapsedMs())),
    bytes_read: chars,
    files_scanned: files,
  }
}

/** `{ [name]: true }` if the condition holds, else `{}`. */
export function flagIf<Name extends string>(
  name: Name,
  condition: boolean,
): { [Key in Name]?: true } {
  return (condition ? { [name]: true } : {}) as { [Key in Name]?: true }
}
