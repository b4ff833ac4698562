// Records zdx's tool calls as evidence (`tool: "zdx"`, `op`: the tool's name) inside an attempt. A failed
// write is reported once and does not fail the call.
import type { CallOutcome, Envelope, Turn } from '@zee/agent'
import { failure } from '@zee/agent'
import { oneLine, reasonOf, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { openCurrentAttempt, parentVariable } from '@zee/evidence/recorder'
import type { JsonValue, OpenAttempt } from '@zee/evidence/recorder'

type Around = NonNullable<Turn['around']>

export interface TracedCalls {
  around?: Around
  /** Set when nothing can be recorded. */
  warning?: string
}

export function traceCalls(host: Host): TracedCalls {
  try {
    const attempt = openCurrentAttempt(host.env, { cwd: host.cwd, clock: host.clock })
    return attempt === undefined ? {} : { around: recordAround(attempt) }
  } catch (error) {
    return { warning: evidenceWarning(error) }
  }
}

function recordAround(attempt: OpenAttempt): Around {
  let hasWarned = false
  return async ({ name, input }, run) => {
    let result: Envelope | undefined
    try {
      const call = { tool: 'zdx', op: name, input: input as JsonValue }
      await attempt.trace(call, async (signal, id) => {
        result = await run(signal, { [parentVariable]: id })
        if (result.ok) return result.data
        throw new ZeeError(result.error.code, result.error.message)
      })
    } catch (error) {
      const outcome = await resolveFailedTrace(error, result, run)
      if (outcome.notice === undefined || hasWarned) return { result: outcome.result }
      hasWarned = true
      return outcome
    }
    return { result: result ?? failure('internal', 'The tool returned no result') }
  }
}

/** The outcome of a call whose trace threw: the tool failed, the attempt expired, or the write failed. */
async function resolveFailedTrace(
  error: unknown,
  result: Envelope | undefined,
  run: () => Promise<Envelope>,
): Promise<CallOutcome> {
  const code = error instanceof ZeeError ? error.code : undefined
  if (result?.ok === false && code === result.error.code) return { result }
  if (result === undefined && code === 'ZCL_E_TIMEOUT') {
    return { result: failure('timeout', reasonOf(error)) }
  }
  return { result: result ?? (await run()), notice: evidenceWarning(error) }
}

function evidenceWarning(error: unknown): string {
  return `no evidence is recorded: ${oneLine(reasonOf(error))}`
}
