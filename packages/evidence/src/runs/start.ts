// Starts an attempt: creates or joins a run, assigns the next index, writes attempt.json. All
// checks of the request run before the first write.
import { lstatSync } from 'node:fs'
import path from 'node:path'
import { writeFileAtomic } from '@zee/core/atomic-file'
import { rfc3339 } from '@zee/core/clock'
import { ensureFolder } from '@zee/core/folders'
import { newRunId } from '@zee/core/ids'
import { withLock } from '@zee/core/lock'
import {
  artifactError,
  artifactText,
  listFolder,
  createFolderAtomically,
  readJsonArtifact,
} from '../artifact/artifact.ts'
import { anchorName, deadlineAnchor } from '../attempt/attempt.ts'
import { harnessTermsIn, normaliseSuite, suiteKey, type Suite } from '../suite/suite.ts'
import { evidenceError } from '../errors/errors.ts'
import * as layout from '../layout/layout.ts'
import { maxLockWaitMs } from '../schema/limits.ts'
import type { AttemptFile } from '../schema/schema.ts'

export interface StartRequest {
  /** Absolute. */
  outRoot: string
  /** Run to join or to create; a new id by default. */
  runId?: string | undefined
  suiteId: string
  missionId: string
  retry: number
  /** Index of a planned attempt; the next free index by default. */
  index?: number | undefined
  /** Whether attempt.json names a scratch folder below the output root. */
  scratch?: boolean
  agentId?: string | undefined
  mode: AttemptFile['mode']
  prompt?: string | undefined
  suite?: Suite | undefined
  /** Further fields of attempt.json. */
  settings: Pick<
    Partial<AttemptFile>,
    | 'isolationModel'
    | 'isolation'
    | 'isolationTool'
    | 'network'
    | 'timeoutMs'
    | 'timeoutStart'
    | 'blind'
    | 'blindTerms'
    | 'allowUnproven'
    | 'supersedes'
    | 'imported'
    | 'shims'
  >
  now: Date
}

export interface StartedAttempt {
  runId: string
  attemptId: string
  /** Absolute. */
  folder: string
  createdAt: string
}

const { artifactName } = layout

function startsDeadline({ settings }: StartRequest): boolean {
  return settings.timeoutMs !== undefined && settings.timeoutStart === 'attempt_start'
}

export async function startAttempt(request: StartRequest): Promise<StartedAttempt> {
  refuseContaminated(request)
  const createdAt = rfc3339(request.now)
  const anchor = startsDeadline(request) ? deadlineAnchor(request.now, createdAt) : undefined
  const runId = request.runId ?? newRunId(request.now)
  const runFolder = await ensureRun({ ...request, runId })
  return withLock(path.join(runFolder, 'run.lock'), { waitMs: maxLockWaitMs }, async () => {
    await joinRun(request, runFolder)
    const attemptId = await createAttempt(request, runFolder, { runId, createdAt, anchor })
    const folder = path.join(layout.attemptsFolder(runFolder), attemptId)
    return { runId, attemptId, folder, createdAt }
  })
}

/** The data of a run without attempts. */
export type RunRequest = Pick<StartRequest, 'outRoot' | 'suiteId' | 'suite' | 'now'> & {
  runId: string
}

/** Creates the run with run.json and its suite if it is missing; returns its folder. */
export async function ensureRun(request: RunRequest): Promise<string> {
  const runFolder = layout.runFolder(request.outRoot, request.runId)
  requireRealFolder(layout.runsFolder(request.outRoot))
  requireRealFolder(runFolder)
  requireRealFolder(layout.attemptsFolder(runFolder))
  if (lstatSync(runFolder, { throwIfNoEntry: false }) === undefined) {
    await createRun(request, request.runId, rfc3339(request.now))
  }
  return runFolder
}

function refuseContaminated({ prompt, settings }: StartRequest): void {
  if (settings.blind !== true || prompt === undefined) return
  const terms = harnessTermsIn(prompt, settings.blindTerms)
  if (terms.length === 0) return
  const message = `the prompt of a blind attempt names the harness: ${terms.join(', ')}`
  throw evidenceError('ZCL_E_CONTAMINATED_PROMPT', message)
}

/** Throws unless the folder is missing or a real folder: a symlink would redirect the evidence. */
function requireRealFolder(folder: string): void {
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  if (stats === undefined || stats.isDirectory()) return
  const what = stats.isSymbolicLink() ? 'is a link' : 'is not a folder'
  throw evidenceError('ZCL_E_CONTAINMENT', `${folder} ${what}`)
}

