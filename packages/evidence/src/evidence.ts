// The entry for library users: opens an attempt and records calls in its trace. The subpaths have
// everything else.
import path from 'node:path'
import { systemClock, type Clock } from '@zee/core/clock'
import { kebabId } from '@zee/core/ids'
import { attemptEnvironment, defaultTimeoutStart, namesAttempt } from './attempt/attempt.ts'
import type { Environment } from './attempt/attempt.ts'
import { evidenceError } from './errors/errors.ts'
import { openNamedAttempt, type OpenAttempt } from './recorder/recorder.ts'
import { startAttempt } from './runs/runs.ts'

export type { AttemptIdentity, Environment } from './attempt/attempt.ts'
export type { JsonValue, OpenAttempt, TracedCall } from './recorder/recorder.ts'

export interface AttemptOptions {
  /** Folder for the runs; created if it does not exist. */
  outRoot: string
  /** The suite and the mission of a new attempt; stored in lower-case kebab form. */
  suiteId: string
  missionId: string
  agentId?: string | undefined
  /** Stored as prompt.txt. */
  prompt?: string | undefined
  /** Time for all calls together, counted from the first one. */
  timeoutMs?: number | undefined
  /** May name an attempt to open (`ZCL_OUT_DIR`); values of secret variables are redacted. */
  env?: Environment
  /** Base of relative paths; the working folder by default. */
  cwd?: string
  clock?: Clock
}

const mode = 'discovery'

/** Opens the attempt that `env` names, or starts a new attempt in a new run below `outRoot`. */
export async function openAttempt(options: AttemptOptions): Promise<OpenAttempt> {
  const { env = {}, cwd = '.', clock = systemClock } = options
  const outRoot = path.resolve(cwd, options.outRoot)
  const named = namesAttempt(env) ? env : { ...env, ...(await start(options, outRoot, clock)) }
  return openNamedAttempt(named, { cwd, clock })
}

/** Starts an attempt and returns the environment that names it. */
async function start(
  { suiteId, missionId, agentId, prompt, timeoutMs }: AttemptOptions,
  outRoot: string,
  clock: Clock,
): Promise<Record<string, string>> {
  const ids = {
    suiteId: requireId(suiteId, 'suiteId'),
    missionId: requireId(missionId, 'missionId'),
    agentId,
  }
  const timeoutStart = timeoutMs === undefined ? undefined : defaultTimeoutStart(mode)
  const { runId, attemptId, folder } = await startAttempt({
    ...ids,
    outRoot,
    retry: 1,
    mode,
    prompt,
    settings: { timeoutMs, timeoutStart },
    now: clock.now(),
  })
  return attemptEnvironment({ ...ids, runId, attemptId }, folder)
}

function requireId(text: string, name: string): string {
  const id = kebabId(text)
  if (id !== '') return id
  throw evidenceError('ZCL_E_USAGE', `${name} needs at least one letter or digit (a-z, 0-9)`)
}
