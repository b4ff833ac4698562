// The clock that dates artifacts. Setting `ZCL_NOW` fixes it for reproducible output; actions always use
// the system clock.
import { parseRfc3339, type Clock } from '@zee/core/clock'
import { zclError } from '../errors/errors.ts'

export interface ClockSource {
  env: Readonly<Record<string, string | undefined>>
  clock: Clock
}

/** The time for createdAt, startedAt, computedAt and the age of runs. */
export function recordedNow({ env, clock }: ClockSource): Date {
  const text = env.ZCL_NOW
  if (text === undefined || text === '') return clock.now()
  const fixed = parseRfc3339(text)
  if (fixed === undefined) throw zclError('ZCL_E_USAGE', `ZCL_NOW is not an RFC 3339 time: ${text}`)
  return fixed
}
