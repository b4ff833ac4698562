// Appends several events under one lock with one flush. Proxies use it, because they may see more
// calls per second than a disk can flush. Loads Node built-ins only.
import path from 'node:path'
import { AppendError, lockedAppend } from '@zee/core/journal'
import { chainStart, lineHash } from '@zee/core/chain'
import { artifactName } from '../layout/layout.ts'
import { isTornLine } from './torn-line.ts'
import type { TraceEvent } from './trace.ts'
import { announceWrite } from './witness.ts'

export interface BatchResult {
  /** Number of events in the trace, counted from the first event. */
  appended: number
  /** Why the other events are not in the trace, or why they may not be. */
  failure?: unknown
}

/** Appends the events in order; they are on disk if the result has no failure. */
export async function appendTraceEvents(
  folder: string,
  events: readonly TraceEvent[],
): Promise<BatchResult> {
  if (events.length === 0) return { appended: 0 }
  const file = path.join(folder, artifactName.trace)
  const lines = events.map((event) => event.line(''))
  const witnessed = await announceWrite(folder, 'event', lines)
  try {
    await lockedAppend(file, (lastLine, torn) => chainedLines(events, torn ?? lastLine), {
      isOwnTail: (tail) => isTornLine(tail, events[0]?.runId),
    })
    await witnessed.confirm()
    return { appended: events.length }
  } catch (failure) {
    return { appended: failure instanceof AppendError ? failure.appended : 0, failure }
  }
}

function chainedLines(events: readonly TraceEvent[], previous: Buffer | undefined): string[] {
  let hash = previous === undefined ? chainStart : lineHash(previous)
  return events.map((event) => {
    const line = event.line(hash)
    hash = lineHash(Buffer.from(line))
    return line
  })
}
