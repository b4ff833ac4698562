// `zcl worker`: more hands for any run below the output root, or one job alone.
import path from 'node:path'
import { rfc3339 } from '@zee/core/clock'
import { ensureFolder } from '@zee/core/folders'
import { isRunId } from '@zee/core/ids'
import { ensureRun } from '@zee/evidence/attempt-start'
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
import { planExists, readPlannedRun, writePlan } from './run-plan.ts'
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
  if (options.runId !== undefined && !isRunId(options.runId)) {
    throw zclError('ZCL_E_USAGE', '--run-id is not a run id')
  }
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
  { host, launcher }: LabCall,
  interrupt: Interrupt,
): Promise<number> {
  const outRoot = (await outRootFor(host, options.outRoot)).absolute
  const kind = options.queue === undefined ? 'folder' : 'redis'
  const choice = { url: options.queue, leaseMs: options.leaseMs, cwd: host.cwd }
  const counts = { attempts: 0, passed: 0, failed: 0, infra: 0 }
  const count = ({ outcome }: TryResult) => {
    if (outcome === 'abandoned') return
    counts.attempts++
    counts[outcome]++
  }
  while (!interrupt.signal.aborted) {
    const runs = openRuns(outRoot, kind).filter((id) => (options.runId ?? id) === id)
    for (const runId of runs) {
      if (interrupt.signal.aborted) break
      const planned = readPlannedRun(outRoot, runId)
      if (planned.plan.runnerRedacted === true) {
        const message = `${runId} is left to its starter: its runner has a secret among its arguments`
        complain(host, 'ZCL_W_RUN_SKIPPED', message)
        continue
      }
      const { runner } = planned.plan
      const lab = openLab({ host, launcher, outRoot, ...planned, runner })
      const queue = await openRunQueue(outRoot, runId, choice)
      try {
        await work({
          queue,
          parallel: options.parallel,
          signal: interrupt.signal,
          heartbeatMs: heartbeatOf(options),
          run: (job, signal) => runSlot(lab, job, signal),
          onResult: count,
        })
        if (interrupt.signal.aborted) break
        // Nothing is left: whoever sees that first closes the run, whether or not its starter lives.
        await writeSummary(outRoot, summarise(outRoot, planned.plan, rfc3339(recordedNow(host))))
        await removeQueue(outRoot, runId, queue)
      } finally {
        await queue.close()
      }
    }
    if (!options.watch) break
    await pause(watchEveryMs, interrupt.signal)
  }
  if (options.json) printJson(host, { ok: counts.failed + counts.infra === 0, ...counts })
  else printLines(host, [`${counts.attempts} attempts: ${counts.passed} passed`])
  return ended(interrupt)
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
