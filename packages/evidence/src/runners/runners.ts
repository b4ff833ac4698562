// Writes `runner.ref.json` and `runner.metrics.json` of an attempt: the path of the runner's own
// log, and its numbers. No score depends on them.
import path from 'node:path'
import { writeJsonAtomic } from '@zee/core/atomic-file'
import { errorAfter, reasonOf, ZeeError } from '@zee/core/errors'
import type { Redactor } from '@zee/core/redact'
import { identityOf, readAttemptFile, type AttemptIdentity } from '../attempt/attempt.ts'
import { evidenceError } from '../errors/errors.ts'
import { readPrompt, refuseLink } from '../artifact/artifact.ts'
import { artifactName } from '../layout/layout.ts'
import { claude } from './claude.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'
import { findLog, promptExcerpt, readLog } from './find-log/find-log.ts'
import { gemini } from './gemini.ts'
import { opencodeDatabase, readOpencode } from './opencode.ts'
export { opencodeDatabase } from './opencode.ts'
export { contentText } from './log.ts'
export type { RunnerNumbers } from './log.ts'
export { usageNumbers } from './token-sum.ts'
import { pi } from './pi.ts'
import { qwen } from './qwen.ts'
import { withoutUndefined, type RunnerFormat, type RunnerReading } from './log.ts'
import type { RunnerName } from '../schema/vocabulary.ts'
import { zdx } from './zdx.ts'
import { zstdDecoder, type Decompress } from '../zstd/zstd.ts'

export interface EnrichOptions {
  runner: RunnerName
  /** Path of the log; undefined to search for it. */
  rollout: string | undefined
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  /** A file of the calling program: optional packages are looked for beside it, never in `cwd`. */
  program?: string | undefined
  /** The HOME of `env` is used by this attempt only. */
  isHomePrivate: boolean
  /** Applied to everything that is read from a log. */
  redactor: Redactor
}

export interface RunnerRef extends AttemptIdentity {
  schemaVersion: 1
  runner: string
  rolloutPath: string
  threadId?: string
  sessionId?: string
}

export interface Enrichment {
  ref: RunnerRef
  metrics: Record<string, unknown>
}

const formats: Readonly<Record<Exclude<RunnerName, 'opencode'>, RunnerFormat>> = {
  codex,
  claude,
  zdx,
  gemini,
  pi,
  qwen,
  copilot,
}

/** The folders with the logs of a runner, and which files in them are logs. */
export function logPlaces(
  runner: Exclude<RunnerName, 'opencode'>,
): Pick<RunnerFormat, 'roots' | 'isLog'> {
  return formats[runner]
}

/** Finds and reads the log and writes both artifacts. */
export async function enrichAttempt(folder: string, options: EnrichOptions): Promise<Enrichment> {
  const identity = identityOf(readAttemptFile(folder))
  const unzstd = await zstdDecoder()
  const { file, reading: found } = locateLog(folder, identity, options, unzstd)
  const reading = options.redactor.value(found).value as RunnerReading
  const { runId, suiteId, missionId, attemptId, agentId } = identity
  const ref: RunnerRef = {
    schemaVersion: 1,
    runner: options.runner,
    runId,
    suiteId,
    missionId,
    attemptId,
    ...withoutUndefined({ agentId }),
    rolloutPath: file,
    ...withoutUndefined({ threadId: reading.threadId, sessionId: reading.sessionId }),
  }
  const metrics = { schemaVersion: 1, runner: options.runner, ...reading.numbers }
  for (const name of [artifactName.runnerMetrics, artifactName.runnerRef]) refuseLink(folder, name)
  await writeJsonAtomic(path.join(folder, artifactName.runnerMetrics), metrics)
  try {
    await writeJsonAtomic(path.join(folder, artifactName.runnerRef), ref)
  } catch (error) {
    throw errorAfter(`${artifactName.runnerMetrics} was written`, error)
  }
  return { ref, metrics }
}

interface Located {
  file: string
  reading: RunnerReading
}

function locateLog(
  folder: string,
  identity: AttemptIdentity,
  options: EnrichOptions,
  unzstd: Decompress,
): Located {
  const { runner, rollout, cwd } = options
  const named = rollout === undefined ? undefined : path.resolve(cwd, rollout)
  if (runner === 'opencode') return locateOpencode(named, folder, identity, options)
  const format = formats[runner]
  const file = named ?? searchLog(format, folder, identity, { ...options, unzstd })
  const reading = readOrFail(file, () => readLog(format, file, { unzstd }))
  if (reading.usableLines > 0) return { file, reading }
  throw enrichError(`${file} holds no line of ${runner}`)
}

function locateOpencode(
  named: string | undefined,
  folder: string,
  { agentId }: AttemptIdentity,
  { env, program, isHomePrivate }: EnrichOptions,
): Located {
  const file = named ?? opencodeDatabase(env)
  if (file === undefined) throw enrichError('no log of opencode: HOME is not set')
  const search = {
    agentId,
    promptExcerpt: promptExcerpt(readAttemptPrompt(folder)),
    canTakeNewest: isHomePrivate || (named !== undefined && agentId === undefined),
  }
  const reading = readOrFail(file, () => readOpencode(file, search, program))
  if (reading !== undefined) return { file, reading }
  throw enrichError(`${file} holds no session of this attempt`)
}

function searchLog(
  format: RunnerFormat,
  folder: string,
  { agentId }: AttemptIdentity,
  { env, cwd, isHomePrivate, unzstd }: EnrichOptions & { unzstd: Decompress },
): string {
  const prompt = readAttemptPrompt(folder)
  const found = findLog(format, { env, agentId, prompt, isHomePrivate, unzstd })
  if (found !== undefined) return path.resolve(cwd, found)
  const roots = format.roots(env)
  const where = roots.length === 0 ? 'HOME is not set' : `looked in ${roots.join(', ')}`
  throw enrichError(
    `no log of ${format.name} for this attempt (${where}); pass the log with --rollout`,
  )
}

function readAttemptPrompt(folder: string): string | undefined {
  return readPrompt({ path: folder, within: folder })
}

/** Codes of log readers for a log that exists but cannot be used. */
const unusableLogCodes: ReadonlySet<string> = new Set(['unsupported_log', 'unreadable_log'])

function readOrFail<T>(file: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof ZeeError && unusableLogCodes.has(error.code))
      throw enrichError(error.message)
    const message = error instanceof ZeeError ? error.message : `${file}: ${reasonOf(error)}`
    throw evidenceError('ZCL_E_IO', message, error)
  }
}

function enrichError(message: string): ZeeError {
  return evidenceError('ZCL_E_RUNNER_ENRICH_FAILED', message)
}
