// The embedded queue: a folder below the output root, shared by every worker that sees it. Jobs lie in
// one file and a cursor walks over it, so that a lease costs the same with ten jobs and ten thousand; a
// lease is a lock of core, which tells a living holder from a dead one, on this machine and on others.
import { closeSync, existsSync, openSync, promises, readdirSync, readFileSync } from 'node:fs'
import { readSync, statSync } from 'node:fs'
import path from 'node:path'
import { writeJsonAtomic } from '@zee/core/atomic-file'
import { errnoOf, ZeeError } from '@zee/core/errors'
import { ensureFolder } from '@zee/core/folders'
import { openJournal } from '@zee/core/journal'
import { acquireLock, withLock, type Lock } from '@zee/core/lock'
import { maxLockWaitMs } from '@zee/evidence/limits'
import type { JobQueue, Lease, Leased, QueuedJob } from './job-queue.ts'

interface StoredLease {
  job: QueuedJob
  deliveries: number
}

/** Not durable on purpose: what a power cut takes back is handed out again, which harms nothing. */
const quick = { durable: false } as const
const longestJob = 4096

/** Makes the folder; the same queue for everybody who opens it. */
export async function openFolderQueue(folder: string): Promise<JobQueue> {
  ensureFolder(path.join(folder, 'leased'))
  ensureFolder(path.join(folder, 'again'))
  return new FolderQueue(folder)
}

class FolderQueue implements JobQueue {
  readonly place: string
  readonly #jobs: string
  readonly #cursor: string

  constructor(folder: string) {
    this.place = folder
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

  async lease(): Promise<Leased> {
    const leased = await this.#whileThere(
      async () => (await this.#locked(() => this.#leaseNext())) ?? (await this.#takeOver()),
    )
    return leased ?? 'empty'
  }

  async drain(): Promise<void> {
    await this.#whileThere(() =>
      this.#locked(async () => {
        const size = statSync(this.#jobs, { throwIfNoEntry: false })?.size ?? 0
        await writeJsonAtomic(this.#cursor, { offset: size }, quick)
        for (const name of this.#names('again')) await promises.rm(this.#file('again', name))
      }),
    )
  }

  async removeIfEmpty(): Promise<boolean> {
    const removed = await this.#whileThere(() =>
      this.#locked(async () => {
        if (this.#nextJob() !== undefined || this.#hasLeases()) return false
        await promises.rm(this.place, { recursive: true, force: true })
        return true
      }),
    )
    return removed ?? true
  }

  async close(): Promise<void> {}

  /** Undefined when the folder is gone: whoever saw the last job end has removed it. */
  async #whileThere<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    if (!existsSync(this.place)) return undefined
    try {
      return await work()
    } catch (error) {
      if (!existsSync(this.place)) return undefined
      throw error
    }
  }

  #locked<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    return withLock(path.join(this.place, 'queue.lock'), { waitMs: maxLockWaitMs }, work)
  }

  async #leaseNext(): Promise<Leased | undefined> {
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
    // Last of all: a holder that dies before leaves the job where it was.
    if (lease !== 'busy') await writeJsonAtomic(this.#cursor, { offset: next.end }, quick)
    return lease
  }

  /** The lock first, so that nobody finds a lease without a living holder that has one. */
  async #hold(stored: StoredLease): Promise<Lease | 'busy'> {
    const name = `${stored.job.slot}.json`
    const lock = await lockNow(this.#lockOf(name))
    if (lock === undefined) return 'busy'
    await writeJsonAtomic(this.#file('leased', name), stored, quick)
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
          await writeJsonAtomic(this.#file('again', name), again, quick)
          await promises.rm(file, { force: true })
        }
        await lock.release()
      },
    }
  }

  /** Nothing is left to begin: what dead holders left is begun again. */
  async #takeOver(): Promise<Leased> {
    const names = this.#names('leased')
    for (const name of names) {
      const lock = await lockNow(this.#lockOf(name))
      if (lock === undefined) continue
      const stored = readLease(this.#file('leased', name))
      if (stored === undefined) {
        await lock.release()
        continue
      }
      const taken = { job: stored.job, deliveries: stored.deliveries + 1 }
      await writeJsonAtomic(this.#file('leased', name), taken, quick)
      return this.#leaseOf(name, taken, lock)
    }
    return this.#hasLeases() ? 'busy' : 'empty'
  }

  #hasLeases(): boolean {
    return this.#names('leased').length > 0 || this.#names('again').length > 0
  }

  /** The job at the cursor and where the next one begins; lines that do not parse are passed over. */
  #nextJob(): { job: QueuedJob; end: number } | undefined {
    let offset = readOffset(this.#cursor)
    for (;;) {
      const line = readLine(this.#jobs, offset)
      if (line === undefined) return undefined
      offset += line.length + 1
      const job = parsed<QueuedJob>(line.toString('utf8'))
      if (typeof job?.slot === 'number') return { job, end: offset }
    }
  }

  #names(folder: 'leased' | 'again'): string[] {
    try {
      return readdirSync(path.join(this.place, folder)).filter((name) => /^\d+\.json$/.test(name))
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return []
      throw error
    }
  }

  #file(folder: 'leased' | 'again', name: string): string {
    return path.join(this.place, folder, name)
  }

  #lockOf(name: string): string {
    return this.#file('leased', name.replace(/json$/, 'lock'))
  }
}

async function lockNow(file: string): Promise<Lock | undefined> {
  try {
    return await acquireLock(file, { waitMs: 0 })
  } catch (error) {
    if (error instanceof ZeeError && error.code === 'lock_timeout') return undefined
    throw error
  }
}

function readOffset(file: string): number {
  const offset = textOf(file)
  return parsed<{ offset: number }>(offset ?? '')?.offset ?? 0
}

function readLease(file: string): StoredLease | undefined {
  return parsed<StoredLease>(textOf(file) ?? '')
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function parsed<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T
  } catch {
    return undefined
  }
}

/** A whole line of the file from `offset` on, without its newline. */
function readLine(file: string, offset: number): Buffer | undefined {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
  try {
    const bytes = Buffer.allocUnsafe(longestJob)
    const length = readSync(descriptor, bytes, 0, longestJob, offset)
    const end = bytes.subarray(0, length).indexOf(0x0a)
    return end < 0 ? undefined : bytes.subarray(0, end)
  } finally {
    closeSync(descriptor)
  }
}
