// Who a process is, so that a lock or a temporary file can tell whether its writer still lives.
// A pid alone is not enough: it is reused, and it means nothing on another machine or namespace.
import { readFileSync, readlinkSync } from 'node:fs'
import { errnoOf } from '../errors/errors.ts'
import { fingerprint } from '../ids/ids.ts'
import { isZombie, processStat } from './stat.ts'

export { isZombie, processStat } from './stat.ts'

export interface ProcessIdentity {
  /** A digest of the machine's id: the id itself must not leave the machine. */
  machine: string
  /** Differs after every start of the machine; empty where the system does not say. */
  boot: string
  /** The space in which the pid counts; empty where the system has only one. */
  pidNamespace: string
  pid: number
  /** Start of the process in ticks since boot; empty where the system does not say. */
  started: string
}

type ProcessState = 'alive' | 'dead' | 'elsewhere'

let cachedIdentity: ProcessIdentity | undefined
let cachedScope: string | undefined
let cachedHostName: string | undefined

/** The process that runs this code. */
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

/** The machine's name. Node's `os` is only asked where there is no file: loading it costs a start. */
export function hostName(): string {
  cachedHostName ??=
    readText('/proc/sys/kernel/hostname') || process.getBuiltinModule('node:os').hostname()
  return cachedHostName
}

/** A short name for the machine, boot and namespace of this process; equal where pids compare. */
export function pidScopeOf(identity: ProcessIdentity): string {
  if (identity !== cachedIdentity) return hashScope(identity)
  cachedScope ??= hashScope(identity)
  return cachedScope
}

function hashScope({ machine, boot, pidNamespace }: ProcessIdentity): string {
  return fingerprint(`${machine} ${boot} ${pidNamespace}`).slice(0, 12)
}

/** `elsewhere`: its pid says nothing here (another machine, boot or pid namespace). */
export function processState(identity: ProcessIdentity): ProcessState {
  const current = currentProcess()
  const isComparable =
    identity.machine === current.machine &&
    identity.boot === current.boot &&
    identity.pidNamespace === current.pidNamespace
  if (!isComparable) return 'elsewhere'
  return isAlive(identity) ? 'alive' : 'dead'
}

/** Whether a process of this machine and namespace still runs. A zombie and a reused pid are dead. */
export function isAlive(identity: Pick<ProcessIdentity, 'pid' | 'started'>): boolean {
  if (identity.pid === cachedIdentity?.pid && identity.started === cachedIdentity.started)
    return true
  const stat = processStat(identity.pid)
  // Without /proc, or with a /proc that hides the processes of others, only a signal can tell.
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
