// Appends to one file that came while it was busy are written together, up to a size.

export interface PendingAppend {
  texts: readonly string[]
  /** Gets where each text begins in the file. */
  resolve(starts: number[]): void
  reject(error: unknown): void
}

/** As many as fit into `mostBytes`, at least one, in their order. */
export function takeBatch(
  waiting: readonly PendingAppend[],
  mostBytes: number,
): { batch: PendingAppend[]; rest: PendingAppend[] } {
  let bytes = 0
  let count = 0
  for (const { texts } of waiting) {
    // Four bytes stand between two elements, and a few more at the end.
    bytes += texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 8, 0)
    if (count > 0 && bytes > mostBytes) break
    count += 1
  }
  return { batch: waiting.slice(0, count), rest: waiting.slice(count) }
}
