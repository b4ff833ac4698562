// Goes through all sessions. One that cannot be read is named on stderr and left out: it must not
// keep the others from being looked at.
import { listSessions } from '@zee/agent'
import { ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'

/** How many of them were read, newest first. */
export async function eachSession(
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
      host.stderr.write(`Warning: session '${id}' is left out: ${error.message}\n`)
    }
  }
  return count
}