/** Creates the run atomically; of several concurrent starts, the first one wins. */
async function createRun(request: RunRequest, runId: string, createdAt: string): Promise<void> {
  const runs = layout.runsFolder(request.outRoot)
  ensureFolder(runs)
  const run = {
    schemaVersion: 1,
    artifactLayoutVersion: 1,
    runId,
    suiteId: request.suiteId,
    createdAt,
  }
  await withLock(path.join(request.outRoot, 'runs.lock'), { waitMs: maxLockWaitMs }, () =>
    createFolderAtomically({
      target: path.join(runs, runId),
      files: {
        [artifactName.run]: artifactText(run),
        ...(request.suite === undefined
          ? {}
          : { [artifactName.suite]: artifactText(request.suite) }),
      },
      subfolders: [layout.attemptsFolderName],
      stagingParent: runs,
      prefix: '.creating-',
    }),
  )
}

async function joinRun(request: StartRequest, runFolder: string): Promise<void> {
  const from = { path: runFolder, within: runFolder }
  const run = readJsonArtifact(from, artifactName.run)
  const file = path.join(runFolder, artifactName.run)
  if (run.failure !== undefined) throw artifactError(run, file)
  if (run.value.schemaVersion !== 1) {
    throw evidenceError('ZCL_E_SCHEMA_UNSUPPORTED', `${file}: schemaVersion is not 1`)
  }
  const { suiteId } = run.value
  if (typeof suiteId !== 'string') {
    const message = `${file}: suiteId is missing or not a text; restore the file or start a new run`
    throw evidenceError('ZCL_E_CONTRACT', message)
  }
  if (suiteId !== request.suiteId) {
    const message = `the run belongs to suite ${suiteId}, not ${request.suiteId}`
    throw evidenceError('ZCL_E_USAGE', message)
  }
  if (request.suite !== undefined) await storeSuite(request.suite, runFolder)
}

async function storeSuite(suite: Suite, runFolder: string): Promise<void> {
  const file = path.join(runFolder, artifactName.suite)
  const stored = readJsonArtifact({ path: runFolder, within: runFolder }, artifactName.suite)
  if (stored.failure === 'missing') return writeFileAtomic(file, artifactText(suite))
  if (stored.failure !== undefined) throw artifactError(stored, file)
  if (suiteKey(normaliseSuite(stored.value, file)) === suiteKey(suite)) return
  throw evidenceError(
    'ZCL_E_USAGE',
    'the run was started with another suite; start a new run for this one',
  )
}

async function createAttempt(
  request: StartRequest,
  runFolder: string,
  { runId, createdAt, anchor }: { runId: string; createdAt: string; anchor: string | undefined },
): Promise<string> {
  const attempts = layout.attemptsFolder(runFolder)
  ensureFolder(attempts)
  const { missionId, suiteId, retry, agentId, mode, settings, prompt } = request
  const index = request.index ?? nextIndex(attempts)
  const attemptId = layout.attemptIdOf({ index, missionId, retry })
  const attempt: AttemptFile = {
    schemaVersion: 1,
    runId,
    suiteId,
    missionId,
    attemptId,
    agentId,
    mode,
    startedAt: createdAt,
    isolationModel: settings.isolationModel,
    isolation: settings.isolation,
    isolationTool: settings.isolationTool,
    network: settings.network,
    timeoutMs: settings.timeoutMs,
    timeoutStart: settings.timeoutStart,
    blind: settings.blind,
    blindTerms: settings.blindTerms,
    allowUnproven: settings.allowUnproven,
    supersedes: settings.supersedes,
    imported: settings.imported,
    shims: settings.shims,
    scratchDir: request.scratch === true ? path.join('tmp', runId, attemptId) : undefined,
  }
  const isNew = await createFolderAtomically({
    target: path.join(attempts, attemptId),
    files: {
      [artifactName.attempt]: artifactText(attempt),
      ...(prompt === undefined ? {} : { [artifactName.prompt]: prompt }),
      ...(anchor === undefined ? {} : { [anchorName]: anchor }),
    },
    stagingParent: runFolder,
    prefix: '.starting-',
  })
  if (!isNew) throw evidenceError('ZCL_E_USAGE', `attempt ${attemptId} already exists`)
  return attemptId
}

/** One above the highest index; gaps are not filled. */
function nextIndex(attempts: string): number {
  const used = (listFolder(attempts) ?? []).map(({ name }) => {
    const digits = /^([0-9]{3,15})-/.exec(name)?.[1]
    return digits === undefined ? 0 : Number(digits)
  })
  return 1 + used.reduce((highest, index) => Math.max(highest, index), 0)
}
