// Shows on a terminal's stderr that something is awaited, and for how long. Nothing elsewhere.
import type { Host } from '@zee/core/exit'

export interface Spinner {
  start(): void
  /** Takes the line away again; harmless when nothing is shown. */
  stop(): void
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const everyMs = 100
/** A quick answer needs no spinner. */
const patienceMs = 300

export function createSpinner(host: Host): Spinner {
  if (host.stderr.isTTY !== true) return { start: () => {}, stop: () => {} }
  let timer: NodeJS.Timeout | undefined
  let shown = false
  return {
    start: () => {
      const startedMs = host.clock.monotonicMs()
      clearInterval(timer)
      timer = setInterval(() => {
        const elapsed = host.clock.monotonicMs() - startedMs
        if (elapsed < patienceMs) return
        const frame = frames[Math.floor(elapsed / everyMs) % frames.length]
        host.stderr.write(`\r${frame} ${(elapsed / 1000).toFixed(1)} s\u001b[K`)
        shown = true
      }, everyMs)
      timer.unref()
    },
    stop: () => {
      clearInterval(timer)
      timer = undefined
      if (shown) host.stderr.write('\r\u001b[K')
      shown = false
    },
  }
}
