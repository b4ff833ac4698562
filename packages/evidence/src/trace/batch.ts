// Appends several events under one lock with one flush. Proxies use it, because they may see more
// calls per second than a disk can flush. Loads Node built-ins only.
import path from 'node:path'
import { lockedAppend, openJournal } from '@zee/core/journal'
import { chainStart, lineHash } from '../chain/chain.ts'
import { artifactName } from '../layout/layout.ts'
import type { TraceEvent } from './trace.ts'

export interface BatchResult {
  /** Number of events in the trace, counted from the first event. */
  appended: number
  /** Why the other events are not in the trace. */
  failure?: unknown
}

/** Appends the events in order; they are on disk if the result has no failure. */
export async function appendTraceEvents(
  folder: string,
  events: readonly TraceEvent[],
): Promise<BatchResult> {
  const last = events.at(-1)
  if (last === undefined) return { appended: 0 }
  const file = path.join(folder, artifactName.trace)
  let appended = 0
  const appendAllButLast = (previous: Buffer | undefined): string => {
    let hash = previous === undefined ? chainStart : lineHash(previous)
    // The flush after the last line covers the earlier lines. A new file also needs its name on
    // disk.
    const journal = openJournal(file, { durability: previous === undefined ? 'durable' : 'fast' })
    try {
      for (const event of events.slice(0, -1)) {
        const line = event.line(hash)
        journal.appendLine(line)
        hash = lineHash(Buffer.from(line))
        appended++
      }
    } finally {
      journal.close()
    }
    return hash
  }
  try {
    await lockedAppend(file, (lastLine, torn) => last.line(appendAllButLast(torn ?? lastLine)), {
      durability: 'durable',
    })
    return { appended: events.length }
  } catch (failure) {
    return { appended, failure }
  }
}
