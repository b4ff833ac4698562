// Iterates over all sessions. An unreadable session is reported on stderr and skipped.
import { listSessions } from '@zee/agent'
import { oneLine, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'

/** Calls `read` for each session, newest first; returns how many it read. */
export async function forEachSession(
  host: Host,
  folder: string,
  read: (id: string) => Promise<void>,
): Promise<number> {
  let count = 0
  for (const { id } of listSessions(folder)) {
    try {
      await read(id)
      count += 1
    } catch (error) {
      if (!(error instanceof ZeeError)) throw error
      host.stderr.write(`Warning: skipped session '${id}': ${oneLine(error.message)}\n`)
    }
  }
  return count
}
