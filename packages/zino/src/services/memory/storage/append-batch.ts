// Groups pending appends to one file into batches of bounded size (group commit).

export interface PendingAppend {
  texts: readonly string[]
  /** Receives the offset of each text in the file. */
  resolve(starts: number[]): void
  reject(error: unknown): void
}

/** The longest prefix of `pending` that fits into `maxBytes`, at least one append. */
export function takeBatch(
  pending: readonly PendingAppend[],
  maxBytes: number,
): { batch: PendingAppend[]; rest: PendingAppend[] } {
  let bytes = 0
  let count = 0
  for (const { texts } of pending) {
    // Four separator bytes per element, and a few at the end.
    bytes += texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 8, 0)
    if (count > 0 && bytes > maxBytes) break
    count += 1
  }
  return { batch: pending.slice(0, count), rest: pending.slice(count) }
}
