// Long work in steps. An operation is a generator that yields between files and blocks; the runner lets
// the event loop turn every few milliseconds, so that a scan of a large tree never blocks a server.
import { ZeeError } from '@zee/core/errors'

/** Yields nothing for "I may be paused here", or a promise to wait for (see `wait`). */
export type Steps<T> = Generator<Promise<unknown> | undefined | void, T, unknown>

export interface Pace {
  monotonicMs(): number
  signal?: AbortSignal | undefined
  /** How long work may go on before the event loop gets its turn. */
  sliceMs?: number
}

/** Runs the steps to their end. An abort ends them at the next step, with their cleanup done. */
export async function runSteps<T>(steps: Steps<T>, pace: Pace): Promise<T> {
  const sliceMs = pace.sliceMs ?? 8
  let sliceEnd = pace.monotonicMs() + sliceMs
  let step = steps.next()
  try {
    while (!step.done) {
      if (step.value === undefined) {
        if (pace.monotonicMs() >= sliceEnd) {
          await nextTurn()
          sliceEnd = pace.monotonicMs() + sliceMs
        }
        if (pace.signal?.aborted) throw new ZeeError('aborted', 'the request was cancelled')
        step = steps.next()
      } else {
        const value = await settled(step.value)
        sliceEnd = pace.monotonicMs() + sliceMs
        step = 'error' in value ? steps.throw(value.error) : steps.next(value.result)
      }
    }
    return step.value
  } finally {
    if (!step.done) steps.return(undefined as never)
  }
}

/** Inside steps: waits for a promise and gives its value. */
export function* wait<T>(promise: Promise<T>): Steps<T> {
  return (yield promise) as T
}

/** Runs the steps at once, for work that is known to be short and waits for nothing. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (step.value !== undefined) throw new Error('these steps wait for something')
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

async function settled(
  promise: Promise<unknown>,
): Promise<{ result: unknown } | { error: unknown }> {
  try {
    return { result: await promise }
  } catch (error) {
    return { error }
  }
}
