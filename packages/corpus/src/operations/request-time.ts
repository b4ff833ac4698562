// Elapsed time of a request, and the time that remains until the client's `deadline_ms`.
import { ZeeError } from '@zee/core/errors'
import type { Engine, RequestTime } from '../engine.ts'
import { optionalNumber } from './arguments.ts'
import type { Arguments } from './arguments.ts'

/** Time limit for reading one file without `deadline_ms`: about 10 GB from the page cache. */
const maxReadMs = 10_000

export function requestTime(engine: Engine, args: Arguments): RequestTime {
  const { startedMs } = engine
  const deadline = optionalNumber(args, 'deadline_ms')
  const elapsedMs = (): number => engine.monotonicMs() - startedMs
  return {
    elapsedMs,
    remainingMs: () => (deadline === undefined ? Infinity : deadline - elapsedMs()),
    hasDeadline: deadline !== undefined,
    startFile: () => {
      const limit = deadline ?? elapsedMs() + maxReadMs
      return () => {
        if (elapsedMs() <= limit) return
        const ms = deadline ?? maxReadMs
        const advice = 'read it by start_byte and end_byte'
        throw new ZeeError('timed_out', `reading the file timed out after ${ms} ms: ${advice}`)
      }
    },
  }
}
