// What an answer says about the work it took, and marks that are only there when they hold.

export interface Metrics {
  time_ms: number
  /** Characters, not bytes: code points of everything read, a CRLF counting once. */
  bytes_read: number
  files_scanned: number
  /** How the index is kept true to the disk, where there is to be one. */
  fresh?: 'watch' | 'sweep'
}

/** The fields in their fixed order. */
export function metricsOf(time: { elapsedMs(): number }, chars: number, files: number): Metrics {
  return {
    time_ms: Math.max(0, Math.floor(time.elapsedMs())),
    bytes_read: chars,
    files_scanned: files,
  }
}

/** `{name: true}` when it holds and nothing otherwise. */
export function mark<Name extends string>(name: Name, holds: boolean): { [Key in Name]?: true } {
  return (holds ? { [name]: true } : {}) as { [Key in Name]?: true }
}
