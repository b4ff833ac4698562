// The gate of a proxy with many connections: what they have open counts together, and the limit of tool
// calls is one for all of them.
import type { ProxyLimits } from '../limits.ts'
import { RequestGate, type GatedMessage } from '../request-gate.ts'

/** What is in flight when the limit is hit may still be answered for so long. */
const limitGraceMs = 10_000

export class NetworkGate {
  readonly #gate: RequestGate
  readonly #onLimit: () => void
  /** What each connection or request under way has open. */
  readonly #open = new Set<() => number>()
  #timer: NodeJS.Timeout | undefined

  constructor(limits: ProxyLimits, onLimit: () => void) {
    this.#onLimit = onLimit
    this.#gate = new RequestGate(limits, {
      pendingRequests: () => this.#pendingRequests(),
      refuse: () => {
        this.#timer = setTimeout(onLimit, limitGraceMs)
        this.answered()
      },
    })
  }

  take(message: GatedMessage): void {
    this.#gate.take(message)
  }

  /** Something that can have requests open has begun; returns what to call at its end. */
  join(pendingRequests: () => number): () => void {
    this.#open.add(pendingRequests)
    return () => {
      if (this.#open.delete(pendingRequests)) this.answered()
    }
  }

  /** Something was answered, or never will be. */
  answered(): void {
    this.#gate.release()
    if (this.#timer !== undefined && this.#pendingRequests() === 0) this.#onLimit()
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  #pendingRequests(): number {
    let sum = 0
    for (const open of this.#open) sum += open()
    return sum
  }
}
