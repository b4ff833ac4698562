// The time of a request: since when it runs, and what is left until the deadline that the client set.
import type { Engine, RequestTime } from '../engine.ts'
import { optionalNumber } from './arguments.ts'
import type { Arguments } from './arguments.ts'

export function requestTime(engine: Engine, args: Arguments): RequestTime {
  const { began } = engine
  const deadline = optionalNumber(args, 'deadline_ms')
  const elapsedMs = (): number => engine.monotonicMs() - began
  return {
    elapsedMs,
    leftMs: () => (deadline === undefined ? Infinity : deadline - elapsedMs()),
    hasDeadline: deadline !== undefined,
  }
}
