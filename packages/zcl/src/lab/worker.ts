// `zcl worker`: more hands for any run below the output root, or one job alone.
import path from 'node:path'
import { rfc3339 } from '@zee/core/clock'
import { ZeeError } from '@zee/core/errors'
import { ensureFolder } from '@zee/core/folders'
import { ensureRun } from '@zee/evidence/runs'
import { zclError } from '@zee/evidence/errors'
import { isAnswer } from '@zee/evidence/outcome'
import { recordedNow } from '../clocks.ts'
import { outRootFor } from '../config.ts'
import { complain, printJson, printLines } from '../output.ts'
import { catchInterrupts, interruptedExitCode, type Interrupt } from './interrupt.ts'
import { readJob, type JobFile } from './job-file.ts'
import { openLab } from './open-lab.ts'
import { packAttempt } from './packed-attempt.ts'
import type { TryResult } from './run-attempt.ts'
import { planExists, readPlannedRun, writePlan, type PlannedRun } from './run-plan.ts'
import { checkQueueUrl, openRunQueue, openRuns, removeQueue } from './run-queue.ts'
import { runSlot } from './run-slot.ts'
import { summarise, writeSummary } from './run-summary.ts'
import { heartbeatOf, type LabCall } from './suite-run.ts'
import { pause, work } from './work.ts'

export interface WorkerOptions {
  outRoot: string | undefined
  runId: string | undefined
  parallel: number
  queue: string | undefined
  leaseMs: number
  watch: boolean
  job: string | undefined
  pack: string | undefined
  json: boolean
}

const watchEveryMs = 1000

export async function runWorker(options: WorkerOptions, call: LabCall): Promise<number> {
  checkQueueUrl(options.queue)
  if (options.job === undefined && options.pack !== undefined) {
    throw zclError('ZCL_E_USAGE', '--pack needs --job')
  }
  const interrupt = catchInterrupts()
  try {
    if (options.job !== undefined) {
      return await runJob(options.job, options, call, interrupt)
    }
    return await joinRuns(options, call, interrupt)
  } finally {
    interrupt.detach()
  }
}

async function joinRuns(
  options: WorkerOptions,
  call: LabCall,
  interrupt: Interrupt,
): Promise<number> {
  const { host } = call
  const outRoot = (await outRootFor(host, options.outRoot)).absolute
  const kind = options.queue === undefined ? 'folder' : 'redis'
  const helper = new Helper(outRoot, options, call, interrupt)
  while (!interrupt.signal.aborted) {
    const runs = openRuns(outRoot, kind).filter((id) => (options.runId ?? id) === id)
    for (const runId of runs) await helper.join(runId)
    if (!options.watch) break
    await pause(watchEveryMs, interrupt.signal)
  }
  const { counts } = helper
  if (options.json) printJson(host, { ok: counts.failed + counts.infra === 0, ...counts })
  else printLines(host, [`${counts.attempts} attempts: ${counts.passed} passed`])
  return ended(interrupt)
}

/** Helps one run after the other and counts what came of it. */
class Helper {
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

/** Where the root is visible the attempt lands there; elsewhere it is packed for its way home. */
async function runJob(
  file: string,
  options: WorkerOptions,
  { host, launcher }: LabCall,
  interrupt: Interrupt,
): Promise<number> {
  const job = await readJob(file, host.cwd)
  const { plan, suite, slot, missionId, retry } = job
  const outRoot = (await outRootFor(host, options.outRoot)).absolute
  const isHome = planExists(outRoot, job.runId)
  if (!isHome) {
    const { runId } = job
    const now = recordedNow(host)
    await ensureRun({ outRoot, runId, suiteId: suite.suiteId, suite, now })
    await writePlan(outRoot, plan)
  }
  const lab = openLab({ host, launcher, outRoot, plan, suite, runner: plan.runner })
  const result = await runSlot(lab, { slot, missionId }, interrupt.signal, { retry })
  const packed =
    options.pack !== undefined || !isHome
      ? await packResult(file, job, result, options, host.cwd)
      : undefined
  const { attemptId, outcome, code } = result
  if (options.json) {
    const ok = outcome === 'passed'
    printJson(host, { ok, runId: job.runId, attemptId, missionId, outcome, code, packed })
  } else printLines(host, [`${attemptId}  ${outcome}${packed === undefined ? '' : `  ${packed}`}`])
  if (interrupt.received() !== undefined) return ended(interrupt)
  if (code !== undefined) complain(host, code, result.message ?? outcome)
  // A scheduler that starts failed jobs again must not do so with answers.
  return isAnswer(outcome) ? 0 : 2
}

async function packResult(
  jobFile: string,
  job: JobFile,
  result: TryResult,
  options: WorkerOptions,
  cwd: string,
): Promise<string> {
  const shown = options.pack ?? path.dirname(jobFile)
  ensureFolder(path.resolve(cwd, shown))
  const name = `${result.attemptId}.${job.runId}.zcl.tgz`
  await packAttempt(
    result.folder,
    `${job.runId}/${result.attemptId}`,
    path.resolve(cwd, shown, name),
  )
  return path.join(shown, name)
}

function ended(interrupt: Interrupt): number {
  const signal = interrupt.received()
  return signal === undefined ? 0 : interruptedExitCode(signal)
}
