// The pool of query threads, which run one job at a time. If a thread dies, the pool closes, and the main thread
// searches alone.
import type { Worker } from 'node:worker_threads'
import { kernelModule, reserve } from '../../../kernel/kernel.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { wait } from '../../../steps.ts'
import type { Steps } from '../../../steps.ts'
import { threadStarter } from '../../../workers/workers.ts'
import { Control, controlBytes, itemBytes } from '../layout.ts'
import type { QueryJob, QuerySetup, ThreadMessage } from './jobs.ts'
import { QueryRun } from './run.ts'
import type { RunLimits } from './run.ts'

export type { QueryPattern } from './jobs.ts'
export { serveQueries } from './thread.ts'
export type { ItemText, QueryRun, RunLimits } from './run.ts'

export interface QueryPoolOptions {
  kernel: Kernel
  /** The bundled `query-worker`. */
  workerPath: string
  threads: number
  /** Memory limit of the entire index. */
  memoryBytes: number
  /** Longest wait for threads that start. */
  maxStartMs?: number | undefined
}

/** Longest waits for idle threads: for the end of the current text, and for threads that start. */
const maxStopMs = 20
const defaultStartMs = 500

/** Each thread gets at least this many groups of items, so that all finish at about the same time. */
const groupsPerThread = 8
const maxGroup = 16

/** Memory of a thread for an automaton, and for lines that are not collected yet. */
const maxTableBytes = 4 << 20
const maxLinesBytes = 1 << 20

export class QueryPool {
  readonly #options: QueryPoolOptions
  readonly #controlAt: number | undefined
  #workers: Worker[] = []
  /** Threads that run a job or have not started yet. */
  #busy = 0
  #isStarted = false
  #isClosed = false
  /** Jobs submitted so far. */
  jobs = 0
  #run: QueryRun | undefined
  #onIdle: (() => void) | undefined
  #items = { address: 0, count: 0 }

  constructor(options: QueryPoolOptions) {
    this.#options = options
    this.#controlAt = reserve(options.kernel.memory, controlBytes)
  }

  /** Starts the threads, unless they were started before. Does not wait for them. */
  start(): void {
    if (this.#isStarted || this.#controlAt === undefined) return
    this.#isStarted = true
    void this.#startThreads(this.#controlAt).catch(() => this.#closeOnce())
  }

  /** Whether the threads can take a job. */
  get isIdle(): boolean {
    return this.#workers.length > 0 && this.#busy === 0 && !this.#isClosed
  }

  /** Number of threads that run a job. */
  get searching(): number {
    return this.#run === undefined || this.#isClosed ? 0 : this.#busy
  }

  /** Waits briefly for threads that start, or that still run a stopped job. */
  *waitUntilIdle(maxMs: number): Steps<boolean> {
    if (!this.#isStarted || this.#isClosed || this.isIdle) return this.isIdle
    this.#run?.stop()
    const { maxStartMs = defaultStartMs } = this.#options
    const maxWaitMs = this.#run === undefined ? maxStartMs : maxStopMs
    const idle = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(maxWaitMs, maxMs))
      this.#onIdle = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    yield* wait(idle)
    return this.isIdle
  }

  /** The address of memory for `count` items; undefined if there is none. */
  reserveItems(count: number): number | undefined {
    if (count > this.#items.count) {
      const reserved = Math.max(1024, Math.ceil(count * 1.25))
      const address = reserve(this.#options.kernel.memory, reserved * itemBytes)
      if (address === undefined) return undefined
      this.#items = { address, count: reserved }
    }
    return this.#items.address
  }

  /** Sends a job to all threads. Requires `isIdle`. */
  submit(work: Omit<QueryJob, 'group'>, limits: RunLimits): QueryRun {
    const minGroups = this.#workers.length * groupsPerThread
    const group = Math.min(maxGroup, Math.ceil(work.maxItems / minGroups))
    const job = { ...work, group }
    const { memory } = this.#options.kernel
    const control = new Int32Array(memory.buffer, this.#controlAt, controlBytes / 4)
    for (const word of Object.values(Control)) Atomics.store(control, word, 0)
    const run = new QueryRun(memory, control, job, limits)
    this.#run = run
    this.jobs++
    this.#busy = this.#workers.length
    for (const worker of this.#workers) {
      // A thread with a job keeps the process alive, so that the request is answered.
      worker.ref()
      worker.postMessage(job, [])
    }
    return run
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#run?.lose()
    this.#onIdle?.()
    await Promise.all(this.#workers.splice(0).map((worker) => worker.terminate()))
  }

  async #startThreads(control: number): Promise<void> {
    const { kernel, workerPath, threads, memoryBytes } = this.#options
    const setup: QuerySetup = {
      ...{ memory: kernel.memory, module: kernelModule(), control },
      tableBytes: Math.min(maxTableBytes, roundDown(memoryBytes / 64)),
      linesBytes: Math.min(maxLinesBytes, roundDown(memoryBytes / 256)),
    }
    const start = await threadStarter()
    if (this.#isClosed) return
    this.#busy = threads
    for (let count = 0; count < threads; count++) {
      const worker = start(workerPath, { workerData: setup })
      worker.on('message', (message: ThreadMessage) => this.#receive(worker, message))
      worker.on('error', () => this.#closeOnce())
      worker.on('exit', () => this.#closeOnce())
      this.#workers.push(worker)
    }
  }

  #receive(worker: Worker, message: ThreadMessage): void {
    // `close` waits for the threads: `unref` would let the process exit before.
    if (this.#isClosed) return
    if (message === 'idle') {
      this.#busy--
      worker.unref()
      if (this.#busy === 0) this.#onIdle?.()
    }
    this.#run?.wake()
  }

  #closeOnce(): void {
    if (!this.#isClosed) void this.close()
  }
}

/** Rounds down to a multiple of 64 bytes. */
function roundDown(bytes: number): number {
  return Math.floor(bytes / 64) * 64
}
