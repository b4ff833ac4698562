// `zcl suite run` and `zcl suite resume`: plan a run, process its slots together with any workers that
// join, and print the summary.
import path from 'node:path'
import { rfc3339 } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import { runFolder } from '@zee/evidence/layout'
import type { Code } from '../../codes/codes.ts'
import { outRootFor } from '../../config/config.ts'
import { readSampledSuite, type SampleFlags } from '../../input/input.ts'
import { complain, printJson, printLines } from '../../output/output.ts'
import { zclError } from '../../errors/errors.ts'
import { redactorFor } from '../../redaction/redaction.ts'
import type { Lab } from '../attempt/attempt.ts'
import { catchInterrupts, interruptedExitCode, type Interrupt } from '../interrupt.ts'
import { openLab, type LabCall, type LabRequest } from '../open-lab.ts'
import { readPlannedRun, slotsOf, writePlan, type PlannedRun, type Slot } from '../plan.ts'
import { hasResultChannel, type ProfileOptions } from '../profile.ts'
import { checkQueueUrl } from '../queue/queue.ts'
import { unansweredSlots, summarise, writeSummary, type RunSummary } from '../summary.ts'
import { planRun, requireUsableSuite, storedRunner, storePlannedRun } from './plan-run.ts'
import { describeRun } from './describe-run.ts'
import { checkProgressFile, RunProgress } from './progress.ts'
import { RunnerLogs } from '../runner-logs.ts'
import { runnerFor } from '../runner-presets.ts'
import { processSlots, type ExecutionOptions, type WorkFlags } from './process-slots.ts'
import { decide, describeDecision, openSequentialRun, requireComparable } from './until-decided.ts'
import type { SequentialDecision, SequentialFlags, SequentialRun } from './until-decided.ts'

export interface SuiteRunOptions extends ProfileOptions, WorkFlags, SequentialFlags, SampleFlags {
  file: string
  runId: string | undefined
  total: number | undefined
  /** Rates of the injected faults in percent, one run each. */
  dose: readonly number[] | undefined
}

export async function runSuiteRun(
  runnerArgs: readonly string[],
  options: SuiteRunOptions,
  call: LabCall,
): Promise<number> {
  const { host, launcher } = call
  checkQueueUrl(options.queue)
  checkProgressFile(options.progressJsonl, host.cwd)
  const suite = await readSampledSuite(options.file, host.cwd, options)
  const hasChannel = hasResultChannel(options, suite)
  const source = { file: options.file, cwd: host.cwd, launcher, hasChannel }
  const runner = runnerFor(runnerArgs, suite, source)
  if (runner.length === 0) {
    throw zclError('ZCL_E_USAGE', 'name the runner: zcl suite run --file suite.yaml -- runner args')
  }
  await requireUsableSuite(suite, { file: options.file, needsKeys: true }, host)
  const outRoot = await outRootFor(host, options.outRoot)
  const sequential = await openSequentialRun(options, suite, outRoot.absolute, host)
  if (sequential !== undefined && (options.total !== undefined || options.failFast)) {
    const flag = options.failFast ? '--fail-fast' : '--total'
    throw zclError('ZCL_E_USAGE', `${flag} and --until-decided exclude each other`)
  }
  if (options.dose !== undefined) {
    const { runDoses } = await import('./dose.ts')
    return runDoses(
      { suite, outRoot, runner, sequential },
      { ...options, dose: options.dose },
      call,
    )
  }
  const plan = planRun(suite, options, runner, outRoot, host)
  if (sequential !== undefined) requireComparable(sequential, plan)
  await storePlannedRun({ plan, suite }, outRoot.absolute)
  const execution = { ...options, outRoot }
  return sequential === undefined
    ? executeRun({ plan, suite }, [...slotsOf(plan)], runner, execution, call)
    : executeRounds({ plan, suite }, sequential, runner, execution, call)
}

/** Runs one attempt per mission in each round, until the test decides. */
async function executeRounds(
  { plan, suite }: PlannedRun,
  sequential: SequentialRun,
  runner: readonly string[],
  options: ExecutionOptions,
  { host, launcher }: LabCall,
): Promise<number> {
  const outRoot = options.outRoot.absolute
  const missions = suite.missions.length
  const total = sequential.maxRounds * missions
  const run = openRun({ host, launcher, outRoot, plan, suite, runner }, total, options)
  const { lab, progress } = run
  const interrupt = catchInterrupts()
  try {
    let current = plan
    let decision: SequentialDecision | undefined
    for (let round = 1; round <= sequential.maxRounds; round++) {
      current = { ...plan, total: round * missions }
      // The plan grows with the run, so that resume and workers see every round.
      await writePlan(outRoot, current)
      const todo = [...slotsOf(current)].slice(-missions)
      await processSlots({ lab, plan: current, todo, progress, interrupt, round }, options)
      decision = decide(sequential, suite, current, outRoot)
      if (decision.decision !== 'undecided' || interrupt.received() !== undefined) break
    }
    const summary = summarise(outRoot, current, rfc3339(lab.now()))
    await writeSummary(outRoot, summary)
    const { ok, passed, failed, infra, pending } = summary
    progress.emit('run_finished', { ok, passed, failed, infra, pending })
    progress.end()
    return reportRun({ ...run, summary }, options, interrupt, host, decision)
  } finally {
    progress.end()
    interrupt.detach()
    await lab.workspaces.close()
  }
}

