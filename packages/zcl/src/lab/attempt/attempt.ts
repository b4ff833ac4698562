// Runs one try of one planned attempt, from creating its folder to recording its outcome. Suites,
// workers, jobs and campaigns all use this function, so they all leave the same evidence.
import path from 'node:path'
import { writeFileAtomic } from '@zee/core/atomic-file'
import { rfc3339, type Clock } from '@zee/core/clock'
import { ZeeError } from '@zee/core/errors'
import { shellExitCode, type ProcessOutput } from '@zee/core/process'
import type { Redactor } from '@zee/core/redact'
import { attemptFromEnvironment, shellQuoted } from '@zee/evidence/attempt'
import { startAttempt, type StartedAttempt } from '@zee/evidence/runs'
import { artifactText } from '@zee/evidence/artifact'
import { artifactName, labArtifactName } from '@zee/evidence/layout'
import { limits } from '@zee/evidence/limits'
import { readOutcome, recordOutcome, type Outcome, type OutcomeFile } from '@zee/evidence/outcome'
import { storedText } from '@zee/evidence/trace'
import { examOf, findMission, type Exam, type Suite } from '@zee/evidence/suite'
import type { Code } from '../../codes/codes.ts'
import type { Launcher } from '../../programs/programs.ts'
import { isProvenByExam } from '../grading/grading.ts'
import { isolationTool, type IsolationTool } from '../isolation/isolation.ts'
import { missionProfile, type RunProfile } from '../profile.ts'
import type { Workspaces } from '../workspace/workspace.ts'
import { judgeOutcome, recordRoomFailure, type OutcomeFields } from './outcome.ts'
import { prepareScratch } from './scratch.ts'
import { runRunner, type OutputSink, type RunnerEnd } from './runner.ts'
import { storeWords } from './agent-words.ts'
import { openSurroundings, type ChosenIsolation } from './surroundings.ts'
import type { PreparedTry, Surroundings } from './surroundings.ts'
import { endOrphans } from './orphan-runner.ts'

export { endOrphans } from './orphan-runner.ts'
export { outputSink } from './runner-output.ts'
export type { OutputSink } from './runner.ts'

/** Settings that all attempts of a run share. */
export interface Lab {
  /** Absolute. */
  outRoot: string
  runId: string
  suite: Suite
  profile: RunProfile
  runner: readonly string[]
  launcher: Launcher
  redactor: Redactor
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  clock: Clock
  /** The clock that dates artifacts. */
  now: () => Date
  openSink: (attemptId: string) => OutputSink
  /** The folder of the suite file: its relative paths start here. */
  baseFolder: string
  workspaces: Workspaces
  /** Files and folders that isolated attempts may read besides their own: what a fork serves. */
  readable?: readonly string[]
  /** As in `zcl attempt finish --strict`. */
  strict?: boolean | undefined
  strictExpect?: boolean | undefined
}

export interface Try {
  slot: number
  missionId: string
  /** 1 for the first try. */
  retry: number
  /** The id of the try that this one repeats. */
  supersedes?: string | undefined
  /** The runner's working folder; the harness's own by default. */
  cwd?: string
  /** Overrides the mission's prompt. */
  prompt?: string | undefined
  onStart?: (started: StartedAttempt) => void
  /** Whether no other worker may take this slot over; unknown if absent. */
  isHeld?: () => Promise<boolean>
}

export interface TryResult {
  attemptId: string
  missionId: string
  slot: number
  retry: number
  /** Absolute. */
  folder: string
  outcome: Outcome
  code?: Code | undefined
  message?: string | undefined
  exitCode?: number | undefined
  durationMs: number
}

/** Rejects only when the harness itself fails (a full disk, a missing output root). */
export async function runAttempt(run: Lab, attempt: Try, signal: AbortSignal): Promise<TryResult> {
  const { missionId } = attempt
  const lab = { ...run, profile: missionProfile(run.profile, run.suite, missionId) }
  const prompt = attempt.prompt ?? findMission(lab.suite, missionId)?.prompt
  const exam = examOf(lab.suite, missionId)
  const isolation = await chooseIsolation(exam, lab.env)
  const started = await start(lab, attempt, exam, isolation.tool, prompt)
  attempt.onStart?.(started)
  const startMs = lab.clock.monotonicMs()
  const scratch = await prepareScratch({
    started,
    suiteId: lab.suite.suiteId,
    missionId,
    outRoot: lab.outRoot,
    profile: lab.profile,
    env: lab.env,
    launcher: lab.launcher,
    hasPrompt: prompt !== undefined,
    isIsolated: isolation.tool !== undefined,
    cwd: lab.cwd,
  })
  const ran = await runPrepared({
    lab,
    attempt,
    exam,
    isolation,
    started,
    scratch,
    prompt,
    signal,
  })
  const { slot, retry } = attempt
  const result: TryResult = {
    attemptId: started.attemptId,
    missionId,
    slot,
    retry,
    folder: started.folder,
    ...ran,
    durationMs: Math.round(lab.clock.monotonicMs() - startMs),
  }
  // A worker that took over this slot may have recorded an outcome first; that one counts.
  const isFirst = await recordOutcome(started.folder, outcomeFile(lab, result))
  if (isFirst) return result
  if (signal.aborted || !(await isForgedOutcome(started.folder, attempt))) {
    return { ...result, outcome: 'abandoned' }
  }
  const message = 'the attempt wrote an outcome of its own'
  const forged: TryResult = { ...result, outcome: 'failed', code: 'ZCL_E_FORGED_EVIDENCE', message }
  const file = path.join(started.folder, labArtifactName.outcome)
  await writeFileAtomic(file, artifactText(outcomeFile(lab, forged)))
  return forged
}

