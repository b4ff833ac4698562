// Garbage collection over an output root: measures the runs, plans, and deletes complete runs. A
// run is renamed before it is deleted, so that a killed process leaves no partial run.
import { lstatSync, promises, readdirSync } from 'node:fs'
import path from 'node:path'
import { parseRfc3339, rfc3339 } from '@zee/core/clock'
import { errorAfter, reasonOf } from '@zee/core/errors'
import { isRunId, randomHex } from '@zee/core/ids'
import { listFolder, readJsonArtifact, sweepFolders } from '../artifact/artifact.ts'
import { evidenceError, type ErrorCode } from '../errors/errors.ts'
import { artifactName, queueFolder, runsFolder, scratchFolder } from '../layout/layout.ts'
import { planRetention, type RetentionLimits, type StoredRun } from './plan.ts'

export { pinRun } from './pin.ts'
export { defaultAgeMs, parseAge, parseSize } from './plan.ts'
export type { RetentionLimits } from './plan.ts'

export interface CollectOptions {
  limits: RetentionLimits
  dryRun: boolean
  now: Date
  /** Delete although the clock is ahead of all evidence by more than the retention. */
  isConfirmed: boolean
  onProgress?: (done: number, total: number, what: 'measured' | 'removed') => void
}

export interface CollectedRun {
  runId: string
  path: string
  createdAt: string
  pinned: boolean
  bytes: number
}

export interface CollectError {
  runId: string
  path: string
  code: ErrorCode
  message: string
}

export interface Collection {
  deleted: CollectedRun[]
  kept: CollectedRun[]
  errors: CollectError[]
  totalBeforeBytes: number
  totalAfterBytes: number
  /** Whether a planned deletion failed, or a run could not be read. */
  failed: boolean
}

interface MeasuredRun extends StoredRun {
  path: string
  /** When a file of the run was last modified. */
  newestMs: number
}

const removingPrefix = '.removing-'

/** Deletes runs by age and size. `shownRoot` is the output root as results print it. */
export async function collectGarbage(
  outRoot: string,
  shownRoot: string,
  options: CollectOptions,
): Promise<Collection> {
  const errors: CollectError[] = []
  const runs = measureRuns(outRoot, shownRoot, errors, options)
  const plan = planRetention(runs, options.limits, options.now.getTime())
  if (!options.dryRun && !options.isConfirmed && plan.deleted.length > 0) {
    refuseClockAhead(runs, options)
  }
  const removal = options.dryRun
    ? { deleted: plan.deleted, remaining: [] }
    : await removeRuns(outRoot, plan.deleted, errors, options)
  const kept = [...plan.kept, ...removal.remaining]
  const remainingBytes = removal.remaining.reduce((sum, run) => sum + run.bytes, 0)
  return {
    deleted: removal.deleted.map(describeRun),
    kept: kept.map(describeRun),
    errors,
    totalBeforeBytes: plan.totalBeforeBytes,
    totalAfterBytes: plan.totalAfterBytes + remainingBytes,
    failed: errors.some(({ code }) => code === 'ZCL_E_IO'),
  }
}

/**
 * A clock that runs ahead makes every run look old. All evidence older than the retention is rare
 * enough to ask.
 */
function refuseClockAhead(runs: readonly MeasuredRun[], { limits, now }: CollectOptions): void {
  const { olderThanMs } = limits
  const newestMs = runs.reduce((newest, run) => Math.max(newest, run.newestMs), 0)
  if (olderThanMs === undefined || now.getTime() - newestMs <= olderThanMs) return
  const message = `the clock says ${rfc3339(now)}, but the newest evidence is of ${rfc3339(new Date(newestMs))}`
  throw evidenceError(
    'ZCL_E_CLOCK',
    `${message}: all of it would be old; nothing was deleted (check the clock, then use --yes)`,
  )
}

function measureRuns(
  outRoot: string,
  shownRoot: string,
  errors: CollectError[],
  options: CollectOptions,
): MeasuredRun[] {
  const folder = runsFolder(outRoot)
  // Symlinks are not followed, so nothing outside the root is deleted.
  const names = (listFolder(folder) ?? [])
    .filter((entry) => entry.isDirectory() && isRunId(entry.name))
    .map(({ name }) => name)
  return names.map((runId, index) => {
    const run = measureRun(
      path.join(folder, runId),
      runId,
      path.join(shownRoot, 'runs', runId),
      errors,
    )
    options.onProgress?.(index + 1, names.length, 'measured')
    return run
  })
}

