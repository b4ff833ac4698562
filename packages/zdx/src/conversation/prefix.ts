// Stores the segments of every request with its receipt, for `zdx sessions bill`.
import type { SessionWriter } from '@zee/agent'
import type { SystemPart } from '@zee/agent/prefix'
import { PrefixTracker } from '@zee/agent/prefix'
import type { ModelRequest } from '@zee/llm'

export interface TrackedSession {
  /** Writes like the given session; the next receipt carries the segments. */
  session: SessionWriter
  beforeRequest(request: ModelRequest): void
}

export function trackPrefixes(
  session: SessionWriter,
  systemParts: readonly SystemPart[],
): TrackedSession {
  const tracker = new PrefixTracker(systemParts)
  let pending: ReturnType<PrefixTracker['describe']> | undefined
  return {
    session: {
      ...session,
      append: (record, receipt) => {
        if (receipt === undefined || pending === undefined) {
          session.append(record, receipt)
          return
        }
        session.append(record, { ...receipt, prefix: pending.store() })
        pending = undefined
      },
    },
    beforeRequest: (request) => {
      pending = tracker.describe(request)
    },
  }
}
