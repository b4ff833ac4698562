// Hands the signals that a program gets on to its child's group, once each.
import type { SignalTarget } from './types.ts'

export interface SignalForwarder {
  /** From now on signals go there; those that came before follow at once. */
  attach(target: SignalTarget): void
  /** The program has its usual behaviour back. */
  detach(): void
  /** What came so far, in order. */
  readonly received: readonly NodeJS.Signals[]
}

export const forwardedSignals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** To be called before the child starts, so that no signal falls between. */
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