function measureRun(
  folder: string,
  runId: string,
  shownPath: string,
  errors: CollectError[],
): MeasuredRun {
  const read = readJsonArtifact({ path: folder, within: folder }, artifactName.run)
  const file = read.failure === undefined ? read.value : undefined
  const createdAt = typeof file?.createdAt === 'string' ? file.createdAt : ''
  const created = parseRfc3339(createdAt)
  const content = tryMeasureFolder(folder)
  const bytes = content?.bytes
  const unreadable = created === undefined || bytes === undefined || !isSupportedRunFile(file)
  const isFault = read.failure === 'io' || content === undefined
  if (isFault) {
    const message = 'it cannot be read; the run is kept'
    errors.push({ runId, path: shownPath, code: 'ZCL_E_IO', message })
  } else if (unreadable) {
    const code = read.failure === 'missing' ? 'ZCL_E_MISSING_ARTIFACT' : 'ZCL_E_INVALID_JSON'
    const message = 'it cannot be read, or run.json is not as it should be; the run is kept'
    errors.push({ runId, path: shownPath, code, message })
  }
  return {
    runId,
    path: shownPath,
    createdAt,
    createdMs: created?.getTime() ?? Number.MAX_SAFE_INTEGER,
    pinned: file?.pinned === true,
    unreadable,
    bytes: bytes ?? 0,
    newestMs: content?.newestMs ?? 0,
  }
}

/** Whether run.json has a known version and a boolean pin; other runs are kept. */
function isSupportedRunFile(file: Record<string, unknown> | undefined): boolean {
  const { schemaVersion = 1, pinned = false } = file ?? {}
  return schemaVersion === 1 && typeof pinned === 'boolean'
}

interface FolderContent {
  bytes: number
  newestMs: number
}

function tryMeasureFolder(folder: string): FolderContent | undefined {
  try {
    return measureFolder(folder)
  } catch {
    return undefined
  }
}

/** Total size and newest change of all files below a folder; links are not followed. */
function measureFolder(folder: string): FolderContent {
  const content = { bytes: 0, newestMs: 0 }
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const inner = path.join(folder, entry.name)
    const stats = entry.isDirectory() ? undefined : lstatSync(inner, { throwIfNoEntry: false })
    const { bytes, newestMs } = entry.isDirectory()
      ? measureFolder(inner)
      : { bytes: stats?.size ?? 0, newestMs: stats?.mtimeMs ?? 0 }
    content.bytes += bytes
    content.newestMs = Math.max(content.newestMs, newestMs)
  }
  return content
}

async function removeRuns(
  outRoot: string,
  runs: readonly MeasuredRun[],
  errors: CollectError[],
  options: CollectOptions,
): Promise<{ deleted: MeasuredRun[]; remaining: MeasuredRun[] }> {
  const deleted: MeasuredRun[] = []
  const remaining: MeasuredRun[] = []
  for (const run of runs) {
    try {
      await removeRun(outRoot, run.runId)
      deleted.push(run)
    } catch (error) {
      remaining.push(run)
      const message = `it cannot be removed: ${reasonOf(error)}`
      errors.push({ runId: run.runId, path: run.path, code: 'ZCL_E_IO', message })
    }
    options.onProgress?.(deleted.length + remaining.length, runs.length, 'removed')
  }
  await sweepRemoved(runsFolder(outRoot), deleted.length)
  return { deleted, remaining }
}

async function sweepRemoved(folder: string, deleted: number): Promise<void> {
  try {
    if (listFolder(folder) !== undefined) await sweepFolders(folder, removingPrefix)
  } catch (error) {
    throw errorAfter(`${deleted} runs may be deleted`, error)
  }
}

async function removeRun(outRoot: string, runId: string): Promise<void> {
  const runs = runsFolder(outRoot)
  const renamed = path.join(runs, `${removingPrefix}${runId}-${randomHex(3)}`)
  await promises.rename(path.join(runs, runId), renamed)
  try {
    await removeFolders(outRoot, runId, renamed)
  } catch (error) {
    throw errorAfter('a part of it may be removed', error)
  }
}

async function removeFolders(outRoot: string, runId: string, renamed: string): Promise<void> {
  await promises.rm(renamed, { recursive: true, force: true })
  for (const folder of [scratchFolder(outRoot, runId), queueFolder(outRoot, runId)]) {
    // A symlink may point outside the root, so its target is kept.
    if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) continue
    await promises.rm(folder, { recursive: true, force: true })
  }
}

function describeRun(run: MeasuredRun): CollectedRun {
  const { runId, path: shownPath, createdAt, pinned, bytes } = run
  return { runId, path: shownPath, createdAt, pinned, bytes }
}
