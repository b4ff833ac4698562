// The hash chain over a trace: each line names the hash of the line before it, so that an edit, a
// removal or an insertion shows later, and which line it was.

/** SHA-256 of a line's bytes without its newline, in hex. */
export function lineHash(line: Uint8Array): string {
  // Loaded on first use: `zcl run` can then wait for its command while it loads.
  return process.getBuiltinModule('node:crypto').hash('sha256', line)
}

/** What the first line of a trace carries: the hash of nothing. */
export const chainStart = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
