// Shared by all expectation checks: the observed attempt, a failure, and command lookup.
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
  /** Undefined without traced actions. */
  trace: MetricsPass | undefined
}

export function failure(code: ErrorCode, message: string, path: string): ExpectationFailure {
  return { code, message, path }
}

/** The prefixes that match no command line of the trace. */
export function missingCommands(prefixes: readonly string[], trace: MetricsPass): string[] {
  if (prefixes.length === 0) return []
  const missing = new Set(prefixes)
  for (const argv of trace.commandLines()) {
    for (const prefix of missing) if (startsWithCommand(argv, prefix)) missing.delete(prefix)
  }
  return [...missing]
}

/** Whether the command line starts with `prefix`, with or without the folder of the program. */
export function startsWithCommand(argv: readonly string[], prefix: string): boolean {
  const byName = [argv[0]?.split('/').at(-1) ?? '', ...argv.slice(1)].join(' ')
  return argv.join(' ').startsWith(prefix) || byName.startsWith(prefix)
}
