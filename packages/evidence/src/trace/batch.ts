// Appends several events as one: one lock, one flush, each line chained to the one before it. For
// proxies, which may see more calls in a second than a disk can flush. Loads Node built-ins only.
import path from 'node:path'
import { lockedAppend, openJournal } from '@zee/core/journal'
import { chainStart, lineHash } from '../chain/chain.ts'
import { artifactName } from '../layout/layout.ts'
import type { TraceEvent } from './trace.ts'

export interface BatchResult {
  /** How many of the events are in the trace, from the first one on. */
  appended: number
  /** Why the others are not. */
  failure?: unknown
}

/** In order, under the stream's lock; on disk when it resolves without a failure. */
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
    // The flush behind the last line covers those before it; only a new file needs more, its name.
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
