// Measures one attempt of a request, and reports it if it ends without a complete answer although the
// provider may charge it.
import type { ModelEvent, ModelRequest, Usage } from './request.ts'

export interface AttemptMeter {
  /** The request has left this machine. */
  sent(): void
  /** The provider refused the request, or it never arrived: it is not charged. */
  refused(): void
  received(events: readonly ModelEvent[]): void
  /** Reports the attempt to `onAbandoned` unless it was refused or the answer is complete. */
  end(): void
}

export function createAttemptMeter(
  { onAbandoned }: ModelRequest,
  sentBytes: number,
  monotonicMs: () => number,
): AttemptMeter {
  const startedMs = monotonicMs()
  let isCharged = false
  let receivedBytes = 0
  let usage: Usage | undefined
  return {
    sent: () => void (isCharged = true),
    refused: () => void (isCharged = false),
    received(events) {
      isCharged = true
      for (const event of events) {
        if (event.type === 'usage') usage = event.usage
        else if (event.type === 'text' || event.type === 'thinking') {
          receivedBytes += Buffer.byteLength(event.text)
        } else if (event.type === 'tool_call_args') receivedBytes += Buffer.byteLength(event.json)
      }
      if (events.some(({ type }) => type === 'stop')) isCharged = false
    },
    end() {
      if (!isCharged) return
      isCharged = false
      const durationMs = Math.round(monotonicMs() - startedMs)
      onAbandoned?.({ usage, sentBytes, receivedBytes, durationMs })
    },
  }
}
