// What expectations have in common: the observed attempt, a failure, and how to look things up.
import type { ErrorCode } from './codes.ts'
import type { MetricsPass } from './metrics.ts'
import type { FeedbackFile } from './schemas.ts'

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

/** RFC 6901; undefined when there is nothing at that place. */
export function resolvePointer(value: unknown, pointer: string): unknown {
  let at = value
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(at)) at = /^(?:0|[1-9]\d*)$/.test(key) ? at[Number(key)] : undefined
    else if (typeof at === 'object' && at !== null && Object.hasOwn(at, key)) {
      at = (at as Record<string, unknown>)[key]
    } else return undefined
  }
  return at
}
