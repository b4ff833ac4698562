// Puts the slots of a run into its queue and works on them beside whatever other workers join.
import type { OutRoot } from '../../config/config.ts'
import type { Lab } from '../attempt/attempt.ts'
import type { Interrupt } from '../interrupt.ts'
import type { RunPlan, Slot } from '../plan.ts'
import { announceQueue, heartbeatOf, openRunQueue, removeQueue, work } from '../queue/queue.ts'
import { runSlot } from '../slot/slot.ts'
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

export interface Execution extends Omit<WorkFlags, 'outRoot'> {
  outRoot: OutRoot
}

export interface Going {
  lab: Lab
  plan: RunPlan
  todo: readonly Slot[]
  progress: RunProgress
  interrupt: Interrupt
}

/** Puts the slots into the queue of the run and helps until nothing is left of them. */
export async function workThrough(going: Going, options: Execution): Promise<void> {
  const { lab, plan, todo, progress, interrupt } = going
  const { runId, total } = plan
  const { outRoot } = lab
  const choice = { url: options.queue, leaseMs: options.leaseMs, cwd: lab.cwd }
  const queue = await openRunQueue(outRoot, runId, choice)
  try {
    await queue.drain()
    await queue.enqueue(todo.map((slot) => ({ runId, ...slot })))
    await announceQueue(outRoot, runId, choice)
    progress.tell('run_started', { total, planned: todo.length, parallel: options.parallel })
    await work({
      queue,
      parallel: options.parallel,
      signal: interrupt.signal,
      heartbeatMs: heartbeatOf(options),
      run: ({ slot, missionId }, signal) =>
        runSlot(lab, { slot, missionId }, signal, {
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
