// Forwards the signals that a program receives to its child's process group, once each.
import type { SignalTarget } from './types.ts'

export interface SignalForwarder {
  /** Sends all signals received so far to the target, and later ones as they arrive. */
  attach(target: SignalTarget): void
  /** Restores the default behaviour of the signals. */
  detach(): void
  /** All signals received so far, in order. */
  readonly received: readonly NodeJS.Signals[]
}

export const forwardedSignals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Call this before the child starts, so that no signal is lost in between. */
export function forwardSignals(
  signals: readonly NodeJS.Signals[] = forwardedSignals,
): SignalForwarder {
  const received: NodeJS.Signals[] = []
  let target: SignalTarget | undefined
  const onSignal = (signal: NodeJS.Signals): void => {
    received.push(signal)
    target?.kill(signal)
  }
  for (const signal of signals) process.on(signal, onSignal)
  return {
    received,
    attach(next) {
      target = next
      for (const signal of received) next.kill(signal)
    },
    detach() {
      for (const signal of signals) process.off(signal, onSignal)
    },
  }
}
