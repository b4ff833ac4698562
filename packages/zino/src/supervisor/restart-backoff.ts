// Exponential back-off between restarts of a failing service: 0.1 s, doubling up to 30 s. A run of
// 60 s resets it. A service that was up and is killed from outside does not fail by itself.

const firstPauseMs = 100
const maxPauseMs = 30_000
const stableAfterMs = 60_000

export class RestartBackoff {
  #failures = 0

  /** The pause before the next start; `upMs` is how long the service ran. */
  afterExit(upMs: number, wasKilled: boolean): number {
    if (wasKilled) return firstPauseMs
    if (upMs >= stableAfterMs) this.#failures = 0
    const pause = Math.min(firstPauseMs * 2 ** this.#failures, maxPauseMs)
    this.#failures += 1
    return pause
  }
}
