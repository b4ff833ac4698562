// Runs the forks of one attempt as attempts of a new run. All tools of the agent answer from the trace.
import path from 'node:path'
import { writeJsonAtomic } from '@zee/core/atomic-file'
import { rfc3339 } from '@zee/core/clock'
import { ensureFolder } from '@zee/core/folders'
import { newRunId } from '@zee/core/ids'
import { readJsonArtifact, readPrompt } from '@zee/evidence/artifact'
import { identityOf, readAttemptFile, type AttemptIdentity } from '@zee/evidence/attempt'
import { artifactName, attemptsFolder, labArtifactName, runsFolder } from '@zee/evidence/layout'
import { scratchFolder } from '@zee/evidence/layout'
import { readOutcome } from '@zee/evidence/outcome'
import { attemptNames, ensureRun, runFolders } from '@zee/evidence/runs'
import { normaliseSuite, type Suite } from '@zee/evidence/suite'
import type { AttemptTarget } from '../../attempts/attempts.ts'
import { recordedNow } from '../../clock/clock.ts'
import { redactorFor } from '../../redaction/redaction.ts'
import { zclError } from '../../errors/errors.ts'
import { countServed, servedFileName, serveVariable } from '../../served/served.ts'
import type { Patch, ServedCounts, ServePlan } from '../../served/served.ts'
import { runAttempt, type Lab } from '../attempt/attempt.ts'
import { openLab, type LabCall } from '../open-lab.ts'
import {
  comparabilityKeyOf,
  environmentNames,
  planExists,
  readPlannedRun,
  writePlan,
} from '../plan.ts'
import type { PlannedRun, RunPlan } from '../plan.ts'
import { resolveProfile } from '../profile.ts'
import { compareTraces, type Divergence } from './divergence.ts'

export interface ForkPoint {
  /** Undefined to play the recording to its end. */
  at: number | undefined
  patch: Patch | undefined
  live: boolean
}

export interface ForkResult {
  at: number | null
  attemptId: string
  attemptDir: string
  outcome: string
  code?: string
  /** The outcome differs from that of the source. */
  flipped: boolean
  /** Calls, answers and result equal those of the source. */
  identical: boolean
  calls: ServedCounts
  /** The first call that differs from the recording. */
  divergence: Divergence | null
}

export interface Fork {
  source: { runId: string; attemptId: string; attemptDir: string; outcome: string }
  runId: string
  missionId: string
  prompt: string | undefined
  others: readonly string[]
  lab: Lab
}

export interface ForkRequest {
  target: AttemptTarget
  /** Absolute. */
  outRoot: string
  /** Of the command line; empty to use that of the run. */
  runner: readonly string[]
  points: number
}

export async function openFork(request: ForkRequest, call: LabCall): Promise<Fork> {
  const { target, outRoot } = request
  const { host } = call
  const identity = identityOf(readAttemptFile(target.folder))
  const planned = plannedRun(target, identity)
  const runner = request.runner.length > 0 ? request.runner : storedRunner(planned?.plan)
  const suite = planned?.suite ?? suiteOf(target, identity)
  const now = recordedNow(host)
  const runId = newRunId(now)
  const profile = planned?.plan.profile ?? profileOf(target, suite)
  const plan: RunPlan = {
    schemaVersion: 1,
    runId,
    suiteId: suite.suiteId,
    createdAt: rfc3339(now),
    comparabilityKey: comparabilityKeyOf(suite, profile),
    total: request.points,
    missions: [identity.missionId],
    ...suiteFolder(planned?.plan, target, outRoot),
    profile,
    envNames: environmentNames(host.env),
    runner: redactorFor(host).value(runner).value as string[],
  }
  await ensureRun({ outRoot, runId, suiteId: suite.suiteId, suite, now })
  await writePlan(outRoot, plan)
  return {
    source: {
      runId: identity.runId,
      attemptId: identity.attemptId,
      attemptDir: target.folder,
      outcome: outcomeOf(target),
    },
    runId,
    missionId: identity.missionId,
    prompt: readPrompt({ path: target.folder, within: target.folder }),
    others: otherAttempts(target, outRoot, suite.suiteId, runId),
    lab: openLab({ ...call, outRoot, plan, suite, runner }),
  }
}

/** Runs one fork and writes what it found as `fork.json` into its attempt. */
export async function runFork(
  fork: Fork,
  { at, patch, live }: ForkPoint,
  slot: number,
  signal: AbortSignal,
): Promise<ForkResult> {
  const { lab, missionId, prompt, source, others, runId } = fork
  const scratch = scratchFolder(lab.outRoot, runId)
  const planFile = path.join(scratch, `fork-${slot}.json`)
  const plan: ServePlan = {
    schemaVersion: 1,
    source: source.attemptDir,
    others,
    at,
    patch,
    live,
  }
  ensureFolder(scratch, 0o700)
  await writeJsonAtomic(planFile, plan)
  const env = { ...lab.env, [serveVariable]: planFile }
  const readable = [planFile, source.attemptDir, ...others]
  const result = await runAttempt(
    { ...lab, env, readable },
    { slot, missionId, retry: 1, prompt, isHeld: async () => true },
    signal,
  )
  const { folder, attemptId, outcome, code } = result
  const compared = await compareTraces(source.attemptDir, folder, lab.redactor)
  const found: ForkResult = {
    at: at ?? null,
    attemptId,
    attemptDir: folder,
    outcome,
    code,
    flipped: outcome !== source.outcome,
    identical: compared.identical && outcome === source.outcome,
    calls: countServed(path.join(folder, servedFileName), source.attemptDir),
    divergence: compared.divergence,
  }
  const { runId: sourceRun, attemptId: sourceAttempt } = source
  const { attemptDir: _, attemptId: __, ...facts } = found
  const stored = { source: { runId: sourceRun, attemptId: sourceAttempt }, live, patch, ...facts }
  const redacted = lab.redactor.value({ schemaVersion: 1, ...stored }).value as object
  await writeJsonAtomic(path.join(folder, labArtifactName.fork), redacted)
  return found
}

