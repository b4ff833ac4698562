// `zcl attempt start`: allocates an attempt and prints what an orchestrator passes to its agent.
import path from 'node:path'
import { writeFileAtomic } from '@zee/core/atomic-file'
import type { Host } from '@zee/core/exit'
import { kebabId } from '@zee/core/ids'
import { attemptEnvironment, defaultTimeoutStart, environmentText } from '@zee/evidence/attempt'
import type { EnvFormat } from '@zee/evidence/attempt'
import { startAttempt } from '@zee/evidence/runs'
import type { AttemptFile } from '@zee/evidence/schema'
import { findMission, type Suite } from '@zee/evidence/suite'
import { recordedNow } from '../../clock/clock.ts'
import { outRootFor } from '../../config/config.ts'
import { readSuiteFile } from '../../input/input.ts'
import { aligned, printJson, printLines } from '../../output/output.ts'
import { zclError } from '../../errors/errors.ts'

export interface StartOptions {
  suite: string
  mission: string
  prompt: string | undefined
  suiteFile: string | undefined
  runId: string | undefined
  agentId: string | undefined
  mode: string | undefined
  retry: number | undefined
  outRoot: string | undefined
  timeoutMs: number | undefined
  timeoutStart: string | undefined
  isolationModel: string | undefined
  blind: boolean
  blindTerms: readonly string[] | undefined
  envFile: string | undefined
  envFormat: string | undefined
  printEnv: string | undefined
  json: boolean
}

export async function runAttemptStart(options: StartOptions, host: Host): Promise<number> {
  const suiteId = usableId(options.suite, '--suite')
  const missionId = usableId(options.mission, '--mission')
  refuseContradictions(options)
  const suite = await readSuite(options.suiteFile, suiteId, host)
  const agentId = options.agentId?.trim() || undefined
  const mode = (options.mode ?? suite?.defaults?.mode ?? 'discovery') as AttemptFile['mode']
  const outRoot = await outRootFor(host, options.outRoot)
  const started = await startAttempt({
    outRoot: outRoot.absolute,
    runId: options.runId,
    suiteId,
    missionId,
    retry: options.retry ?? 1,
    agentId,
    mode,
    prompt: options.prompt ?? findMission(suite, missionId)?.prompt,
    suite,
    settings: settingsOf(options, suite, mode),
    now: recordedNow(host),
  })
  const identity = { ...started, suiteId, missionId, ...(agentId === undefined ? {} : { agentId }) }
  const env = attemptEnvironment(identity, started.folder)
  const envFile = await writeEnvFile(options, env, host)
  const answer = {
    ok: true,
    runId: started.runId,
    suiteId,
    missionId,
    attemptId: started.attemptId,
    agentId,
    mode,
    outDir: path.relative(host.cwd, started.folder),
    outDirAbs: started.folder,
    env,
    createdAt: started.createdAt,
    envFile,
  }
  if (options.printEnv !== undefined) {
    host.stdout.write(environmentText(env, options.printEnv as EnvFormat))
  } else if (options.json) printJson(host, answer)
  else printLines(host, describeStart(answer))
  return 0
}

function refuseContradictions({ printEnv, json, envFormat, envFile }: StartOptions): void {
  if (printEnv !== undefined && json) {
    throw zclError('ZCL_E_USAGE', '--print-env and --json both write to stdout; choose one')
  }
  if (envFormat !== undefined && envFile === undefined) {
    throw zclError('ZCL_E_USAGE', '--env-format needs --env-file')
  }
}

interface StartAnswer {
  attemptId: string
  runId: string
  outDir: string
  env: Record<string, string>
}

function describeStart({ attemptId, runId, outDir, env }: StartAnswer): string[] {
  const rows = [
    ['attempt', attemptId],
    ['run', runId],
    ['folder', outDir],
  ]
  return [...aligned(rows), '', ...environmentText(env, 'sh').trimEnd().split('\n')]
}

function usableId(text: string, flag: string): string {
  const id = kebabId(text)
  if (id !== '') return id
  throw zclError('ZCL_E_USAGE', `${flag} has no character that an id can have (a-z, 0-9)`)
}

async function readSuite(
  file: string | undefined,
  suiteId: string,
  host: Host,
): Promise<Suite | undefined> {
  if (file === undefined) return undefined
  const suite = await readSuiteFile(file, host.cwd)
  if (suite.suiteId === suiteId) return suite
  throw zclError('ZCL_E_USAGE', `${file} is the suite ${suite.suiteId}, not ${suiteId}`)
}

/** Flags, then the suite's defaults. Settings that neither gives are left out of attempt.json. */
function settingsOf(
  options: StartOptions,
  suite: Suite | undefined,
  mode: AttemptFile['mode'],
): Partial<AttemptFile> {
  const defaults = suite?.defaults
  const timeoutMs = options.timeoutMs ?? defaults?.timeoutMs
  const timeoutStart = options.timeoutStart ?? defaults?.timeoutStart
  const blindTerms = options.blindTerms ?? defaults?.blindTerms
  const blind = options.blind || defaults?.blind === true
  const settings: Partial<AttemptFile> = {
    isolationModel: options.isolationModel as AttemptFile['isolationModel'],
    timeoutMs,
    timeoutStart: (timeoutStart ??
      (timeoutMs === undefined
        ? undefined
        : defaultTimeoutStart(mode))) as AttemptFile['timeoutStart'],
  }
  if (blind) settings.blind = true
  if (blind && blindTerms !== undefined) settings.blindTerms = [...blindTerms]
  return settings
}

async function writeEnvFile(
  options: StartOptions,
  env: Record<string, string>,
  host: Host,
): Promise<string | undefined> {
  if (options.envFile === undefined) return undefined
  const file = path.resolve(host.cwd, options.envFile)
  const text = environmentText(env, (options.envFormat ?? 'sh') as EnvFormat)
  await writeFileAtomic(file, text, { mode: 0o600 })
  return options.envFile
}
