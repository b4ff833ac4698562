// One try of one planned attempt, from its folder to its outcome. Suites, workers, jobs and campaigns
// all run attempts through this function, so that all of them leave the same evidence.
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
import { preparePlace } from './place.ts'
import { finaliseFeedback, type Shortfall } from './feedback.ts'
import { judgeAttempt, type Verdict } from './verdict.ts'
import type { RunProfile } from '../profile.ts'
import { runRunner, type OutputSink, type RunnerEnd } from './runner.ts'

export { outputSink } from './runner-output.ts'

/** What all attempts of a run share. */
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
  openSink: () => OutputSink
  /** As of `attempt finish`. */
  strict?: boolean
  strictExpect?: boolean
}

export interface Try {
  slot: number
  missionId: string
  /** 1 for the first. */
  retry: number
  /** Another folder for the runner than the harness's own. */
  cwd?: string
  /** Instead of the mission's. */
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
  code?: Code
  message?: string
  exitCode?: number
  durationMs: number
}

/** Rejects only for failures of the harness itself (a full disk, an output root that is gone). */
export async function runAttempt(lab: Lab, wanted: Try, signal: AbortSignal): Promise<TryResult> {
  const { missionId, slot, retry } = wanted
  const prompt = wanted.prompt ?? findMission(lab.suite, missionId)?.prompt
  const started = await start(lab, wanted, prompt)
  wanted.onStart?.(started)
  const begin = lab.clock.monotonicMs()
  const place = await preparePlace({
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
    env: place.env,
    cwd: wanted.cwd ?? lab.cwd,
    attemptFolder: started.folder,
    profile: lab.profile,
    sink: lab.openSink(),
    clock: lab.clock,
    signal,
  })
  if (lab.profile.captureRunnerIo) await keepRunnerIo(lab, started.folder, end)
  const ending = await judged(lab, started, place, end)
  const result: TryResult = {
    attemptId: started.attemptId,
    missionId,
    slot,
    retry,
    folder: started.folder,
    ...ending,
    exitCode: shellExitCode(end.process),
    durationMs: Math.round(lab.clock.monotonicMs() - begin),
  }
  // Somebody who took this worker for dead has answered already: then theirs is the truth.
  const isFirst = await recordOutcome(started.folder, outcomeFile(lab, result))
  return isFirst ? result : { ...result, outcome: 'abandoned' }
}

function start(lab: Lab, wanted: Try, prompt: string | undefined): Promise<StartedAttempt> {
  const { profile } = lab
  return startAttempt({
    outRoot: lab.outRoot,
    runId: lab.runId,
    suiteId: lab.suite.suiteId,
    missionId: wanted.missionId,
    index: wanted.slot,
    retry: wanted.retry,
    scratch: true,
    mode: profile.mode,
    prompt,
    settings: {
      isolationModel: 'process_runner',
      timeoutMs: profile.timeoutMs,
      timeoutStart: profile.timeoutStart,
      ...(profile.blind ? { blind: true, blindTerms: profile.blindTerms } : {}),
    },
    now: lab.now(),
  })
}

type Ending = Pick<TryResult, 'outcome' | 'code' | 'message'>

async function judged(
  lab: Lab,
  started: StartedAttempt,
  place: { scratch: string; env: Record<string, string | undefined> },
  end: RunnerEnd,
): Promise<Ending> {
  if (end.stopped) return { outcome: 'abandoned', message: 'the harness was told to stop' }
  const shortfall = await finaliseFeedback({
    context: attemptFromEnvironment(place.env, lab.cwd),
    end,
    profile: lab.profile,
    scratch: place.scratch,
    redactor: lab.redactor,
    createdAt: rfc3339(lab.now()),
  })
  const folder = started.folder
  const where = { folder, name: started.attemptId, runFolder: runFolder(lab.outRoot, lab.runId) }
  const { strict, strictExpect, env } = lab
  const computedAt = rfc3339(lab.now())
  const verdict = await judgeAttempt(where, {
    computedAt,
    env,
    ...(strict === undefined ? {} : { strict }),
    ...(strictExpect === undefined ? {} : { strictExpect }),
  })
  return endingOf(shortfall, verdict)
}

function endingOf(shortfall: Shortfall | undefined, verdict: Verdict): Ending {
  if (shortfall !== undefined) {
    const { code, message, isInfra } = shortfall
    return { outcome: isInfra ? 'infra' : 'failed', code, message }
  }
  if (verdict.ok) return { outcome: 'passed' }
  const { code, message } = verdict
  if (code === undefined) return { outcome: 'failed', message: 'the agent reported a failure' }
  return { outcome: 'failed', code, ...(message === undefined ? {} : { message }) }
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

/** The runner's own words, redacted and capped like every other capture. */
async function keepRunnerIo(lab: Lab, folder: string, { process }: RunnerEnd): Promise<void> {
  const command = lab.runner.map(shellQuoted).join(' ')
  const files = [
    [artifactName.runnerCommand, `${lab.redactor.text(command).text}\n`],
    [artifactName.runnerStdout, keptText(lab.redactor, process.stdout)],
    [artifactName.runnerStderr, keptText(lab.redactor, process.stderr)],
  ] as const
  for (const [name, text] of files) {
    await writeFileAtomic(path.join(folder, name), text, { mode: 0o600 })
  }
}

function keptText(redactor: Redactor, { bytes, capture }: ProcessOutput): string {
  return storedText({ bytes, head: capture }, limits.captureBytes, redactor).text
}
