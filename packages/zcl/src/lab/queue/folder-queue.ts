// The embedded queue: a folder below the output root, shared by every worker that sees it.
// Jobs are in one file with a cursor, so the cost of a lease does not grow with the number of jobs.
// A lease holds a lock file of `core/lock`, which detects dead holders on this machine and on others.
import { closeSync, existsSync, openSync, promises, readdirSync, readFileSync } from 'node:fs'
import { readSync, statSync } from 'node:fs'
import path from 'node:path'
import { writeJsonAtomic } from '@zee/core/atomic-file'
import { errnoOf, ZeeError } from '@zee/core/errors'
import { ensureFolder } from '@zee/core/folders'
import { openJournal } from '@zee/core/journal'
import { acquireLock, withLock, type Lock } from '@zee/core/lock'
import { maxLockWaitMs } from '@zee/evidence/limits'
import type { JobQueue, Lease, LeaseResult, QueuedJob } from './job-queue.ts'

interface StoredLease {
  job: QueuedJob
  deliveries: number
}

/** No fsync: after a power cut a job may be leased again, which is harmless. */
const notDurable = { durable: false } as const
const maxJobBytes = 4096

/** Opens the queue in `folder`, and creates it when it is missing. */
export async function openFolderQueue(folder: string): Promise<JobQueue> {
  ensureFolder(path.join(folder, 'leased'))
  ensureFolder(path.join(folder, 'again'))
  return new FolderQueue(folder)
}

class FolderQueue implements JobQueue {
  readonly location: string
  readonly #jobs: string
  readonly #cursor: string

  constructor(folder: string) {
    this.location = folder
    this.#jobs = path.join(folder, 'jobs.jsonl')
    this.#cursor = path.join(folder, 'cursor.json')
  }