export interface ResumeOptions extends WorkFlags {
  runId: string
}

/** Runs only the slots that have no valid outcome. */
export async function runSuiteResume(
  runnerArgs: readonly string[],
  options: ResumeOptions,
  call: LabCall,
): Promise<number> {
  checkQueueUrl(options.queue)
  checkProgressFile(options.progressJsonl, call.host.cwd)
  const outRoot = await outRootFor(call.host, options.outRoot)
  const planned = readPlannedRun(outRoot.absolute, options.runId)
  const runner = runnerArgs.length > 0 ? runnerArgs : storedRunner(planned.plan)
  const todo = unansweredSlots(outRoot.absolute, planned.plan)
  return executeRun(planned, todo, runner, { ...options, outRoot }, call)
}

async function executeRun(
  planned: PlannedRun,
  todo: readonly Slot[],
  runner: readonly string[],
  options: ExecutionOptions,
  call: LabCall,
): Promise<number> {
  const { run, interrupt } = await performRun(planned, todo, runner, options, call)
  return reportRun(run, options, interrupt, call.host)
}

/** Processes the slots and writes the summary. */
export async function performRun(
  planned: PlannedRun,
  todo: readonly Slot[],
  runner: readonly string[],
  options: ExecutionOptions,
  { host, launcher }: LabCall,
): Promise<{ run: OpenRun & { summary: RunSummary }; interrupt: Interrupt }> {
  const { plan } = planned
  const outRoot = options.outRoot.absolute
  const run = openRun({ host, launcher, outRoot, ...planned, runner }, todo.length, options)
  const { lab, progress } = run
  const interrupt = catchInterrupts()
  try {
    await processSlots({ lab, plan, todo, progress, interrupt }, options)
    const summary = summarise(outRoot, plan, rfc3339(lab.now()))
    await writeSummary(outRoot, summary)
    const { ok, passed, failed, infra, pending } = summary
    progress.emit('run_finished', { ok, passed, failed, infra, pending })
    progress.end()
    return { run: { ...run, summary }, interrupt }
  } finally {
    progress.end()
    interrupt.detach()
    await lab.workspaces.close()
  }
}

interface OpenRun {
  lab: Lab
  progress: RunProgress
  logs: RunnerLogs
}

/** The lab of a run whose runners print into files, and its progress. */
function openRun(request: LabRequest, total: number, options: ExecutionOptions): OpenRun {
  const { host, outRoot, plan } = request
  const { runId, suiteId } = plan
  const { json, progressJsonl: jsonl } = options
  const logs = new RunnerLogs(runFolder(outRoot, runId), redactorFor(host))
  const lab = openLab({ ...request, openSink: (attemptId) => logs.open(attemptId) })
  const lastLine = (attemptId: string) => logs.lastLine(attemptId)
  const progress = new RunProgress(host, { jsonl, json, runId, suiteId, total, lastLine })
  return { lab, progress, logs }
}

function reportRun(
  { summary, progress, logs }: OpenRun & { summary: RunSummary },
  { json, outRoot }: ExecutionOptions,
  interrupt: Interrupt,
  host: Host,
  decision?: SequentialDecision,
): number {
  const run = path.join(outRoot.shown, 'runs', summary.runId)
  const { runId, ok, passed, failed, infra, total, pending } = summary
  if (json) {
    const { schemaVersion: _own, attempts, ...rest } = summary
    const shown = attempts.map((each) => ({ ...each, attemptDir: path.join(run, each.attemptDir) }))
    const head = { ok, runId, passed, failed, infra, attempts: shown }
    const told = { ...head, ...withoutKeys(rest, head), outRoot: outRoot.shown }
    printJson(host, decision === undefined ? told : { ...told, decision })
  } else {
    const folder = path.join(outRoot.absolute, 'runs', runId)
    const finished = { summary, shownFolder: run, folder, logs, durationMs: progress.elapsedMs() }
    const line = decision === undefined ? [] : [describeDecision(decision)]
    printLines(host, [...describeRun(finished, host), ...line])
  }
  const signal = interrupt.received()
  if (signal !== undefined) {
    const message = `stopped by ${signal} with ${pending} of ${total} left: zcl suite resume --run-id ${runId}`
    complain(host, 'ZCL_E_INTERRUPTED', message)
    return interruptedExitCode(signal)
  }
  if (decision !== undefined) {
    if (decision.decision !== 'worse') return 0
    complain(host, 'ZCL_E_REGRESSION', describeDecision(decision))
    return 2
  }
  if (!ok) complainAboutFailure(summary, host)
  return ok ? 0 : 2
}

/** Prints one line to stderr: the first attempt that did not pass, and its outcome. */
function complainAboutFailure({ attempts, pending }: RunSummary, host: Host): void {
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
