// Threads that prefilter files for a long literal search of the disk. If a thread dies, its files count as
// candidates, and the main thread searches them.
import type { Worker } from 'node:worker_threads'
import { threadStarter } from '../../workers/workers.ts'
import { unfiltered } from './jobs.ts'
import type { Prefiltered, PrefilterJob, PrefilterSetup } from './jobs.ts'

export type { PrefilterFolder, PrefilterJob } from './jobs.ts'
export { ReadAhead, pieceFiles } from './read-ahead.ts'
export { servePrefilter } from './thread.ts'

export interface PrefilterOptions {
  threads: number
  /** Threads start only if the search will take at least this much longer, because they start slowly. */
  minRemainingMs?: number
  /** How often a search estimates its remaining time. */
  estimateIntervalMs?: number
}

/** Queued jobs per thread: enough to keep it busy while the main thread reads its own files. */
const jobsPerThread = 4
const defaultMinRemainingMs = 400
const defaultEstimateIntervalMs = 100

/** The thread closes every descriptor that it opens. */
const threadOptions = { trackUnmanagedFds: false }

interface PendingJob {
  files: number
  resolve(filtered: Prefiltered): void
}

interface Thread {
  worker: Worker
  pending: PendingJob[]
}

/** The prefilter of a corpus. At most one search uses it at a time. */
export class Prefilter {
  readonly estimateIntervalMs: number
  readonly #options: PrefilterOptions
  readonly #workerPath: string
  #current: PrefilterPool | undefined
  #closed = false

  constructor(options: PrefilterOptions, workerPath: string) {
    this.#options = options
    this.#workerPath = workerPath
    this.estimateIntervalMs = options.estimateIntervalMs ?? defaultEstimateIntervalMs
  }

  /**
   * Starts threads for a search that has completed `progress` (0 to 1) in `elapsedMs`. Undefined if too little is left,
   * or if another search has the threads.
   */
  start(elapsedMs: number, progress: number, setup: PrefilterSetup): PrefilterPool | undefined {
    const { threads, minRemainingMs = defaultMinRemainingMs } = this.#options
    if (threads < 1 || this.#closed || this.#current !== undefined) return undefined
    if (elapsedMs * (1 - progress) < minRemainingMs * progress) return undefined
    const onClose = (): void => void (this.#current = undefined)
    this.#current = new PrefilterPool(this.#workerPath, threads, setup, onClose)
    return this.#current
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#current?.close()
  }
}

export class PrefilterPool {
  readonly #threads: Thread[] = []
  readonly #onClose: () => void
  #closed = false

  constructor(workerPath: string, count: number, setup: PrefilterSetup, onClose: () => void) {
    this.#onClose = onClose
    // Without threads, `hasRoom` stays false and the search continues alone.
    this.#start(workerPath, count, setup).catch(() => undefined)
  }

  async #start(workerPath: string, count: number, setup: PrefilterSetup): Promise<void> {
    const start = await threadStarter()
    while (this.#threads.length < count && !this.#closed) {
      const worker = start(workerPath, { workerData: setup, ...threadOptions })
      const thread: Thread = { worker, pending: [] }
      worker.on('message', (filtered: Prefiltered) => thread.pending.shift()?.resolve(filtered))
      worker.once('error', () => this.#lose(thread))
      worker.once('exit', () => this.#lose(thread))
      this.#threads.push(thread)
    }
  }

  /** Whether a thread can take another job. */
  get hasRoom(): boolean {
    return this.#threads.some(({ pending }) => pending.length < jobsPerThread)
  }

  /** Runs a job on the thread with the shortest queue. Requires `hasRoom`. */
  run(job: PrefilterJob): Promise<Prefiltered> {
    const [first, ...others] = this.#threads
    let thread = first as Thread
    for (const other of others) if (other.pending.length < thread.pending.length) thread = other
    return new Promise((resolve) => {
      thread.pending.push({ files: job.files, resolve })
      // Only a thread with a pending job keeps the process alive.
      thread.worker.ref()
      thread.worker.postMessage(job, [])
    })
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#onClose()
    const threads = this.#threads.splice(0)
    for (const thread of threads) this.#lose(thread)
    await Promise.all(threads.map(({ worker }) => worker.terminate()))
  }

  #lose(thread: Thread): void {
    const index = this.#threads.indexOf(thread)
    if (index !== -1) this.#threads.splice(index, 1)
    for (const { files, resolve } of thread.pending.splice(0)) resolve(unfiltered(files))
  }
}
