// The gate of a network proxy: pending requests and tool calls count over all connections together.
import type { ProxyLimits } from '../limits.ts'
import { RequestGate, type GatedMessage } from '../request-gate.ts'

/** Time for pending requests to be answered after the limit of tool calls is hit. */
const limitGraceMs = 10_000

export class NetworkGate {
  readonly #gate: RequestGate
  readonly #onLimit: () => void
  /** Counters of pending requests, one per connection or active request. */
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

  /** Adds a counter of pending requests; returns a function that removes it. */
  join(pendingRequests: () => number): () => void {
    this.#open.add(pendingRequests)
    return () => {
      if (this.#open.delete(pendingRequests)) this.answered()
    }
  }

  /** Call after a request is answered or abandoned. */
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
