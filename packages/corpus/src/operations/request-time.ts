// Elapsed time of a request, and the time that remains until the client's `deadline_ms`.
import type { Engine, RequestTime } from '../engine.ts'
import { optionalNumber } from './arguments.ts'
import type { Arguments } from './arguments.ts'

export function requestTime(engine: Engine, args: Arguments): RequestTime {
  const { startedMs } = engine
  const deadline = optionalNumber(args, 'deadline_ms')
  const elapsedMs = (): number => engine.monotonicMs() - startedMs
  return {
    elapsedMs,
    remainingMs: () => (deadline === undefined ? Infinity : deadline - elapsedMs()),
    hasDeadline: deadline !== undefined,
  }
}
