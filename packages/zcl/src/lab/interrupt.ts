// Signal handling for runs: the first signal aborts the running attempts; the rest can be resumed.
import os from 'node:os'
import { forwardedSignals } from '@zee/core/process'

export interface Interrupt {
  readonly signal: AbortSignal
  /** The first signal received, if any. */
  readonly received: () => NodeJS.Signals | undefined
  detach(): void
}

/** Installs the handlers; `detach` removes them. */
export function catchInterrupts(): Interrupt {
  const abort = new AbortController()
  let received: NodeJS.Signals | undefined
  const onSignal = (signal: NodeJS.Signals): void => {
    received ??= signal
    abort.abort()
  }
  for (const signal of forwardedSignals) process.on(signal, onSignal)
  return {
    signal: abort.signal,
    received: () => received,
    detach() {
      for (const signal of forwardedSignals) process.off(signal, onSignal)
    },
  }
}

/** 128 plus the signal number, as shells report it. */
export function interruptedExitCode(signal: NodeJS.Signals): number {
  return 128 + os.constants.signals[signal]
}

/** 0 unless a signal was received. */
export function interruptExitCode(interrupt: Interrupt): number {
  const signal = interrupt.received()
  return signal === undefined ? 0 : interruptedExitCode(signal)
}