  async enqueue(jobs: Iterable<QueuedJob>): Promise<void> {
    await this.#locked(() => {
      const journal = openJournal(this.#jobs)
      try {
        for (const job of jobs) journal.append(job)
        journal.sync()
      } finally {
        journal.close()
      }
    })
  }

  async lease(): Promise<LeaseResult> {
    const leased = await this.#unlessRemoved(
      async () =>
        (await this.#locked(() => this.#leaseNext())) ?? (await this.#leaseOfDeadHolder()),
    )
    return leased ?? 'empty'
  }

  async drain(): Promise<void> {
    await this.#unlessRemoved(() =>
      this.#locked(async () => {
        const size = statSync(this.#jobs, { throwIfNoEntry: false })?.size ?? 0
        await writeJsonAtomic(this.#cursor, { offset: size }, notDurable)
        for (const name of this.#names('again')) await promises.rm(this.#file('again', name))
      }),
    )
  }

  async removeIfEmpty(): Promise<boolean> {
    const removed = await this.#unlessRemoved(() =>
      this.#locked(async () => {
        if (this.#nextJob() !== undefined || this.#hasLeases()) return false
        await promises.rm(this.location, { recursive: true, force: true })
        return true
      }),
    )
    return removed ?? true
  }

  async close(): Promise<void> {}

  /** Runs `work`; undefined when the worker that completed the last job removed the folder. */
  async #unlessRemoved<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    if (!existsSync(this.location)) return undefined
    try {
      return await work()
    } catch (error) {
      if (!existsSync(this.location)) return undefined
      throw error
    }
  }

  #locked<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    return withLock(path.join(this.location, 'queue.lock'), { waitMs: maxLockWaitMs }, work)
  }

  async #leaseNext(): Promise<LeaseResult | undefined> {
    const [again] = this.#names('again')
    if (again !== undefined) {
      const file = this.#file('again', again)
      const stored = readLease(file)
      const lease = stored === undefined ? undefined : await this.#hold(stored)
      if (lease === 'busy') return lease
      await promises.rm(file, { force: true })
      return lease ?? this.#leaseNext()
    }
    const next = this.#nextJob()
    if (next === undefined) return undefined
    const lease = await this.#hold({ job: next.job, deliveries: 0 })
    // The cursor moves last: if the holder dies before, the job stays in the queue.
    if (lease !== 'busy') await writeJsonAtomic(this.#cursor, { offset: next.end }, notDurable)
    return lease
  }

  /** Takes the lock before it writes the lease, so a lease file without a live lock is stale. */
  async #hold(stored: StoredLease): Promise<Lease | 'busy'> {
    const name = `${stored.job.slot}.json`
    const lock = await tryLock(this.#lockOf(name))
    if (lock === undefined) return 'busy'
    await writeJsonAtomic(this.#file('leased', name), stored, notDurable)
    return this.#leaseOf(name, stored, lock)
  }

  #leaseOf(name: string, stored: StoredLease, lock: Lock): Lease {
    const file = this.#file('leased', name)
    return {
      ...stored,
      heartbeat: async () => lock.isHeld(),
      complete: async () => {
        if (lock.isHeld()) await promises.rm(file, { force: true })
        await lock.release()
      },
      fail: async () => {
        if (lock.isHeld()) {
          const again = { job: stored.job, deliveries: stored.deliveries + 1 }
          await writeJsonAtomic(this.#file('again', name), again, notDurable)
          await promises.rm(file, { force: true })
        }
        await lock.release()
      },
    }
  }

  /** Leases a job of a dead holder again. */
  async #leaseOfDeadHolder(): Promise<LeaseResult> {
    const names = this.#names('leased')
    for (const name of names) {
      const lock = await tryLock(this.#lockOf(name))
      if (lock === undefined) continue
      const stored = readLease(this.#file('leased', name))
      if (stored === undefined) {
        await lock.release()
        continue
      }
      const retaken = { job: stored.job, deliveries: stored.deliveries + 1 }
      await writeJsonAtomic(this.#file('leased', name), retaken, notDurable)
      return this.#leaseOf(name, retaken, lock)
    }
    return this.#hasLeases() ? 'busy' : 'empty'
  }

  #hasLeases(): boolean {
    return this.#names('leased').length > 0 || this.#names('again').length > 0
  }

  /** The job at the cursor and the offset after it; skips lines that do not parse. */
  #nextJob(): { job: QueuedJob; end: number } | undefined {
    let offset = readOffset(this.#cursor)
    for (;;) {
      const line = readLine(this.#jobs, offset)
      if (line === undefined) return undefined
      offset += line.length + 1
      const job = parseJson<QueuedJob>(line.toString('utf8'))
      if (typeof job?.slot === 'number') return { job, end: offset }
    }
  }

  #names(folder: 'leased' | 'again'): string[] {
    try {
      return readdirSync(path.join(this.location, folder)).filter((name) =>
        /^\d+\.json$/.test(name),
      )
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return []
      throw error
    }
  }

  #file(folder: 'leased' | 'again', name: string): string {
    return path.join(this.location, folder, name)
  }

  #lockOf(name: string): string {
    return this.#file('leased', name.replace(/json$/, 'lock'))
  }
}

async function tryLock(file: string): Promise<Lock | undefined> {
  try {
    return await acquireLock(file, { waitMs: 0 })
  } catch (error) {
    if (error instanceof ZeeError && error.code === 'lock_timeout') return undefined
    throw error
  }
}

function readOffset(file: string): number {
  const offset = readIfExists(file)
  return parseJson<{ offset: number }>(offset ?? '')?.offset ?? 0
}

function readLease(file: string): StoredLease | undefined {
  return parseJson<StoredLease>(readIfExists(file) ?? '')
}

function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function parseJson<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T
  } catch {
    return undefined
  }
}

/** The line at `offset` without its newline; undefined when it is incomplete. */
function readLine(file: string, offset: number): Buffer | undefined {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
  try {
    const bytes = Buffer.allocUnsafe(maxJobBytes)
    const length = readSync(descriptor, bytes, 0, maxJobBytes, offset)
    const end = bytes.subarray(0, length).indexOf(0x0a)
    return end < 0 ? undefined : bytes.subarray(0, end)
  } finally {
    closeSync(descriptor)
  }
}
