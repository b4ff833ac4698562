// `zcl suite plan`: allocates attempts for an external orchestrator, or writes job files for schedulers
// that start one program per attempt on machines without the output root.
import path from 'node:path'
import { writeJsonAtomic } from '@zee/core/atomic-file'
import { rfc3339 } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import { ensureFolder } from '@zee/core/folders'
import { newRunId } from '@zee/core/ids'
import { attemptEnvironment } from '@zee/evidence/attempt'
import { startAttempt } from '@zee/evidence/runs'
import { attemptIdOf } from '@zee/evidence/layout'
import type { Mission, Suite } from '@zee/evidence/suite'
import { recordedNow } from '../../../clock/clock.ts'
import { outRootFor, type OutRoot } from '../../../config/config.ts'
import { aligned, printJson, printLines } from '../../../output/output.ts'
import { zclError } from '../../../errors/errors.ts'
import { jobKind, type JobFile } from '../../jobs/jobs.ts'
import { planExists, readPlannedRun, slotsOf, type PlannedRun } from '../../plan.ts'
import type { LabCall } from '../../open-lab.ts'
import { hasResultChannel, missionProfile } from '../../profile.ts'
import type { ProfileOptions, RunProfile } from '../../profile.ts'
import { runnerFor } from '../../runner-presets.ts'
import { slotState } from '../../slot/slot.ts'
import { unansweredSlots } from '../../summary.ts'
import { planRun, requireUsableSuite, storedRunner } from '../plan-run.ts'
import { storePlannedRun, usableProfile } from '../plan-run.ts'
import { readSampledSuite, type SampleFlags } from '../../../input/input.ts'

export interface SuitePlanOptions extends ProfileOptions, SampleFlags {
  file: string
  runId: string | undefined
  total: number | undefined
  jobs: string | undefined
  outRoot: string | undefined
  json: boolean
}

export async function runSuitePlan(
  runner: readonly string[],
  options: SuitePlanOptions,
  { host, launcher }: LabCall,
): Promise<number> {
  const suite = await readSampledSuite(options.file, host.cwd, options)
  await requireUsableSuite(suite, { file: options.file, needsKeys: false }, host)
  const outRoot = await outRootFor(host, options.outRoot)
  if (options.jobs !== undefined) {
    return writeJobs(options.jobs, suite, runner, { ...options, outRoot }, { host, launcher })
  }
  if (runner.length > 0)
    throw zclError('ZCL_E_USAGE', 'pass a runner only with --jobs, or use zcl suite run')
  const profile = usableProfile(options, suite, host)
  const now = recordedNow(host)
  const runId = options.runId ?? newRunId(now)
  const missions = []
  for (let index = 0; index < (options.total ?? suite.missions.length); index++) {
    const mission = suite.missions[index % suite.missions.length]
    if (mission === undefined) break
    missions.push(await allocate({ mission, suite, profile, runId, outRoot, now }, host))
  }
  const answer = {
    ok: true,
    runId,
    suiteId: suite.suiteId,
    mode: profile.mode,
    outRoot: outRoot.shown,
    missions,
    createdAt: rfc3339(now),
  }
  if (options.json) printJson(host, answer)
  else {
    printLines(host, [`${runId}  ${suite.suiteId}`, ...placeLines(missions, host)])
  }
  return 0
}

/** An attempt and its folder: on one line, or on two if the terminal is too narrow for some of them. */
function placeLines(
  missions: readonly { attemptId: string; outDir: string }[],
  { stdout }: Host,
): string[] {
  const rows = aligned(missions.map((each) => [each.attemptId, each.outDir]))
  const isNarrow = stdout.isTTY && rows.some((row) => row.length + 2 > (stdout.columns || 80))
  if (!isNarrow) return rows.map((row) => `  ${row}`)
  return missions.flatMap(({ attemptId, outDir }) => [`  ${attemptId}`, `    ${outDir}`])
}

interface Allocation {
  mission: Mission
  suite: Suite
  profile: RunProfile
  runId: string
  outRoot: OutRoot
  now: Date
}

async function allocate(allocation: Allocation, host: Host) {
  const { mission, suite, runId, outRoot, now } = allocation
  const { suiteId } = suite
  const { missionId, prompt } = mission
  const profile = missionProfile(allocation.profile, suite, missionId)
  const started = await startAttempt({
    outRoot: outRoot.absolute,
    runId,
    suiteId,
    missionId,
    retry: 1,
    mode: profile.mode,
    prompt,
    suite,
    settings: {
      timeoutMs: profile.timeoutMs,
      timeoutStart: profile.timeoutStart,
      ...(profile.blind ? { blind: true, blindTerms: profile.blindTerms } : {}),
      ...(profile.allowUnproven === true ? { allowUnproven: true } : {}),
    },
    now,
  })
  const identity = { runId, suiteId, missionId, attemptId: started.attemptId }
  return {
    missionId,
    prompt,
    attemptId: started.attemptId,
    outDir: path.relative(host.cwd, started.folder),
    outDirAbs: started.folder,
    env: attemptEnvironment(identity, started.folder),
  }
}

type JobOptions = Omit<SuitePlanOptions, 'outRoot'> & { outRoot: OutRoot }

/** Writes one job per slot; for an existing run, only for slots without an answer. */
async function writeJobs(
  folder: string,
  suite: Suite,
  runnerArgs: readonly string[],
  options: JobOptions,
  { host, launcher }: LabCall,
): Promise<number> {
  const { outRoot, runId } = options
  const exists = runId !== undefined && planExists(outRoot.absolute, runId)
  const hasChannel = hasResultChannel(options, suite)
  const source = { file: options.file, cwd: host.cwd, launcher, hasChannel }
  const runner = runnerFor(runnerArgs, suite, source)
  if (!exists && runner.length === 0) {
    throw zclError('ZCL_E_USAGE', '--jobs needs the runner: zcl suite plan ... -- runner args')
  }
  const planned: PlannedRun = exists
    ? readPlannedRun(outRoot.absolute, runId)
    : { plan: planRun(suite, options, runner, outRoot, host), suite }
  if (!exists) await storePlannedRun(planned, outRoot.absolute)
  const { plan } = planned
  const command = storedRunner(plan)
  const todo = exists ? unansweredSlots(outRoot.absolute, plan) : [...slotsOf(plan)]
  const jobsFolder = path.resolve(host.cwd, folder)
  ensureFolder(jobsFolder)
  const jobs = []
  for (const slot of todo) {
    const { next } = slotState(outRoot.absolute, plan.runId, slot)
    const attemptId = attemptIdOf({ index: slot.slot, missionId: slot.missionId, retry: next })
    const job: JobFile = {
      schemaVersion: 1,
      kind: jobKind,
      runId: plan.runId,
      attemptId,
      ...slot,
      retry: next,
      plan: { ...plan, runner: [...command] },
      suite: planned.suite,
    }
    const name = `${attemptId}.job.json`
    await writeJsonAtomic(path.join(jobsFolder, name), job, { durable: false })
    jobs.push({ attemptId, missionId: slot.missionId, path: path.join(folder, name) })
  }
  const { mode } = plan.profile
  const head = { ok: true, runId: plan.runId, suiteId: plan.suiteId, mode, outRoot: outRoot.shown }
  if (options.json) printJson(host, { ...head, missions: [], jobs, createdAt: plan.createdAt })
  else printLines(host, [`${plan.runId}  ${jobs.length} jobs in ${folder}`])
  return 0
}
