// Waits for the end of a listening proxy: a signal, the attempt's deadline, or a reason of the proxy.
import { armDeadline } from './attempt.ts'

export type ServingEnd = 'signal' | 'deadline' | 'idle' | 'limit' | 'done'

export interface Serving {
  ended: Promise<ServingEnd>
  end(why: ServingEnd): void
  /** Restores the default signal handling and disarms the deadline. */
  release(): void
}

const signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

export function serveUntilEnd(leftMs: number | undefined): Serving {
  let end: (why: ServingEnd) => void = () => {}
  const ended = new Promise<ServingEnd>((resolve) => {
    end = resolve
  })
  const onSignal = (): void => end('signal')
  for (const signal of signals) process.on(signal, onSignal)
  const disarm = armDeadline(leftMs, () => end('deadline'))
  return {
    ended,
    end: (why) => end(why),
    release() {
      disarm()
      for (const signal of signals) process.off(signal, onSignal)
    },
  }
}
