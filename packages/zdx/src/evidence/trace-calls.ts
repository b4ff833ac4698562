// Leaves evidence of zdx's own tool calls when the environment names an attempt: the tool is `zdx`, the
// operation the name of the tool. Evidence that cannot be written is said once and stops nothing.
import type { CallOutcome, Envelope, Turn } from '@zee/agent'
import { failure } from '@zee/agent'
import { oneLine, reasonOf, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { openAttempt, type OpenAttempt } from '@zee/evidence/recorder'

type Around = NonNullable<Turn['around']>

export interface TracedCalls {
  around?: Around
  /** Why nothing is recorded, if it is not. */
  warning?: string
}

export function traceCalls(host: Host): TracedCalls {
  try {
    const attempt = openAttempt(host.env, { cwd: host.cwd, clock: host.clock })
    return attempt === undefined ? {} : { around: recorder(attempt) }
  } catch (error) {
    return { warning: noEvidence(error) }
  }
}

function recorder(attempt: OpenAttempt): Around {
  let warned = false
  return async ({ name, input }, run) => {
    let result: Envelope | undefined
    try {
      await attempt.trace({ tool: 'zdx', op: name, input }, async (signal) => {
        result = await run(signal)
        if (result.ok) return result.data
        throw new ZeeError(result.error.code, result.error.message)
      })
    } catch (error) {
      const outcome = await settle(error, result, run)
      if (outcome.notice === undefined || warned) return { result: outcome.result }
      warned = true
      return outcome
    }
    return { result: result ?? failure('internal', 'The tool gave no result') }
  }
}

/** What a call comes to when the tool failed, the attempt is over, or the evidence was not written. */
async function settle(
  error: unknown,
  result: Envelope | undefined,
  run: () => Promise<Envelope>,
): Promise<CallOutcome> {
  const code = error instanceof ZeeError ? error.code : undefined
  if (result?.ok === false && code === result.error.code) return { result }
  if (result === undefined && code === 'ZCL_E_TIMEOUT') {
    return { result: failure('timeout', reasonOf(error)) }
  }
  return { result: result ?? (await run()), notice: noEvidence(error) }
}

function noEvidence(error: unknown): string {
  return `no evidence is recorded: ${oneLine(reasonOf(error))}`
}
