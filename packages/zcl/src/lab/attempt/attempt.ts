// Runs one try of one planned attempt, from creating its folder to recording its outcome. Suites,
// workers, jobs and campaigns all use this function, so they all leave the same evidence.
import path from 'node:path'
import { writeFileAtomic } from '@zee/core/atomic-file'
import { rfc3339, type Clock } from '@zee/core/clock'
import { shellExitCode, type ProcessOutput } from '@zee/core/process'
import type { Redactor } from '@zee/core/redact'
import { attemptFromEnvironment, shellQuoted } from '@zee/evidence/attempt'
import { startAttempt, type StartedAttempt } from '@zee/evidence/runs'
import { artifactName, runFolder } from '@zee/evidence/layout'
import { limits } from '@zee/evidence/limits'
import { recordOutcome, type Outcome, type OutcomeFile } from '@zee/evidence/outcome'
import { storedText } from '@zee/evidence/trace'
import { findMission, type Suite } from '@zee/evidence/suite'
import type { Code } from '../../codes/codes.ts'
import type { Launcher } from '../../programs/programs.ts'
import { prepareWorkspace } from './workspace.ts'
import { finaliseFeedback, type MissingAnswer } from './feedback.ts'
import { judgeAttempt, type Verdict } from './verdict.ts'
import type { RunProfile } from '../profile.ts'
import { runRunner, type OutputSink, type RunnerEnd } from './runner.ts'

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
export async function runAttempt(lab: Lab, attempt: Try, signal: AbortSignal): Promise<TryResult> {
  const { missionId, slot, retry } = attempt
  const prompt = attempt.prompt ?? findMission(lab.suite, missionId)?.prompt
  const started = await start(lab, attempt, prompt)
  attempt.onStart?.(started)
  const startMs = lab.clock.monotonicMs()
  const workspace = await prepareWorkspace({
    started,
    suiteId: lab.suite.suiteId,
    missionId,
    outRoot: lab.outRoot,
    profile: lab.profile,
    env: lab.env,
    launcher: lab.launcher,
    hasPrompt: prompt !== undefined,
  })
  const end = await runRunner({
    command: lab.runner,
    env: workspace.env,
    cwd: attempt.cwd ?? lab.cwd,
    attemptFolder: started.folder,
    profile: lab.profile,
    sink: lab.openSink(started.attemptId),
    clock: lab.clock,
    signal,
  })
  if (lab.profile.captureRunnerIo) await writeRunnerIo(lab, started.folder, end)
  const outcome = await judgeOutcome(lab, started, workspace, end)
  const result: TryResult = {
    attemptId: started.attemptId,
    missionId,
    slot,
    retry,
    folder: started.folder,
    ...outcome,
    exitCode: shellExitCode(end.process),
    durationMs: Math.round(lab.clock.monotonicMs() - startMs),
  }
  // A worker that took over this slot may have recorded an outcome first; that one counts.
  const isFirst = await recordOutcome(started.folder, outcomeFile(lab, result))
  return isFirst ? result : { ...result, outcome: 'abandoned' }
}

function start(lab: Lab, attempt: Try, prompt: string | undefined): Promise<StartedAttempt> {
  const { profile } = lab
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
      ...(profile.allowUnproven === true ? { allowUnproven: true } : {}),
      ...(profile.shims.length === 0 ? {} : { shims: profile.shims }),
      ...(attempt.supersedes === undefined ? {} : { supersedes: attempt.supersedes }),
    },
    now: lab.now(),
  })
}

type OutcomeFields = Pick<TryResult, 'outcome' | 'code' | 'message'>

async function judgeOutcome(
  lab: Lab,
  started: StartedAttempt,
  workspace: { scratch: string; env: Record<string, string | undefined> },
  end: RunnerEnd,
): Promise<OutcomeFields> {
  if (end.isStopped) return { outcome: 'abandoned', message: 'the harness was stopped' }
  const missing = await finaliseFeedback({
    context: attemptFromEnvironment(workspace.env, lab.cwd),
    end,
    profile: lab.profile,
    scratch: workspace.scratch,
    redactor: lab.redactor,
    createdAt: rfc3339(lab.now()),
  })
  const folder = started.folder
  const location = { folder, name: started.attemptId, runFolder: runFolder(lab.outRoot, lab.runId) }
  const { strict, strictExpect, env } = lab
  const computedAt = rfc3339(lab.now())
  const { requireShim } = lab.profile
  const settings = { computedAt, env, strict, strictExpect, requireShim }
  const verdict = await judgeAttempt(location, settings)
  return outcomeFields(missing, verdict)
}

function outcomeFields(missing: MissingAnswer | undefined, verdict: Verdict): OutcomeFields {
  if (missing !== undefined) {
    const { code, message, isInfra } = missing
    return { outcome: isInfra ? 'infra' : 'failed', code, message }
  }
  if (verdict.ok) return { outcome: 'passed' }
  const { code, message } = verdict
  if (code === undefined) return { outcome: 'failed', message: 'the agent reported a failure' }
  return { outcome: 'failed', code, message }
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
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message: lab.redactor.text(message).text }),
    ...(exitCode === undefined ? {} : { exitCode }),
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
