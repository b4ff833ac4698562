// A lock on disk: a file that appears atomically with its content, which identifies the holder.
// This file creates, reads and evaluates lock files; lock.ts waits, breaking.ts removes dead locks.
import { closeSync, constants, fstatSync, linkSync, openSync, readSync, writeSync } from 'node:fs'
import { systemClock } from '../clock/clock.ts'
import { errnoOf } from '../errors/errors.ts'
import { isLinkUnsupported, removeQuietly, tempPathFor, writeFully } from '../files/files.ts'
import { currentProcess, hostName, processState } from '../identity/identity.ts'
import type { ProcessIdentity } from '../identity/identity.ts'
import { randomHex } from '../ids/ids.ts'

interface LockHolder extends ProcessIdentity {
  /** The machine's name, for messages. */
  host: string
  /** Unique to one acquisition of one lock. */
  nonce: string
}

export interface LockSnapshot {
  /** Identifies this acquisition of the lock, also when the content is unreadable. */
  key: string
  holder: LockHolder | undefined
  /** Last touch, by the clock of the disk. */
  touchedMs: number
}

/** A holder that cannot be checked (another machine, an unreadable file) is dead after this time. */
const staleAfterMs = 30_000

/** Other users must be able to read the content to check the holder. */
const lockMode = 0o644
const maxContentBytes = 4096
const foreignCheckIntervalMs = 1000

/** One attempt to acquire a lock: a temporary file with our content, to be linked to the lock's path. */
export class LockAttempt {
  readonly path: string
  readonly nonce = randomHex(16)
  readonly #content: string
  readonly #temp: string
  #canLink: boolean
  #lastForeignCheck: { key: string; atMs: number } | undefined

  /** `beside`: the target whose sweep removes the temporary file if this process is killed. */
  constructor(path: string, { beside = path, canLink = true } = {}) {
    this.path = path
    this.#canLink = canLink
    const holder: LockHolder = { ...currentProcess(), host: hostName(), nonce: this.nonce }
    this.#content = `${JSON.stringify(holder)}\n`
    this.#temp = tempPathFor(beside)
    createFile(this.#temp, this.#content)
  }

  /** Acquires the lock if it is free; returns whether it did. */
  tryAcquire(): boolean {
    if (!this.#canLink) return this.#tryCreate()
    try {
      linkSync(this.#temp, this.path)
      return true
    } catch (error) {
      if (errnoOf(error) === 'EEXIST') return false
      if (!isLinkUnsupported(error)) throw error
      this.#canLink = false
      return this.#tryCreate()
    }
  }

  /** Whether the holder is dead, so that its lock may be broken. */
  isAbandoned(snapshot: LockSnapshot): boolean {
    const state = snapshot.holder === undefined ? 'elsewhere' : processState(snapshot.holder)
    if (state !== 'elsewhere') return state === 'dead'
    // Reading the disk's clock requires a write; once a second is enough for a limit of 30 s.
    const nowMs = systemClock.monotonicMs()
    const last = this.#lastForeignCheck
    if (last?.key === snapshot.key && nowMs - last.atMs < foreignCheckIntervalMs) return false
    this.#lastForeignCheck = { key: snapshot.key, atMs: nowMs }
    return this.diskTimeMs() - snapshot.touchedMs > staleAfterMs
  }

  /** The disk's clock: clocks of machines that share a folder may differ by minutes. */
  diskTimeMs(): number {
    const descriptor = openSync(this.#temp, 'r+')
    try {
      writeSync(descriptor, this.#content, 0)
      return fstatSync(descriptor).mtimeMs
    } finally {
      closeSync(descriptor)
    }
  }

  /** Removes the temporary file; an acquired lock stays. */
  discard(): void {
    removeQuietly(this.#temp)
  }

  /** For disks without hard links. Until the content is written, readers see an unknown holder. */
  #tryCreate(): boolean {
    try {
      createFile(this.path, this.#content)
      return true
    } catch (error) {
      if (errnoOf(error) === 'EEXIST') return false
      throw error
    }
  }
}

/** Reads the lock file; undefined when it does not exist. */
export function readLock(path: string): LockSnapshot | undefined {
  let descriptor: number
  try {
    // Unlike stat, open makes NFS revalidate with the server (close-to-open consistency).
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
    descriptor = openSync(path, flags)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
  try {
    const stats = fstatSync(descriptor, { bigint: true })
    const content = Buffer.alloc(maxContentBytes)
    const length = readSync(descriptor, content, 0, maxContentBytes, null)
    const holder = parseHolder(content.toString('utf8', 0, length))
    const key = holder?.nonce ?? `unknown-${stats.ino}-${stats.mtimeNs}`
    return { key, holder, touchedMs: Number(stats.mtimeNs / 1000n) / 1000 }
  } finally {
    closeSync(descriptor)
  }
}

function createFile(path: string, content: string): void {
  const descriptor = openSync(path, 'wx', lockMode)
  try {
    writeFully(descriptor, content)
  } catch (error) {
    removeQuietly(path)
    throw error
  } finally {
    closeSync(descriptor)
  }
}

function parseHolder(text: string): LockHolder | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isHolder(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isHolder(value: unknown): value is LockHolder {
  if (typeof value !== 'object' || value === null) return false
  const holder = value as Record<string, unknown>
  const texts = ['machine', 'boot', 'pidNamespace', 'started', 'host', 'nonce']
  if (!texts.every((name) => typeof holder[name] === 'string')) return false
  if (!/^[0-9a-f]{32}$/.test(String(holder.nonce))) return false
  return Number.isSafeInteger(holder.pid) && Number(holder.pid) > 0
}
