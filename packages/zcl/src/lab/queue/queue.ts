// Opens, announces and removes the queue of a run. A marker file below the output root names its kind,
// so `zcl worker` finds every run with open work by listing one folder.
import { promises, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { writeJsonAtomic } from '@zee/core/atomic-file'
import { errnoOf, ZeeError } from '@zee/core/errors'
import { ensureFolder } from '@zee/core/folders'
import { isRunId } from '@zee/core/ids'
import { queueFolder } from '@zee/evidence/layout'
import { zclError } from '../../errors/errors.ts'
import { openFolderQueue } from './folder-queue.ts'
import type { JobQueue } from './job-queue.ts'

export { heartbeatIntervalMs, pause, work } from './work.ts'

export interface QueueChoice {
  /** `redis://...`; the embedded queue when left out. */
  url?: string | undefined
  /** Redis only: time without a heartbeat after which a lease expires. */
  leaseMs: number
}

export interface OpenQueueChoice extends QueueChoice {
  /** Interrupts the command. */
  signal: AbortSignal
}

const markerName = 'queue.json'

export async function openRunQueue(
  outRoot: string,
  runId: string,
  choice: OpenQueueChoice,
): Promise<JobQueue> {
  if (choice.url === undefined) return openFolderQueue(queueFolder(outRoot, runId))
  const { openRedisQueue } = await import('./redis-queue.ts')
  return openRedisQueue(choice.url, `zcl-${runId}`, choice)
}

/** Ignores a queue that does not answer an interrupted command: it keeps jobs, and `resume` drains it. */
export async function untilInterrupted(
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    const isQueueFailure = error instanceof ZeeError && error.code === 'ZCL_E_QUEUE'
    if (!signal.aborted || !isQueueFailure) throw error
  }
}

export function checkQueueUrl(url: string | undefined): void {
  if (url === undefined || /^(?:rediss?:\/\/|unix:\/)/.test(url)) return
  throw zclError('ZCL_E_USAGE', '--queue must be an address like redis://127.0.0.1:6379')
}

/** Writes the marker file, so that workers can join. */
export async function announceQueue(
  outRoot: string,
  runId: string,
  { url }: QueueChoice,
): Promise<void> {
  const folder = queueFolder(outRoot, runId)
  ensureFolder(folder)
  const kind = url === undefined ? 'folder' : 'redis'
  await writeJsonAtomic(path.join(folder, markerName), { schemaVersion: 1, runId, kind })
}

/** Removes the queue and its marker, unless jobs are left. */
export async function removeQueue(outRoot: string, runId: string, queue: JobQueue): Promise<void> {
  if (!(await queue.removeIfEmpty())) return
  await promises.rm(queueFolder(outRoot, runId), { recursive: true, force: true })
}

/** Runs with a queue of this kind, oldest first. */
export function runsWithQueue(outRoot: string, kind: 'folder' | 'redis'): string[] {
  const folder = path.join(outRoot, 'queue')
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    throw error
  }
  return names.filter((name) => isRunId(name) && queueKind(path.join(folder, name)) === kind).sort()
}

function queueKind(folder: string): unknown {
  try {
    const marker: unknown = JSON.parse(readFileSync(path.join(folder, markerName), 'utf8'))
    return typeof marker === 'object' && marker !== null && 'kind' in marker
      ? marker.kind
      : undefined
  } catch {
    return undefined
  }
}
