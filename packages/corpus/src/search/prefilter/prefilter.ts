// Threads that sift files for one search at a time. A thread that dies sifts nothing: all is kept, and the
// thread that answers looks for itself.
import type { Worker } from 'node:worker_threads'
import { threadStarter } from '../../workers/workers.ts'
import { unfiltered } from './jobs.ts'
import type { Prefiltered, PrefilterJob, PrefilterSetup } from './jobs.ts'

export type { PrefilterFolder, PrefilterJob } from './jobs.ts'
export { ReadAhead, pieceFiles } from './read-ahead.ts'
export { servePrefilter } from './thread.ts'

export interface SiftOptions {
  threads: number
  /** Threads take some time to start: they pay when this much of a search seems to be left. */
  leftMs?: number
  /** How often a search looks how much that is; nothing is known before. */
  lookMs?: number
}

/** Enough for a thread to go on while the one that answers is busy with its own files. */
const jobsPerThread = 4
const defaultLeftMs = 400
const defaultLookMs = 100

/** It closes what it opens. */
const threadOptions = { trackUnmanagedFds: false }

interface Waiting {
  files: number
  resolve(sifted: Prefiltered): void
}

interface Thread {
  worker: Worker
  waiting: Waiting[]
}

/** What a corpus has for all its searches: at most one has threads at a time. */
export class PrefilterUse {
  readonly lookMs: number
  readonly #options: SiftOptions
  readonly #workerPath: string
  #current: PrefilterPool | undefined
  #closed = false

  constructor(options: SiftOptions, workerPath: string) {
    this.#options = options
    this.#workerPath = workerPath
    this.lookMs = options.lookMs ?? defaultLookMs
  }

  /**
   * Threads for a search that has come so far, as a share of all, in so many milliseconds; undefined when they
   * would not pay, or when another search has them.
   */
  begin(elapsedMs: number, share: number, setup: PrefilterSetup): PrefilterPool | undefined {
    const { threads, leftMs = defaultLeftMs } = this.#options
    if (threads < 1 || this.#closed || this.#current !== undefined) return undefined
    if (elapsedMs * (1 - share) < leftMs * share) return undefined
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
    // Without them there is never room for a job.
    this.#start(workerPath, count, setup).catch(() => undefined)
  }

  async #start(workerPath: string, count: number, setup: PrefilterSetup): Promise<void> {
    const start = await threadStarter()
    while (this.#threads.length < count && !this.#closed) {
      const worker = start(workerPath, { workerData: setup, ...threadOptions })
      const thread: Thread = { worker, waiting: [] }
      worker.on('message', (sifted: Prefiltered) => thread.waiting.shift()?.resolve(sifted))
      worker.once('error', () => this.#lose(thread))
      worker.once('exit', () => this.#lose(thread))
      this.#threads.push(thread)
    }
  }

  /** A thread has room for a job. */
  get hasRoom(): boolean {
    return this.#threads.some(({ waiting }) => waiting.length < jobsPerThread)
  }

  /** Has a job done; there has to be room. */
  sift(job: PrefilterJob): Promise<Prefiltered> {
    const [first, ...others] = this.#threads
    let thread = first as Thread
    for (const other of others) if (other.waiting.length < thread.waiting.length) thread = other
    return new Promise((resolve) => {
      thread.waiting.push({ files: job.files, resolve })
      // Replies count as work to be waited for, threads at rest do not.
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
    const at = this.#threads.indexOf(thread)
    if (at !== -1) this.#threads.splice(at, 1)
    for (const { files, resolve } of thread.waiting.splice(0)) resolve(unfiltered(files))
  }
}