function plannedRun(
  { runFolder }: AttemptTarget,
  { runId }: AttemptIdentity,
): PlannedRun | undefined {
  if (runFolder === undefined) return undefined
  const outRoot = path.dirname(path.dirname(runFolder))
  const isPlanned = runFolder === path.join(runsFolder(outRoot), runId)
  return isPlanned && planExists(outRoot, runId) ? readPlannedRun(outRoot, runId) : undefined
}

/** The folder of the suite file, relative to the output root of the fork. */
function suiteFolder(
  plan: RunPlan | undefined,
  { runFolder }: AttemptTarget,
  outRoot: string,
): Pick<RunPlan, 'suiteDir' | 'suiteFile'> {
  if (plan?.suiteDir === undefined || runFolder === undefined) return {}
  const from = path.dirname(path.dirname(runFolder))
  const { suiteFile } = plan
  return {
    suiteDir: path.relative(outRoot, path.resolve(from, plan.suiteDir)),
    ...(suiteFile === undefined ? {} : { suiteFile }),
  }
}

function storedRunner(plan: RunPlan | undefined): readonly string[] {
  if (plan !== undefined && plan.runnerRedacted !== true && plan.runner.length > 0) {
    return plan.runner
  }
  const message = 'the run does not name its runner'
  throw zclError('ZCL_E_USAGE', `${message}; pass it: zcl fork <attemptDir> ... -- runner args`)
}

/** The suite of a run without a plan: its stored suite, or one with this mission alone. */
function suiteOf({ runFolder }: AttemptTarget, { suiteId, missionId }: AttemptIdentity): Suite {
  const from = { path: runFolder ?? '', within: runFolder ?? '' }
  const stored = runFolder === undefined ? undefined : readJsonArtifact(from, artifactName.suite)
  if (stored?.failure === undefined && stored !== undefined) {
    return normaliseSuite(stored.value, artifactName.suite)
  }
  return normaliseSuite({ suiteId, missions: [{ missionId }] }, artifactName.suite)
}

function profileOf({ folder }: AttemptTarget, suite: Suite): RunPlan['profile'] {
  const { mode, shims, timeoutMs, timeoutStart, allowUnproven } = readAttemptFile(folder)
  return resolveProfile(
    {
      ...(typeof mode === 'string' ? { mode } : {}),
      ...(typeof timeoutMs === 'number' ? { timeoutMs } : {}),
      ...(typeof timeoutStart === 'string' ? { timeoutStart } : {}),
      ...(Array.isArray(shims) ? { shim: shims.filter((name) => typeof name === 'string') } : {}),
      allowUnproven: allowUnproven === true,
    },
    suite,
  )
}

/** The outcome of the lab, or else what the agent reported. */
function outcomeOf({ folder }: AttemptTarget): string {
  const from = { path: folder, within: folder }
  const judged = readOutcome(from)
  if (judged !== undefined) return judged.outcome
  const feedback = readJsonArtifact(from, artifactName.feedback)
  if (feedback.failure !== undefined) return 'missing'
  return feedback.value.ok === true ? 'passed' : 'failed'
}

/** Attempts that answer what the source was never asked: of its run, then of newer runs of the suite. */
function otherAttempts(
  { runFolder, folder }: AttemptTarget,
  outRoot: string,
  suiteId: string,
  ownRunId: string,
): string[] {
  const runs = runFolders(outRoot)
    .filter((run) => path.basename(run.path) !== ownRunId && run.path !== runFolder)
    .filter((run) => {
      const read = readJsonArtifact(run, artifactName.run)
      return read.failure === undefined && read.value.suiteId === suiteId
    })
    .map((run) => run.path)
  const inOrder = runFolder === undefined ? runs : [runFolder, ...runs]
  return inOrder
    .slice(0, maxOtherRuns)
    .flatMap((run) => attemptNames(run).map((name) => path.join(attemptsFolder(run), name)))
    .filter((each) => each !== folder && !isFork(each))
    .slice(0, maxOtherAttempts)
}

const maxOtherRuns = 20
const maxOtherAttempts = 200

/** A fork holds a patched answer, which is no evidence about a tool. */
function isFork(folder: string): boolean {
  return (
    readJsonArtifact({ path: folder, within: folder }, labArtifactName.fork).failure === undefined
  )
}
