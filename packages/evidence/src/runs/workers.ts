// Who works on the queue of a run: its leases name the processes that hold them.
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { readBoundedFile } from '@zee/core/bounded-file'
import { processState, type ProcessIdentity } from '@zee/core/identity'
import { parseObject } from '@zee/core/json'

/** The holder of a lease on another machine touches its lock every 5 s. */
const elsewhereMs = 30_000
/** Between two jobs a worker holds no lease. */
const betweenJobsMs = 5000

/** Whether a process works on the queue. A queue without one belongs to a run that was stopped. */
export function isWorkedOn(queue: string, nowMs: number): boolean {
  const leases = path.join(queue, 'leased')
  const isRecent = (name: string, ms: number): boolean => nowMs - modifiedMs(name) < ms
  if (isRecent(queue, betweenJobsMs) || isRecent(leases, betweenJobsMs)) return true
  return leaseHolders(queue).some(({ file, holder }) => {
    const state = processState(holder)
    return state === 'alive' || (state === 'elsewhere' && isRecent(file, elsewhereMs))
  })
}

/** The processes that the lock files of a queue name. They are not checked: a lock file may name any process. */
export function leaseHolders(queue: string): { file: string; holder: ProcessIdentity }[] {
  const folder = path.join(queue, 'leased')
  return lockNames(folder).flatMap((name) => {
    const file = path.join(folder, name)
    const holder = readHolder(file)
    return holder === undefined ? [] : [{ file, holder }]
  })
}

function readHolder(file: string): ProcessIdentity | undefined {
  try {
    const stored = parseObject(readBoundedFile(file).toString('utf8')) as
      | Partial<ProcessIdentity>
      | undefined
    const { machine = '', boot = '', pidNamespace = '', pid = 0, started = '' } = stored ?? {}
    return Number.isSafeInteger(pid) && pid > 1
      ? { machine, boot, pidNamespace, pid, started }
      : undefined
  } catch {
    // The lease was given back.
    return undefined
  }
}

function lockNames(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.lock'))
  } catch {
    return []
  }
}

function modifiedMs(name: string): number {
  return statSync(name, { throwIfNoEntry: false })?.mtimeMs ?? -Infinity
}
