// Recognizes the beginning of a line that zcl wrote, after a crash had cut it off: its writer has not
// acknowledged it. Loads Node built-ins only.

/** What every line starts with: version, time and run. */
const lineHead = /^\{"v":1,"ts":"[^"]{1,64}","runId":"([^"]{1,64})"/

/**
 * Whether text after the last newline is a part of such a line, of this run if `runId` is given. After a
 * power loss its bytes may read as zeros. Tails of other writers are not recognized.
 */
export function isTornLine(tail: Buffer, runId?: string): boolean {
  if (tail.every((byte) => byte === 0)) return tail.length > 0
  const head = lineHead.exec(tail.toString('latin1', 0, 160))
  return head !== null && (runId === undefined || head[1] === runId)
}
