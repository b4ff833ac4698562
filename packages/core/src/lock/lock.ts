// An exclusive lock between processes, also across machines that share a folder.
// The lock of a dead process on this machine is broken immediately. A holder on another machine counts
// as dead when it has not touched its lock for 30 s.
import { closeSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs'
import { sleepSync, systemClock } from '../clock/clock.ts'
import { errnoOf, fileError, lateFileError, oneLine, ZeeError } from '../errors/errors.ts'
import { siblingNames, sweepDeadTemps } from '../files/files.ts'
import { currentProcess, hostName, pidScopeOf } from '../identity/identity.ts'
import { breakLock, sweepStaleClaims } from './breaking.ts'
import { LockAttempt, readLock, type LockSnapshot } from './file.ts'

export interface LockOptions {
  /** How long to wait for a live holder; default 30 s, 0 tries once. */
  waitMs?: number
  signal?: AbortSignal
}

export interface Lock {
  /** Releases the lock; idempotent. */
  release(): Promise<void>
  /** False after release, and when another process has broken the lock. */
  isHeld(): boolean
  /** Throws `lock_lost` when this process was paused beyond its lease, or lost the lock otherwise. */
  assertHeld(): void
}

const touchIntervalMs = 5000
/** Another machine breaks a lock that is untouched for 30 s; the holder gives up before that. */
const leaseMs = 25_000
const maxPollMs = 25
const maxSweptPaths = 1000

/** Acquires the lock file at `path`; throws `lock_timeout` or `lock_aborted`. */
export async function acquireLock(path: string, options: LockOptions = {}): Promise<Lock> {
  const wait = new LockWait(path, options)
  try {
    while (!wait.tryEnter()) await wait.pause()
    return new HeldLock(path, wait.attempt.nonce)
  } finally {
    wait.end()
  }
}

/** Caches the identity that every lock file contains, to make the first lock faster. */
export function prepareLocks(): void {
  pidScopeOf(currentProcess())
  hostName()
}

/** Runs `work` while holding the lock, and releases it also when the work throws. */
export async function withLock<Result>(
  path: string,
  options: LockOptions,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const lock = await acquireLock(path, options)
  try {
    return await work()
  } finally {
    await lock.release()
  }
}

/** As `withLock` for synchronous sections of microseconds: blocks the thread while waiting. */
export function withLockSync<Result>(path: string, waitMs: number, work: () => Result): Result {
  const wait = new LockWait(path, { waitMs })
  try {
    while (!wait.tryEnter()) wait.pauseSync()
    try {
      return work()
    } finally {
      releaseFile(path, wait.attempt.nonce)
    }
  } finally {
    wait.end()
  }
}

class LockWait {
  readonly attempt: LockAttempt
  readonly #waitMs: number
  readonly #signal: AbortSignal | undefined
  readonly #startedMs = systemClock.monotonicMs()
  #polls = 0
  #holder: LockSnapshot | undefined

  constructor(path: string, options: LockOptions) {
    this.#waitMs = options.waitMs ?? 30_000
    this.#signal = options.signal
    if (this.#signal?.aborted === true) throw aborted(path)
    this.attempt = withLockError(path, () => new LockAttempt(path))
  }

  /** Tries once, breaking abandoned locks; true when we hold the lock. */
  tryEnter(): boolean {
    return withLockError(this.attempt.path, () => {
      while (!this.attempt.tryAcquire()) {
        const snapshot = readLock(this.attempt.path)
        if (snapshot === undefined) return false
        // A network file system may retry a request that had succeeded: EEXIST for our own lock.
        if (snapshot.key === this.attempt.nonce) break
        this.#holder = snapshot
        if (!this.attempt.isAbandoned(snapshot) || !breakLock(this.attempt, snapshot)) return false
        sweptPaths.delete(this.attempt.path)
      }
      sweepOnce(this.attempt)
      return true
    })
  }

  async pause(): Promise<void> {
    const ms = this.#nextPollMs()
    const signal = this.#signal
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, ms)
      signal?.addEventListener('abort', done)
      function done(): void {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        resolve()
      }
    })
    if (signal?.aborted === true) throw aborted(this.attempt.path)
  }

  pauseSync(): void {
    sleepSync(this.#nextPollMs())
  }

  end(): void {
    this.attempt.discard()
  }

  /** Exponential backoff with jitter, bounded by the deadline. */
  #nextPollMs(): number {
    const remainingMs = this.#waitMs - (systemClock.monotonicMs() - this.#startedMs)
    if (remainingMs <= 0) throw timedOut(this.attempt.path, this.#waitMs, this.#holder)
    const step = Math.min(maxPollMs, 2 * 1.5 ** this.#polls++)
    return Math.min(remainingMs, step * (0.5 + Math.random() / 2))
  }
}

class HeldLock implements Lock {
  readonly #path: string
  readonly #nonce: string
  readonly #timer: NodeJS.Timeout
  #released = false
  #isLost = false
  /** When the file was last known to be ours. */
  #confirmed = clockTimes()

  constructor(path: string, nonce: string) {
    this.#path = path
    this.#nonce = nonce
    this.#timer = setInterval(() => this.#touch(), touchIntervalMs)
    this.#timer.unref()
  }

  isHeld(): boolean {
    return !this.#released && !this.#isLost && containsNonce(this.#path, this.#nonce)
  }

  assertHeld(): void {
    if (this.#released || this.#isLost || this.#isExpired()) throw this.#lost()
  }

  #touch(): void {
    // A touch after the lease has expired could hide from `assertHeld` that it did.
    if (this.#isExpired()) this.#isLost = true
    else this.#confirm()
  }

  #isExpired(): boolean {
    const now = clockTimes()
    const { monotonicMs, uptimeMs, wallMs } = this.#confirmed
    if (Math.max(now.monotonicMs - monotonicMs, now.uptimeMs - uptimeMs) > leaseMs) return true
    // A jump of the wall clock alone: it was set, or a hypervisor stopped the machine with its clocks.
    // Other machines judge the lock by its last touch, so only a new one may extend the lease.
    return Math.abs(now.wallMs - wallMs) > leaseMs && !this.#confirm()
  }

  /** Touches the lock; returns whether it is still ours. */
  #confirm(): boolean {
    const before = clockTimes()
    if (!touch(this.#path, this.#nonce)) return false
    this.#confirmed = before
    return true
  }

  #lost(): ZeeError {
    this.#isLost = true
    const message =
      `the lock ${oneLine(this.#path)} is lost: this process did not run for ` +
      `${leaseMs / 1000} s, or another process took over`
    return new ZeeError('lock_lost', message)
  }

  async release(): Promise<void> {
    if (this.#released) return
    this.#released = true
    clearInterval(this.#timer)
    releaseFile(this.#path, this.#nonce)
  }
}

function releaseFile(path: string, nonce: string): void {
  if (!containsNonce(path, nonce)) return
  try {
    unlinkSync(path)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw lateFileError('release the lock', path, error)
  }
}

function containsNonce(path: string, nonce: string): boolean {
  try {
    return readFileSync(path, 'utf8').includes(`"${nonce}"`)
  } catch {
    return false
  }
}

/**
 * Rewrites one byte: unlike utimes, this sets mtime by the clock of the disk's machine. Returns whether
 * the lock is still ours.
 */
function touch(path: string, nonce: string): boolean {
  try {
    const descriptor = openSync(path, 'r+')
    try {
      const content = readFileSync(descriptor, 'utf8')
      if (!content.includes(`"${nonce}"`)) return false
      writeSync(descriptor, content.slice(0, 1), 0)
      return true
    } finally {
      closeSync(descriptor)
    }
  } catch {
    // Missing or unreachable: `isHeld` reports it, and the next touch may succeed.
    return false
  }
}

function clockTimes(): { monotonicMs: number; uptimeMs: number; wallMs: number } {
  return {
    monotonicMs: systemClock.monotonicMs(),
    uptimeMs: systemClock.uptimeMs(),
    wallMs: systemClock.now().getTime(),
  }
}

const sweptPaths = new Set<string>()

/** Removes leftovers beside the lock, once per lock and process and after each dead holder. */
function sweepOnce(attempt: LockAttempt): void {
  if (sweptPaths.has(attempt.path)) return
  if (sweptPaths.size >= maxSweptPaths) sweptPaths.clear()
  sweptPaths.add(attempt.path)
  const names = siblingNames(attempt.path)
  sweepDeadTemps(attempt.path, () => attempt.diskTimeMs(), names)
  sweepStaleClaims(attempt.path, attempt.nonce, names)
}

function withLockError<Result>(path: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw error instanceof ZeeError ? error : fileError('lock', path, error)
  }
}

function aborted(path: string): ZeeError {
  return new ZeeError('lock_aborted', `gave up waiting for the lock ${oneLine(path)}`)
}

function timedOut(path: string, waitMs: number, snapshot: LockSnapshot | undefined): ZeeError {
  const advice = 'wait until it ends, or remove the file if that process no longer runs'
  const holder = describeHolder(snapshot)
  const message = `${oneLine(path)} is locked by ${holder}, waited ${waitMs} ms: ${advice}`
  return new ZeeError('lock_timeout', message)
}

function describeHolder(snapshot: LockSnapshot | undefined): string {
  if (snapshot?.holder === undefined) return 'an unknown process'
  const { pid, host, machine } = snapshot.holder
  const where = machine === currentProcess().machine ? 'this machine' : 'another machine'
  return `process ${pid} on ${oneLine(host) || 'an unnamed machine'} (${where})`
}
