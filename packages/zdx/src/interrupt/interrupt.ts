// Signals that end a turn or the program. The first Ctrl+C stops what is going on, a second one
// leaves at once, and takes along what the first one had not ended yet.
import { ZeeError } from '@zee/core/errors'
import { constants } from 'node:os'

export interface Interrupts {
  /** Fires on the first signal; a chat asks for a fresh one for every turn. */
  readonly signal: AbortSignal
  /** What the program exits with, once a signal came. */
  exitCode(): number | undefined
  /** Forgets an interrupt that a chat has dealt with. */
  reset(): void
  /** A command that must not outlive the program. */
  watch(command: Command): void
  stop(): void
}

interface Command {
  kill(signal: NodeJS.Signals): boolean
}

type Ending = 'SIGINT' | 'SIGTERM' | 'SIGHUP'
const endings: readonly Ending[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

export function listenForInterrupts(): Interrupts {
  let controller = new AbortController()
  let received: Ending | undefined
  let command: Command | undefined
  const onSignal = (signal: Ending) => {
    if (received !== undefined) {
      command?.kill('SIGKILL')
      process.exit(exitCodeOf(signal))
    }
    received = signal
    controller.abort()
  }
  for (const signal of endings) process.on(signal, onSignal)
  return {
    get signal() {
      return controller.signal
    },
    exitCode: () => (received === undefined ? undefined : exitCodeOf(received)),
    reset: () => {
      received = undefined
      controller = new AbortController()
    },
    watch: (started) => {
      command = started
    },
    stop: () => {
      for (const signal of endings) process.removeListener(signal, onSignal)
    },
  }
}

function exitCodeOf(signal: Ending): number {
  return 128 + constants.signals[signal]
}

/** Work outside of a turn that an interrupt ends; the interrupt comes out as an error with its exit code. */
export async function interruptible<T>(
  interrupts: Pick<Interrupts, 'exitCode'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const exitCode = interrupts.exitCode()
    if (exitCode === undefined) throw error
    throw new ZeeError('interrupted', '^C Interrupted.', { exitCode })
  }
}

export function isInterrupt(error: unknown): error is ZeeError {
  return error instanceof ZeeError && error.code === 'interrupted'
}
