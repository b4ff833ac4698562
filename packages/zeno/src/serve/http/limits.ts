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
/** Half of the time after which MCP clients give up: a refusal in time is worth more than an answer that is too late. */
const maxWaitMs = 30_000

/** Lets a number of requests run and the others wait in order. */
export class Slots {
  readonly #size: number
  readonly #maxWaitMs: number
  #running = 0
  readonly #waiting = new Set<() => void>()

  constructor(size: number, waitMs = maxWaitMs) {
    this.#size = size
    this.#maxWaitMs = waitMs
  }

  /** No further request may wait. */
  get isFull(): boolean {
    return this.#waiting.size >= this.#size * waitingPerRunning
  }

  /** Runs the work in its turn. False if the turn did not come in time. */
  async run(work: () => Promise<void>): Promise<boolean> {
    if (this.#running < this.#size) this.#running++
    else if (!(await this.#waitForTurn())) return false
    try {
      await work()
      return true
    } finally {
      const [next] = this.#waiting
      // The slot goes to the next request.
      if (next === undefined) this.#running--
      else next()
    }
  }

  #waitForTurn(): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isTurn: boolean): void => {
        clearTimeout(timer)
        this.#waiting.delete(turn)
        resolve(isTurn)
      }
      const turn = (): void => end(true)
      const timer = setTimeout(() => end(false), this.#maxWaitMs)
      this.#waiting.add(turn)
    })
  }
}
