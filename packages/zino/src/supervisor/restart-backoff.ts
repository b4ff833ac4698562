// How long to wait before a service that ended is started again: hardly at first, longer for one
// that keeps failing, never for good. Time spent up makes good for earlier failures.

const firstPauseMs = 100
const maxPauseMs = 30_000
const stableAfterMs = 60_000

export class RestartBackoff {
  #failures = 0

  /** The pause after an end; `upMs` is how long the service ran. */
  afterExit(upMs: number): number {
    if (upMs >= stableAfterMs) this.#failures = 0
    const pause = Math.min(firstPauseMs * 2 ** this.#failures, maxPauseMs)
    this.#failures += 1
    return pause
  }
}
