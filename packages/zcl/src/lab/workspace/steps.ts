// Runs work on a tree of files step by step: with pauses for the event loop, or at once in a thread.
import { constants, copyFileSync, promises, rmSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** A call that may take long: the copy of a large file, or the removal of what is left. */
export type SlowCall = { copy: string; to: string } | { remove: string }

/** Each step is a short synchronous call; a slow call is left to the caller. */
export type Steps<Result> = Generator<SlowCall | undefined, Result, undefined>

/** Time of synchronous calls after which the event loop runs. */
const turnMs = 5
const removal = { recursive: true, force: true, maxRetries: 3 }

export async function runInTurns<Result>(steps: Steps<Result>): Promise<Result> {
  let turnEnds = performance.now() + turnMs
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (step.value !== undefined) await runSlowCall(step.value)
    if (performance.now() < turnEnds) continue
    await nextTurn()
    turnEnds = performance.now() + turnMs
  }
}

function runSlowCall(call: SlowCall): Promise<void> {
  if ('remove' in call) return promises.rm(call.remove, removal)
  return promises.copyFile(call.copy, call.to, constants.COPYFILE_FICLONE)
}

export function runAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    if (value === undefined) continue
    if ('remove' in value) rmSync(value.remove, removal)
    else copyFileSync(value.copy, value.to, constants.COPYFILE_FICLONE)
  }
}
