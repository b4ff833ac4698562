// Runs the attempt of one job file.
import path from 'node:path'
import { ensureFolder } from '@zee/core/folders'
import { ensureRun } from '@zee/evidence/runs'
import { isAnswer } from '@zee/evidence/outcome'
import { recordedNow } from '../../clock/clock.ts'
import { outRootFor } from '../../config/config.ts'
import { complain, printJson, printLines } from '../../output/output.ts'
import type { TryResult } from '../attempt/attempt.ts'
import { interruptExitCode, type Interrupt } from '../interrupt.ts'
import { packAttempt, readJob, type JobFile } from '../jobs/jobs.ts'
import { withLab, type LabCall } from '../open-lab.ts'
import { planExists, writePlan } from '../plan.ts'
import { runSlot } from '../slot/slot.ts'
import type { WorkerOptions } from './options.ts'

/** Packs the attempt for `zcl collect` when this machine does not see the run's output root. */
export async function runJob(
  file: string,
  options: WorkerOptions,
  { host, launcher }: LabCall,
  interrupt: Interrupt,
): Promise<number> {
  const job = await readJob(file, host.cwd)
  const { plan, suite, slot, missionId, retry } = job
  const outRoot = (await outRootFor(host, options.outRoot)).absolute
  const hasPlan = planExists(outRoot, job.runId)
  if (!hasPlan) {
    const { runId } = job
    const now = recordedNow(host)
    await ensureRun({ outRoot, runId, suiteId: suite.suiteId, suite, now })
    await writePlan(outRoot, plan)
  }
  const request = { host, launcher, outRoot, plan, suite, runner: plan.runner }
  const result = await withLab(request, (lab) =>
    runSlot(lab, { slot, missionId }, interrupt.signal, { retry, isHeld: async () => true }),
  )
  const packed =
    options.pack !== undefined || !hasPlan
      ? await packResult(file, job, result, options, host.cwd)
      : undefined
  const { attemptId, outcome, code } = result
  if (options.json) {
    const ok = outcome === 'passed'
    printJson(host, { ok, runId: job.runId, attemptId, missionId, outcome, code, packed })
  } else printLines(host, [`${attemptId}  ${outcome}${packed === undefined ? '' : `  ${packed}`}`])
  if (interrupt.received() !== undefined) return interruptExitCode(interrupt)
  if (code !== undefined) complain(host, code, result.message ?? outcome)
  // Exit 0 for a failed attempt too: a scheduler must not restart a job that has an answer.
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
