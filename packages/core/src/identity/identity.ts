// Identifies a process, so that readers of a lock or temporary file can check whether its writer runs.
// A pid alone is not enough: it is reused, and has no meaning on another machine or in another namespace.
import { readFileSync, readlinkSync } from 'node:fs'
import { errnoOf } from '../errors/errors.ts'
import { fingerprint } from '../ids/ids.ts'
import { isZombie, processStat } from './stat.ts'

export { isZombie, processStat, type ProcessStat } from './stat.ts'

export interface ProcessIdentity {
  /** Hash of the machine id; systemd asks not to expose the id itself. */
  machine: string
  /** Boot id, new after every boot; empty where the system has none. */
  boot: string
  /** Namespace of the pid; empty where the system has none. */
  pidNamespace: string
  pid: number
  /** Start of the process in clock ticks since boot; empty where the system has no /proc. */
  started: string
}

type ProcessState = 'alive' | 'dead' | 'elsewhere'

let cachedIdentity: ProcessIdentity | undefined
let cachedScope: string | undefined
let cachedHostName: string | undefined

/** Identity of the current process. */
export function currentProcess(): ProcessIdentity {
  cachedIdentity ??= {
    machine: fingerprint(readText('/etc/machine-id') || hostName()),
    boot: readText('/proc/sys/kernel/random/boot_id'),
    pidNamespace: readLink('/proc/self/ns/pid'),
    pid: process.pid,
    started: processStat('self')?.started ?? '',
  }
  return cachedIdentity
}

/** The machine's name, from /proc where possible: loading `node:os` slows a start. */
export function hostName(): string {
  cachedHostName ??=
    readText('/proc/sys/kernel/hostname') || process.getBuiltinModule('node:os').hostname()
  return cachedHostName
}

/** Hash of machine, boot and pid namespace: pids are comparable where it is equal. */
export function pidScopeOf(identity: ProcessIdentity): string {
  if (identity !== cachedIdentity) return hashScope(identity)
  cachedScope ??= hashScope(identity)
  return cachedScope
}

function hashScope({ machine, boot, pidNamespace }: ProcessIdentity): string {
  return fingerprint(`${machine} ${boot} ${pidNamespace}`).slice(0, 12)
}

/** `elsewhere`: the process belongs to another machine, boot or pid namespace. */
export function processState(identity: ProcessIdentity): ProcessState {
  const current = currentProcess()
  const isComparable =
    identity.machine === current.machine &&
    identity.boot === current.boot &&
    identity.pidNamespace === current.pidNamespace
  if (!isComparable) return 'elsewhere'
  return isAlive(identity) ? 'alive' : 'dead'
}

/** Whether a process in this pid namespace runs. A zombie or a reused pid counts as dead. */
export function isAlive(identity: Pick<ProcessIdentity, 'pid' | 'started'>): boolean {
  if (identity.pid === cachedIdentity?.pid && identity.started === cachedIdentity.started)
    return true
  const stat = processStat(identity.pid)
  // No /proc, or one mounted with hidepid: fall back to signal 0.
  if (stat === undefined) return acceptsSignals(identity.pid)
  if (isZombie(stat)) return false
  return identity.started === '' || identity.started === stat.started
}

function acceptsSignals(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errnoOf(error) === 'EPERM'
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}

function readLink(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
