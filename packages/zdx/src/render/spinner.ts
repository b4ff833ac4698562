// A spinner with the elapsed time on stderr; does nothing when stderr is not a terminal.
import type { Host } from '@zee/core/exit'

export interface Spinner {
  start(): void
  /** Clears the line; safe to call at any time. */
  stop(): void
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const frameMs = 100
/** Keeps fast answers free of flicker. */
const showAfterMs = 300

export function createSpinner(host: Host): Spinner {
  if (host.stderr.isTTY !== true) return { start: () => {}, stop: () => {} }
  let timer: NodeJS.Timeout | undefined
  let isShown = false
  return {
    start: () => {
      const startedMs = host.clock.monotonicMs()
      clearInterval(timer)
      timer = setInterval(() => {
        const elapsed = host.clock.monotonicMs() - startedMs
        if (elapsed < showAfterMs) return
        const frame = frames[Math.floor(elapsed / frameMs) % frames.length]
        host.stderr.write(`\r${frame} ${(elapsed / 1000).toFixed(1)} s\u001b[K`)
        isShown = true
      }, frameMs)
      timer.unref()
    },
    stop: () => {
      clearInterval(timer)
      timer = undefined
      if (isShown) host.stderr.write('\r\u001b[K')
      isShown = false
    },
  }
}
