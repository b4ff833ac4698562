// Runs long work in steps. An operation is a generator that yields between files and blocks. The runner yields
// to the event loop every few milliseconds, so that a scan of a large tree never blocks a server.
import { ZeeError } from '@zee/core/errors'

/** Yields undefined where it may be paused, or a promise to await (see `wait`). */
export type Steps<T> = Generator<Promise<unknown> | undefined | void, T, unknown>

export interface Pace {
  monotonicMs(): number
  signal?: AbortSignal | undefined
  /** Time slice before the runner yields to the event loop; 8 ms by default. */
  sliceMs?: number
}

/** Runs the steps to their end. An abort stops them at the next step and runs their `finally` blocks. */
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
        const value = await settle(step.value)
        sliceEnd = pace.monotonicMs() + sliceMs
        step = 'error' in value ? steps.throw(value.error) : steps.next(value.result)
      }
    }
    return step.value
  } finally {
    if (!step.done) steps.return(undefined as never)
  }
}

/** Awaits a promise inside steps and returns its value. */
export function* wait<T>(promise: Promise<T>): Steps<T> {
  return (yield promise) as T
}

/** Loads a module with the first call; later calls return it without waiting. */
export function lazily<Module>(load: () => Promise<Module>): () => Steps<Module> {
  let module: Module | undefined
  return function* () {
    return (module ??= yield* wait(load()))
  }
}

/** Runs short steps without yielding to the event loop. Throws if they await a promise. */
export function runSynchronously<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (step.value !== undefined) throw new Error('these steps wait for something')
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

async function settle(
  promise: Promise<unknown>,
): Promise<{ result: unknown } | { error: unknown }> {
  try {
    return { result: await promise }
  } catch (error) {
    return { error }
  }
}
