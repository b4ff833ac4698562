// Where the queue of a run is: a folder below the output root that says of which kind it is, so that
// `zcl worker` finds every run that has work to give by listing one folder.
import { promises, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { writeJsonAtomic } from '@zee/core/atomic-file'
import { errnoOf } from '@zee/core/errors'
import { ensureFolder } from '@zee/core/folders'
import { isRunId } from '@zee/core/ids'
import { queueFolder } from '@zee/evidence/layout'
import { zclError } from '../../errors/errors.ts'
import { openFolderQueue } from './folder-queue.ts'
import type { JobQueue } from './job-queue.ts'

export { heartbeatOf, pause, work } from './work.ts'

export interface QueueChoice {
  /** `redis://...`; the embedded queue when left out. */
  url?: string | undefined
  /** How long a holder may be silent before a Redis queue gives its job to somebody else. */
  leaseMs: number
  cwd: string
}

const markName = 'queue.json'

export async function openRunQueue(
  outRoot: string,
  runId: string,
  choice: QueueChoice,
): Promise<JobQueue> {
  if (choice.url === undefined) return openFolderQueue(queueFolder(outRoot, runId))
  const { openRedisQueue } = await import('./redis-queue.ts')
  return openRedisQueue(choice.url, `zcl-${runId}`, choice)
}

export function checkQueueUrl(url: string | undefined): void {
  if (url === undefined || /^(?:rediss?:\/\/|unix:\/)/.test(url)) return
  throw zclError('ZCL_E_USAGE', '--queue is an address like redis://127.0.0.1:6379')
}

/** From now on workers may join. */
export async function announceQueue(
  outRoot: string,
  runId: string,
  { url }: QueueChoice,
): Promise<void> {
  const folder = queueFolder(outRoot, runId)
  ensureFolder(folder)
  const kind = url === undefined ? 'folder' : 'redis'
  await writeJsonAtomic(path.join(folder, markName), { schemaVersion: 1, runId, kind })
}

/** For whoever has seen that nothing is left in it. */
export async function removeQueue(outRoot: string, runId: string, queue: JobQueue): Promise<void> {
  if (!(await queue.removeIfEmpty())) return
  await promises.rm(queueFolder(outRoot, runId), { recursive: true, force: true })
}

/** Runs with a queue of this kind, oldest first. */
export function openRuns(outRoot: string, kind: 'folder' | 'redis'): string[] {
  const folder = path.join(outRoot, 'queue')
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    throw error
  }
  return names.filter((name) => isRunId(name) && kindOf(path.join(folder, name)) === kind).sort()
}

function kindOf(folder: string): unknown {
  try {
    const mark: unknown = JSON.parse(readFileSync(path.join(folder, markName), 'utf8'))
    return typeof mark === 'object' && mark !== null && 'kind' in mark ? mark.kind : undefined
  } catch {
    return undefined
  }
}
