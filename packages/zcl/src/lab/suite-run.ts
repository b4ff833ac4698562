// `zcl suite run` and `zcl suite resume`: plans a run, puts its slots into a queue, works on them beside
// whatever other workers join, and adds up what came out.
import path from 'node:path'
import { existsSync } from 'node:fs'
import { rfc3339 } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import { newRunId } from '@zee/core/ids'
import { ensureRun } from '@zee/evidence/runs'
import type { Code } from '@zee/evidence/codes'
import { zclError } from '@zee/evidence/errors'
import { runFolder } from '@zee/evidence/layout'
import type { Suite } from '@zee/evidence/suite'
import { recordedNow } from '../clocks.ts'
import { outRootFor, type OutRoot } from '../config.ts'
import type { Launcher } from '../launcher.ts'
import {
  aligned,
  colours,
  complain,
  millisecondsInWords,
  printJson,
  printLines,
} from '../output.ts'
import { redactorFor } from '../redaction.ts'
import { refuseUnusableName } from '../shim.ts'
import { catchInterrupts, interruptedExitCode, type Interrupt } from './interrupt.ts'
import { openLab } from './open-lab.ts'
import type { Lab } from './run-attempt.ts'
import { comparabilityKeyOf, readPlannedRun, slotsOf, writePlan } from './run-plan.ts'
import type { PlannedRun, RunPlan, Slot } from './run-plan.ts'
import { profileOf, refuseContaminated, type ProfileOptions } from './run-profile.ts'
import { RunProgress } from './run-progress.ts'
import { announceQueue, checkQueueUrl, openRunQueue, removeQueue } from './run-queue.ts'
import { runSlot } from './run-slot.ts'
import { openSlots, summarise, writeSummary, type RunSummary } from './run-summary.ts'
import { readSuiteFile } from './suite-file.ts'
import { work } from './work.ts'

export interface WorkFlags {
  outRoot: string | undefined
  parallel: number
  failFast: boolean
  progressJsonl: string | undefined
  queue: string | undefined
  leaseMs: number
  json: boolean
}

export interface SuiteRunOptions extends ProfileOptions, WorkFlags {
  file: string
  runId: string | undefined
  total: number | undefined
}

export interface LabCall {
  host: Host
  launcher: Launcher
}

export async function runSuiteRun(
  runner: readonly string[],
  options: SuiteRunOptions,
  call: LabCall,
): Promise<number> {
  const { host } = call
  if (runner.length === 0) {
    throw zclError('ZCL_E_USAGE', 'which runner? zcl suite run --file suite.yaml -- runner args')
  }
  checkQueueUrl(options.queue)
  const suite = await readSuiteFile(options.file, host.cwd)
  const outRoot = await outRootFor(host, options.outRoot)
  const plan = await planRun(suite, options, runner, outRoot, host)
  const todo = [...slotsOf(plan)]
  return carryOut({ plan, suite }, todo, runner, { ...options, outRoot }, call)
}

export interface ResumeOptions extends WorkFlags {
  runId: string
}

/** Repeats what has no valid outcome, and nothing else. */
export async function runSuiteResume(
  given: readonly string[],
  options: ResumeOptions,
  call: LabCall,
): Promise<number> {
  checkQueueUrl(options.queue)
  const outRoot = await outRootFor(call.host, options.outRoot)
  const planned = readPlannedRun(outRoot.absolute, options.runId)
  const runner = given.length > 0 ? given : knownRunner(planned.plan)
  const todo = openSlots(outRoot.absolute, planned.plan)
  return carryOut(planned, todo, runner, { ...options, outRoot }, call)
}

/** The runner that a plan keeps, unless a secret had to be taken out of it. */
export function knownRunner(plan: RunPlan): readonly string[] {
  if (plan.runnerRedacted !== true) return plan.runner
  const message = 'the runner had a secret among its arguments, which is not kept; give it again'
  throw zclError('ZCL_E_USAGE', `${message} behind -- (or pass it by the environment)`)
}

interface PlanOptions extends ProfileOptions {
  runId?: string | undefined
  total?: number | undefined
}

/** Everything that can be refused is refused before the run's folder is made. */
export async function planRun(
  suite: Suite,
  options: PlanOptions,
  runner: readonly string[],
  outRoot: OutRoot,
  host: Host,
): Promise<RunPlan> {
  const profile = profileOf(withAbsoluteHome(options, host), suite)
  refuseContaminated(suite, profile)
  for (const tool of profile.shims) refuseUnusableName(tool)
  const now = recordedNow(host)
  const runId = options.runId ?? newRunId(now)
  if (existsSync(runFolder(outRoot.absolute, runId))) {
    throw zclError('ZCL_E_USAGE', `the run ${runId} is there already; see zcl suite resume`)
  }
  const kept = redactorFor(host).value(runner)
  const plan: RunPlan = {
    schemaVersion: 1,
    runId,
    suiteId: suite.suiteId,
    createdAt: rfc3339(now),
    comparabilityKey: comparabilityKeyOf(suite, profile),
    total: options.total ?? suite.missions.length,
    missions: suite.missions.map(({ missionId }) => missionId),
    profile,
    runner: kept.value as string[],
    ...(kept.applied.length === 0 ? {} : { runnerRedacted: true }),
  }
  await ensureRun({ outRoot: outRoot.absolute, runId, suiteId: suite.suiteId, suite, now })
  await writePlan(outRoot.absolute, plan)
  return plan
}

