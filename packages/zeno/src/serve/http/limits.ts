// Limits of each client of the HTTP server: requests at a time, size of a body, and idle time.

export interface HttpLimits {
  /** Requests of one client that run at the same time. */
  concurrency: number
  /** Bytes of one request. */
  maxBody: number
  /** Seconds after which an idle connection, or one whose client does not read, is closed. */
  idle: number
}

export const defaultLimits: HttpLimits = { concurrency: 16, maxBody: 1_000_000, idle: 60 }

/** Requests of one client that wait, for each that may run. */
const waitingPerRunning = 64

/** Lets a number of requests run and the others wait in order. */
export class Slots {
  readonly #size: number
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(size: number) {
    this.#size = size
  }

  /** No further request may wait. */
  get isFull(): boolean {
    return this.#waiting.length >= this.#size * waitingPerRunning
  }

  async run<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#running < this.#size) this.#running++
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      // The slot goes to the next request.
      if (next === undefined) this.#running--
      else next()
    }
  }
}
