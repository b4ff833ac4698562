// Tells when nothing was heard for some time. Noise costs one assignment, not a timer.
import { maxTimerMs, type Clock } from '@zee/core/clock'

export class SilenceWatch {
  readonly #clock: Clock
  #lastMs = 0
  #timers: NodeJS.Timeout[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  noise(): void {
    this.#lastMs = this.#clock.monotonicMs()
  }

  /** From now on; several may be armed at once. */
  arm(limitMs: number, onSilence: () => void): void {
    this.noise()
    const slot = this.#timers.length
    const look = (): void => {
      const left = limitMs - (this.#clock.monotonicMs() - this.#lastMs)
      if (left <= 0) onSilence()
      else this.#timers[slot] = setTimeout(look, Math.min(left, maxTimerMs))
    }
    look()
  }

  disarm(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers = []
  }
}
