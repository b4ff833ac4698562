// Helps runs below the output root that have work to give.
import { rfc3339 } from '@zee/core/clock'
import { ZeeError } from '@zee/core/errors'
import { recordedNow } from '../../clock/clock.ts'
import { complain } from '../../output/output.ts'
import type { TryResult } from '../attempt/attempt.ts'
import type { Interrupt } from '../interrupt.ts'
import { openLab, type LabCall } from '../open-lab.ts'
import { readPlannedRun, type PlannedRun } from '../plan.ts'
import { heartbeatOf, openRunQueue, removeQueue, work } from '../queue/queue.ts'
import { runSlot } from '../slot/slot.ts'
import { summarise, writeSummary } from '../summary.ts'
import type { WorkerOptions } from './options.ts'

/** Helps one run after the other and counts what came of it. */
export class Helper {
  readonly counts = { attempts: 0, passed: 0, failed: 0, infra: 0 }
  readonly #outRoot: string
  readonly #options: WorkerOptions
  readonly #call: LabCall
  readonly #interrupt: Interrupt
  /** Runs that cannot be helped; each is told once, however long this one watches. */
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
    const { queue: url, leaseMs, parallel } = this.#options
    const { runner } = planned.plan
    const lab = openLab({ host, launcher, outRoot: this.#outRoot, ...planned, runner })
    const queue = await openRunQueue(this.#outRoot, runId, { url, leaseMs, cwd: host.cwd })
    try {
      await work({
        queue,
        parallel,
        signal,
        heartbeatMs: heartbeatOf(this.#options),
        run: (job, lost) => runSlot(lab, job, lost),
        onResult: (result) => this.#count(result),
      })
      if (signal.aborted) return
      // Nothing is left: whoever sees that first closes the run, whether or not its starter lives.
      const now = rfc3339(recordedNow(host))
      await writeSummary(this.#outRoot, summarise(this.#outRoot, planned.plan, now))
      await removeQueue(this.#outRoot, runId, queue)
    } finally {
      await queue.close()
    }
  }

  /** Undefined for a run that is not for this worker, or whose plan is gone or damaged. */
  #planOf(runId: string): PlannedRun | undefined {
    if (this.#skipped.has(runId)) return undefined
    try {
      const planned = readPlannedRun(this.#outRoot, runId)
      if (planned.plan.runnerRedacted !== true) return planned
      const why = 'its runner has a secret among its arguments'
      this.#skip(runId, `${runId} is left to its starter: ${why}`)
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
