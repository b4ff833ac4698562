// Starts every child process in zee: own session, deadline and abort for all of its processes, exact
// byte counts in bounded memory, failures as values. Loads Node built-ins only.
import type { ProcessEnd, ProcessResult } from './types.ts'

export { attachSession, bootId, type AttachedSession } from './attached.ts'
export { openPassthrough, type Passthrough } from './passthrough.ts'
export { preparePipes, type PendingPipes } from './pipes.ts'
export { runProcess } from './run.ts'
export { forwardedSignals, forwardSignals, type SignalForwarder } from './signals.ts'
export { startProcess } from './start.ts'
export type {
  ChildEnvironment,
  CommandSpec,
  OutputName,
  ProcessEnd,
  ProcessOutcome,
  ProcessOutput,
  ProcessResult,
  ProcessSpec,
  RunningProcess,
  SignalTarget,
  StartResult,
  StartSpec,
  Stdio,
} from './types.ts'

/** PATH without relative entries, which could name a program of the repository one works in. */
export function absolutePath(searchPath: string | undefined): string {
  return (searchPath ?? '')
    .split(':')
    .filter((folder) => folder.startsWith('/'))
    .join(':')
}

/** The code a shell reports: 128 + N for a signal, 127 not found, 126 not runnable, 124 deadline. */
export function shellExitCode(result: ProcessEnd | ProcessResult): number {
  if ('timedOut' in result && result.timedOut) return 124
  switch (result.outcome) {
    case 'exited':
      return result.exitCode ?? 0
    case 'signalled':
      return 128 + (result.signalNumber ?? 0)
    case 'not_found':
      return 127
    default:
      return 126
  }
}
