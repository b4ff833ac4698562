// Joins runs below the output root, processes their slots and counts the outcomes.
import { rfc3339 } from '@zee/core/clock'
import { ZeeError } from '@zee/core/errors'
import { recordedNow } from '../../clock/clock.ts'
import { complain } from '../../output/output.ts'
import type { Lab, TryResult } from '../attempt/attempt.ts'
import type { Interrupt } from '../interrupt.ts'
import { withLab, type LabCall } from '../open-lab.ts'
import { readPlannedRun, type PlannedRun } from '../plan.ts'
import {
  heartbeatIntervalMs,
  openRunQueue,
  removeQueue,
  untilInterrupted,
  work,
} from '../queue/queue.ts'
import { runSlot } from '../slot/slot.ts'
import { summarise, writeSummary } from '../summary.ts'
import type { WorkerOptions } from './options.ts'

export class RunWorker {
  readonly counts = { attempts: 0, passed: 0, failed: 0, infra: 0 }
  readonly #outRoot: string
  readonly #options: WorkerOptions
  readonly #call: LabCall
  readonly #interrupt: Interrupt
  /** Runs that this worker cannot join; each is reported once. */
  readonly #skipped = new Set<string>()

  constructor(outRoot: string, options: WorkerOptions, call: LabCall, interrupt: Interrupt) {
    this.#outRoot = outRoot
    this.#options = options
    this.#call = call
    this.#interrupt = interrupt
  }

  async join(runId: string): Promise<void> {
    const { signal } = this.#interrupt
    const { host, launcher } = this.#call
    const planned = signal.aborted ? undefined : this.#planOf(runId)
    if (planned === undefined) return
    const { runner } = planned.plan
    const request = { host, launcher, outRoot: this.#outRoot, ...planned, runner }
    await withLab(request, (lab) => untilInterrupted(signal, () => this.#work(lab, planned)))
  }

  async #work(lab: Lab, planned: PlannedRun): Promise<void> {
    const { signal } = this.#interrupt
    const { host } = this.#call
    const { runId } = planned.plan
    const { queue: url, leaseMs, parallel } = this.#options
    const queue = await openRunQueue(this.#outRoot, runId, { url, leaseMs, signal })
    try {
      await work({
        queue,
        parallel,
        signal,
        heartbeatMs: heartbeatIntervalMs(this.#options),
        run: (job, lost, isHeld) => runSlot(lab, job, lost, { isHeld }),
        onResult: (result) => this.#count(result),
      })
      if (signal.aborted) return
      // The first worker that sees the empty queue writes the summary, even when the starter is dead.
      const now = rfc3339(recordedNow(host))
      await writeSummary(this.#outRoot, summarise(this.#outRoot, planned.plan, now))
      await removeQueue(this.#outRoot, runId, queue)
    } finally {
      await queue.close()
    }
  }

  /** Undefined when the runner was redacted, or the plan is missing or damaged. */
  #planOf(runId: string): PlannedRun | undefined {
    if (this.#skipped.has(runId)) return undefined
    try {
      const planned = readPlannedRun(this.#outRoot, runId)
      if (planned.plan.runnerRedacted !== true) return planned
      const why = 'its runner has a secret among its arguments, so only its starter can run it'
      this.#skip(runId, `skipped ${runId}: ${why}`)
    } catch (error) {
      if (!(error instanceof ZeeError) || this.#options.runId !== undefined) throw error
      this.#skip(runId, error.message)
    }
    return undefined
  }

  #skip(runId: string, message: string): void {
    this.#skipped.add(runId)
    complain(this.#call.host, 'ZCL_W_RUN_SKIPPED', message)
  }

  #count({ outcome }: TryResult): void {
    if (outcome === 'abandoned') return
    this.counts.attempts++
    this.counts[outcome]++
  }
}
