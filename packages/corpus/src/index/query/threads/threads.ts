// The threads that search, and the one job that they do at a time. When a thread is lost, all are given up, and
// whoever asks has to search by himself.
import type { Worker } from 'node:worker_threads'
import { kernelModule, reserve } from '../../../kernel/kernel.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { wait } from '../../../steps.ts'
import type { Steps } from '../../../steps.ts'
import { threadStarter } from '../../../workers/workers.ts'
import { Control, controlBytes, itemBytes } from '../area.ts'
import type { QueryJob, QueryNews, QuerySetup } from './jobs.ts'
import { QueryRun } from './run.ts'
import type { RunLimits } from './run.ts'

export type { Sought } from './jobs.ts'
export { serveQueries } from './thread.ts'
export type { ItemText, QueryRun, RunLimits } from './run.ts'

export interface QueryPoolOptions {
  kernel: Kernel
  /** The bundled `query-worker`. */
  workerPath: string
  threads: number
  /** What the whole index may take. */
  memoryBytes: number
}

/** More than a thread takes for one text, and more than it takes to start. */
const longestRestMs = 20
const longestStartMs = 500

/** Groups of items that there are for each thread at least, and how large they are at most. */
const groupsPerThread = 8
const mostGroup = 16

/** What a thread takes: for an automaton, and for what it finds before somebody takes it over. */
const mostTable = 4 << 20
const mostLines = 1 << 20

export class QueryPool {
  readonly #options: QueryPoolOptions
  readonly #controlAt: number | undefined
  #workers: Worker[] = []
  /** Threads that are at work, or not yet there. */
  #away = 0
  #started = false
  #lost = false
  /** Jobs that were handed over so far. */
  jobs = 0
  #run: QueryRun | undefined
  #onIdle: (() => void) | undefined
  #items = { address: 0, room: 0 }

  constructor(options: QueryPoolOptions) {
    this.#options = options
    this.#controlAt = reserve(options.kernel.memory, controlBytes)
  }

  /** Lets the threads begin, once; they are there some time later. */
  start(): void {
    if (this.#started || this.#controlAt === undefined) return
    this.#started = true
    void this.#startThreads(this.#controlAt).catch(() => this.#lose())
  }

  /** Whether somebody is there and none is at work. */
  get isIdle(): boolean {
    return this.#workers.length > 0 && this.#away === 0 && !this.#lost
  }

  /** Threads that are at work on a job. */
  get searching(): number {
    return this.#run === undefined || this.#lost ? 0 : this.#away
  }

  /** Waits a little for threads that are on their way, or have not yet noticed that nobody needs more. */
  *becomeIdle(mostMs: number): Steps<boolean> {
    if (!this.#started || this.#lost || this.isIdle) return this.isIdle
    this.#run?.stop()
    const longest = this.#run === undefined ? longestStartMs : longestRestMs
    const left = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(longest, mostMs))
      this.#onIdle = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    yield* wait(left)
    return this.isIdle
  }

  /** Address for so many items; undefined when there is no memory for them. */
  room(count: number): number | undefined {
    if (count > this.#items.room) {
      const room = Math.max(1024, Math.ceil(count * 1.25))
      const address = reserve(this.#options.kernel.memory, room * itemBytes)
      if (address === undefined) return undefined
      this.#items = { address, room }
    }
    return this.#items.address
  }

  /** Hands a job to all threads; only when they are idle. */
  begin(work: Omit<QueryJob, 'group'>, limits: RunLimits): QueryRun {
    // So that all have something to do, and none much more than the others.
    const shares = this.#workers.length * groupsPerThread
    const group = Math.min(mostGroup, Math.ceil(work.room / shares))
    const job = { ...work, group }
    const { memory } = this.#options.kernel
    const control = new Int32Array(memory.buffer, this.#controlAt, controlBytes / 4)
    for (const word of Object.values(Control)) Atomics.store(control, word, 0)
    const run = new QueryRun(memory, control, job, limits)
    this.#run = run
    this.jobs++
    this.#away = this.#workers.length
    for (const worker of this.#workers) {
      // Whoever waits for an answer must get it, also when nothing else keeps the process.
      worker.ref()
      worker.postMessage(job, [])
    }
    return run
  }

  async close(): Promise<void> {
    this.#lost = true
    this.#run?.lose()
    this.#onIdle?.()
    await Promise.all(this.#workers.splice(0).map((worker) => worker.terminate()))
  }

  async #startThreads(control: number): Promise<void> {
    const { kernel, workerPath, threads, memoryBytes } = this.#options
    const setup: QuerySetup = {
      ...{ memory: kernel.memory, module: kernelModule(), control },
      tableBytes: Math.min(mostTable, roundedDown(memoryBytes / 64)),
      linesBytes: Math.min(mostLines, roundedDown(memoryBytes / 256)),
    }
    const start = await threadStarter()
    if (this.#lost) return
    this.#away = threads
    for (let count = 0; count < threads; count++) {
      const worker = start(workerPath, { workerData: setup })
      worker.on('message', (news: QueryNews) => this.#hear(worker, news))
      worker.on('error', () => this.#lose())
      worker.on('exit', () => this.#lose())
      this.#workers.push(worker)
    }
  }

  #hear(worker: Worker, news: QueryNews): void {
    // Whoever ends the threads waits for that.
    if (this.#lost) return
    if (news === 'left') {
      this.#away--
      worker.unref()
      if (this.#away === 0) this.#onIdle?.()
    }
    this.#run?.wake()
  }

  #lose(): void {
    if (!this.#lost) void this.close()
  }
}

function roundedDown(bytes: number): number {
  return Math.floor(bytes / 64) * 64
}
