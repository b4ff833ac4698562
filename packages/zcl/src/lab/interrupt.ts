// Ctrl+C and kill for a run: the first signal stops what runs and leaves the rest to be resumed.
import os from 'node:os'
import { forwardedSignals } from '@zee/core/process'

export interface Interrupt {
  readonly signal: AbortSignal
  /** The signal that came, if one came. */
  readonly received: () => NodeJS.Signals | undefined
  detach(): void
}

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

/** What a shell expects of a program that a signal ended. */
export function interruptedExitCode(signal: NodeJS.Signals): number {
  return 128 + os.constants.signals[signal]
}

/** 0 unless a signal ended the work. */
export function exitCodeAfter(interrupt: Interrupt): number {
  const signal = interrupt.received()
  return signal === undefined ? 0 : interruptedExitCode(signal)
}