function withAbsoluteHome(options: PlanOptions, { cwd }: Host): PlanOptions {
  const { homeTemplate } = options
  if (homeTemplate === undefined) return options
  return { ...options, homeTemplate: path.resolve(cwd, homeTemplate) }
}

interface Execution extends Omit<WorkFlags, 'outRoot'> {
  outRoot: OutRoot
}

async function carryOut(
  planned: PlannedRun,
  todo: readonly Slot[],
  runner: readonly string[],
  options: Execution,
  { host, launcher }: LabCall,
): Promise<number> {
  const { plan } = planned
  const outRoot = options.outRoot.absolute
  const lab = openLab({ host, launcher, outRoot, ...planned, runner })
  const { runId, suiteId } = plan
  const { json, progressJsonl: jsonl } = options
  const progress = new RunProgress(host, { jsonl, json, runId, suiteId, total: todo.length })
  const interrupt = catchInterrupts()
  try {
    await workThrough({ lab, plan, todo, progress, interrupt }, options)
    const summary = summarise(outRoot, plan, rfc3339(lab.now()))
    await writeSummary(outRoot, summary)
    const { ok, passed, failed, infra, pending } = summary
    progress.tell('run_finished', { ok, passed, failed, infra, pending })
    progress.end()
    return answer(summary, options, interrupt, host)
  } finally {
    progress.end()
    interrupt.detach()
  }
}

interface Going {
  lab: Lab
  plan: RunPlan
  todo: readonly Slot[]
  progress: RunProgress
  interrupt: Interrupt
}

/** Puts the slots into the queue of the run and helps until nothing is left of them. */
async function workThrough(going: Going, options: Execution): Promise<void> {
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

/** Often enough that one late beat does not cost a lease. */
export function heartbeatOf({ leaseMs }: { leaseMs: number }): number {
  return Math.max(100, Math.min(5000, Math.floor(leaseMs / 4)))
}

function answer(
  summary: RunSummary,
  { json, outRoot }: Execution,
  interrupt: Interrupt,
  host: Host,
): number {
  const run = path.join(outRoot.shown, 'runs', summary.runId)
  const { runId, ok, passed, failed, infra, total, pending } = summary
  if (json) {
    const { schemaVersion: _own, attempts, ...rest } = summary
    const shown = attempts.map((each) => ({ ...each, attemptDir: path.join(run, each.attemptDir) }))
    const head = { ok, runId, passed, failed, infra, attempts: shown }
    printJson(host, { ...head, ...withoutKeys(rest, head), outRoot: outRoot.shown })
  } else printLines(host, describeSummary(summary, host))
  const signal = interrupt.received()
  if (signal !== undefined) {
    const message = `stopped by ${signal} with ${pending} of ${total} left: zcl suite resume --run-id ${runId}`
    complain(host, 'ZCL_E_INTERRUPTED', message)
    return interruptedExitCode(signal)
  }
  if (!ok) complainAbout(summary, host)
  return ok ? 0 : 2
}

/** One line for whoever does not read the answer: the first that did not pass, and why. */
function complainAbout({ attempts, pending }: RunSummary, host: Host): void {
  const bad = attempts.filter((each) => !each.ok)
  const [first] = bad
  if (first === undefined) {
    return complain(host, 'ZCL_E_EXPECTATION_FAILED', `${pending} attempts were not run`)
  }
  const others = bad.length === 1 ? '' : ` (and ${bad.length - 1} more)`
  const code = (first.code ?? 'ZCL_E_EXPECTATION_FAILED') as Code
  return complain(host, code, `${first.attemptId} did not pass: ${first.outcome}${others}`)
}

function withoutKeys(value: object, keys: object): object {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !(key in keys)))
}

export function describeSummary(summary: RunSummary, host: Host): string[] {
  const paint = colours(host)
  const rows = summary.attempts.map((each) => [
    each.attemptId,
    each.outcome,
    millisecondsInWords(each.durationMs),
    each.code ?? '',
  ])
  const { passed, failed, infra, pending } = summary
  const left = pending === 0 ? '' : `, ${pending} not run`
  return [
    `${paint.bold(summary.runId)}  ${summary.suiteId}`,
    ...aligned(rows).map((row) => `  ${row}`),
    `${passed} passed, ${failed} failed, ${infra} infra${left}`,
  ]
}
