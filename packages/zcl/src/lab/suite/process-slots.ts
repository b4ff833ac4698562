// Enqueues the slots of a run and processes them together with any workers that join.
import type { OutRoot } from '../../config/config.ts'
import type { Lab } from '../attempt/attempt.ts'
import type { Interrupt } from '../interrupt.ts'
import type { RunPlan, Slot } from '../plan.ts'
import {
  announceQueue,
  heartbeatIntervalMs,
  openRunQueue,
  removeQueue,
  untilInterrupted,
  work,
} from '../queue/queue.ts'
import { runSlot } from '../slot/slot.ts'
import { sweepWorkspaces } from '../workspace/workspace.ts'
import { sweepWitnesses } from '../witness/witness.ts'
import type { RunProgress } from './progress.ts'

export interface WorkFlags {
  outRoot: string | undefined
  parallel: number
  failFast: boolean
  progressJsonl: string | undefined
  queue: string | undefined
  leaseMs: number
  json: boolean
}

export interface ExecutionOptions extends Omit<WorkFlags, 'outRoot'> {
  outRoot: OutRoot
}

export interface ActiveRun {
  lab: Lab
  plan: RunPlan
  todo: readonly Slot[]
  progress: RunProgress
  interrupt: Interrupt
  /** Of a run that continues in rounds; only the first one is announced. */
  round?: number
}

/** Returns when the queue is empty, the run is interrupted, or `failFast` stops it. */
export function processSlots(run: ActiveRun, options: ExecutionOptions): Promise<void> {
  return untilInterrupted(run.interrupt.signal, () => processQueue(run, options))
}

async function processQueue(run: ActiveRun, options: ExecutionOptions): Promise<void> {
  const { lab, plan, todo, progress, interrupt } = run
  const { runId, total } = plan
  const { outRoot } = lab
  const choice = { url: options.queue, leaseMs: options.leaseMs }
  await sweepWorkspaces(outRoot)
  sweepWitnesses()
  const queue = await openRunQueue(outRoot, runId, { ...choice, signal: interrupt.signal })
  try {
    await queue.drain()
    await queue.enqueue(todo.map((slot) => ({ runId, ...slot })))
    await announceQueue(outRoot, runId, choice)
    const isFirst = (run.round ?? 1) === 1
    if (isFirst)
      progress.emit('run_started', { total, planned: todo.length, parallel: options.parallel })
    await work({
      queue,
      parallel: options.parallel,
      signal: interrupt.signal,
      heartbeatMs: heartbeatIntervalMs(options),
      run: ({ slot, missionId }, signal, isHeld) =>
        runSlot(lab, { slot, missionId }, signal, {
          isHeld,
          onStart: ({ attemptId }) => progress.started(attemptId, missionId, slot),
        }),
      onResult: (result) => {
        progress.finished(result)
        return options.failFast && result.outcome !== 'passed'
      },
    })
    await queue.drain()
    if (interrupt.received() === undefined) await removeQueue(outRoot, runId, queue)
  } finally {
    await queue.close()
  }
}
