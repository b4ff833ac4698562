// What expectations have in common: the observed attempt, a failure, and how to look commands up.
import type { ErrorCode } from '../errors/errors.ts'
import type { MetricsPass } from '../summary/summary.ts'
import type { FeedbackFile } from '../schema/schema.ts'

export interface ExpectationFailure {
  code: ErrorCode
  message: string
  path: string
}

export interface ObservedAttempt {
  feedback: FeedbackFile | undefined
  /** Undefined when there is no traced action. */
  trace: MetricsPass | undefined
}

export function failure(code: ErrorCode, message: string, path: string): ExpectationFailure {
  return { code, message, path }
}

/** Those prefixes that no command line of the trace begins with. */
export function missingCommands(prefixes: readonly string[], trace: MetricsPass): string[] {
  if (prefixes.length === 0) return []
  const open = new Set(prefixes)
  for (const argv of trace.commandLines()) {
    for (const prefix of open) if (startsWithCommand(argv, prefix)) open.delete(prefix)
  }
  return [...open]
}

/** The command line as it was typed, or with the bare name of the program. */
export function startsWithCommand(argv: readonly string[], prefix: string): boolean {
  const byName = [argv[0]?.split('/').at(-1) ?? '', ...argv.slice(1)].join(' ')
  return argv.join(' ').startsWith(prefix) || byName.startsWith(prefix)
}
