// Detects that nothing happened for some time. `touch` costs one assignment instead of a new timer.
import { maxTimerMs, type Clock } from '@zee/core/clock'

export class IdleTimer {
  readonly #clock: Clock
  #lastMs = 0
  #timers: NodeJS.Timeout[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  touch(): void {
    this.#lastMs = this.#clock.monotonicMs()
  }

  /** Calls `onIdle` after `limitMs` without a touch; several limits may be armed at once. */
  arm(limitMs: number, onIdle: () => void): void {
    this.touch()
    const slot = this.#timers.length
    const look = (): void => {
      const leftMs = limitMs - (this.#clock.monotonicMs() - this.#lastMs)
      if (leftMs <= 0) onIdle()
      else this.#timers[slot] = setTimeout(look, Math.min(leftMs, maxTimerMs))
    }
    look()
  }

  disarm(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers = []
  }
}
