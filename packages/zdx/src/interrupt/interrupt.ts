// Handles SIGINT, SIGTERM and SIGHUP. The first signal aborts the current work; a second one kills the
// running command and exits at once.
import { ZeeError } from '@zee/core/errors'
import { limitFlush } from '@zee/core/exit'

export interface Interrupts {
  /** Aborted by the first signal. `reset` replaces it, so read it again for every turn. */
  readonly signal: AbortSignal
  /** 128 plus the number of the received signal; undefined before the first signal. */
  exitCode(): number | undefined
  /** Clears a handled interrupt, so that a chat can go on. */
  reset(): void
  /** Sets the running command, which a second signal kills. */
  trackCommand(command: Command): void
  /** Ignores signals of the terminal while `work` runs: another program uses the terminal. */
  whileIgnored<T>(work: () => Promise<T>): Promise<T>
  stop(): void
}

interface Command {
  kill(signal: NodeJS.Signals): boolean
}

type EndSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'
const endSignals: readonly EndSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

export function listenForInterrupts(): Interrupts {
  let controller = new AbortController()
  let received: EndSignal | undefined
  let command: Command | undefined
  let isIgnored = false
  const onSignal = (signal: EndSignal) => {
    if (isIgnored && signal === 'SIGINT') return
    if (received !== undefined) {
      command?.kill('SIGKILL')
      process.exit(exitCodeOf(signal))
    }
    received = signal
    controller.abort()
  }
  for (const signal of endSignals) process.on(signal, onSignal)
  return {
    get signal() {
      return controller.signal
    },
    exitCode: () => (received === undefined ? undefined : exitCodeOf(received)),
    reset: () => {
      received = undefined
      controller = new AbortController()
    },
    trackCommand: (started) => {
      command = started
    },
    whileIgnored: async (work) => {
      isIgnored = true
      try {
        return await work()
      } finally {
        isIgnored = false
      }
    },
    stop: () => {
      if (received !== undefined) limitFlush()
      for (const signal of endSignals) process.removeListener(signal, onSignal)
    },
  }
}

/** Loads `node:os` only for a signal: it slows a start. */
function exitCodeOf(signal: EndSignal): number {
  return 128 + process.getBuiltinModule('node:os').constants.signals[signal]
}

/** Runs `work`; if it fails after an interrupt, throws an `interrupted` error with the exit code instead. */
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