/** Other workers only ever mark a try as abandoned, and only after its lease was lost. */
async function isForgedOutcome(folder: string, { isHeld }: Try): Promise<boolean> {
  if (readOutcome({ path: folder, within: folder })?.outcome !== 'abandoned') return true
  return (await isHeld?.()) === true
}

/** The attempt records the tool, so it is chosen before the attempt starts. */
async function chooseIsolation(exam: Exam, env: Lab['env']): Promise<ChosenIsolation> {
  try {
    return { tool: await isolationTool(exam, env) }
  } catch (error) {
    if (error instanceof ZeeError) return { error }
    throw error
  }
}

/** Daemons of a runner that a signal stops have less time to end: the command itself must end. */
const stoppedGraceMs = 300

type Ran = OutcomeFields & Pick<TryResult, 'exitCode'>

/** Sets the attempt up, runs the runner, grades the work and clears up. */
async function runPrepared(prepared: PreparedTry): Promise<Ran> {
  const { lab, attempt, started, scratch, signal } = prepared
  const context = attemptFromEnvironment(scratch.env, lab.cwd)
  const opened = await openSurroundings(prepared)
  if (opened instanceof ZeeError) return recordRoomFailure({ lab, started, context }, opened)
  const { room, witness, gateway, env } = opened
  let hasPassed = false
  try {
    const surroundings = { env, folders: [witness.folder], gateway }
    const end = await runRunner({
      command: room.runnerCommand(lab.runner, lab.cwd, surroundings),
      env,
      cwd: room.cwd ?? attempt.cwd ?? lab.cwd,
      attemptFolder: started.folder,
      profile: lab.profile,
      sink: lab.openSink(started.attemptId),
      clock: lab.clock,
      signal: room.signal === undefined ? signal : AbortSignal.any([signal, room.signal]),
    })
    if (!end.isStopped) await restorePlaces(started, opened)
    if (lab.profile.captureRunnerIo) await writeRunnerIo(lab, started.folder, end)
    await storeWords(prepared)
    // The funnels write their last events before the evidence is judged.
    const failure = await gateway.end()
    // Daemons of the runner act for an attempt that is over.
    await endOrphans(started.runId, started.attemptId, end.isStopped ? stoppedGraceMs : undefined)
    if (failure !== undefined) return await recordRoomFailure({ lab, started, context }, failure)
    const ended = { lab, started, context, scratch, room, witness, end, signal }
    const outcome = await judgeOutcome(ended)
    hasPassed = outcome.outcome === 'passed'
    return { ...outcome, exitCode: shellExitCode(end.process) }
  } finally {
    await opened.close(hasPassed)
  }
}

/** Ends what is left of the runner, and puts the folders of the attempt in order for the harness. */
async function restorePlaces(
  { runId, attemptId }: StartedAttempt,
  { room, witness }: Surroundings,
): Promise<void> {
  // A process that outlives its runner could still write while the work is graded.
  if (room.cwd !== undefined) await endOrphans(runId, attemptId)
  room.restore()
  witness.restore()
}

function start(
  lab: Lab,
  attempt: Try,
  exam: Exam,
  tool: IsolationTool | undefined,
  prompt: string | undefined,
): Promise<StartedAttempt> {
  const { profile } = lab
  // A verifier looks at the work itself, so that a pass needs no recorded action.
  const needsNoAction = profile.allowUnproven === true || isProvenByExam(exam)
  const { isolation, network } = exam
  return startAttempt({
    outRoot: lab.outRoot,
    runId: lab.runId,
    suiteId: lab.suite.suiteId,
    missionId: attempt.missionId,
    index: attempt.slot,
    retry: attempt.retry,
    scratch: true,
    mode: profile.mode,
    prompt,
    settings: {
      isolationModel: 'process_runner',
      timeoutMs: profile.timeoutMs,
      timeoutStart: profile.timeoutStart,
      ...(profile.blind ? { blind: true, blindTerms: profile.blindTerms } : {}),
      ...(needsNoAction ? { allowUnproven: true } : {}),
      isolation,
      isolationTool: tool,
      network,
      ...(profile.shims.length === 0 ? {} : { shims: profile.shims }),
      supersedes: attempt.supersedes,
    },
    now: lab.now(),
  })
}

function outcomeFile(lab: Lab, result: TryResult): OutcomeFile {
  const { attemptId, missionId, slot, outcome, code, message, exitCode, durationMs } = result
  return {
    schemaVersion: 1,
    runId: lab.runId,
    suiteId: lab.suite.suiteId,
    missionId,
    attemptId,
    slot,
    outcome,
    code,
    ...(message === undefined ? {} : { message: lab.redactor.text(message).text }),
    exitCode,
    durationMs,
    endedAt: rfc3339(lab.now()),
  }
}

/** Writes the runner's command and output, redacted and capped like every other capture. */
async function writeRunnerIo(lab: Lab, folder: string, { process }: RunnerEnd): Promise<void> {
  const command = lab.runner.map(shellQuoted).join(' ')
  const files = [
    [artifactName.runnerCommand, `${lab.redactor.text(command).text}\n`],
    [artifactName.runnerStdout, redactedOutput(lab.redactor, process.stdout)],
    [artifactName.runnerStderr, redactedOutput(lab.redactor, process.stderr)],
  ] as const
  for (const [name, text] of files) {
    await writeFileAtomic(path.join(folder, name), text, { mode: 0o600 })
  }
}

function redactedOutput(redactor: Redactor, { bytes, capture }: ProcessOutput): string {
  return storedText({ bytes, head: capture }, limits.captureBytes, redactor).text
}
