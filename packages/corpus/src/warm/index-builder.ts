// Has files read into the index by worker threads, some at a time, until none is left. What comes back for a
// file that changed meanwhile is thrown away.
import type { Worker } from 'node:worker_threads'
import type { ContainedRoot } from '@zee/core/contained-path'
import type { Clock } from '@zee/core/clock'
import type { Kernel } from '../kernel/kernel.ts'
import { kernelModule } from '../kernel/kernel.ts'
import type { BuildJob, BuildReply, FolderJob, WorkerSetup } from './build-jobs.ts'
import type { FileTable } from './file-table.ts'
import { folderPath } from './folder.ts'

export interface BuilderOptions {
  root: ContainedRoot
  kernel: Kernel
  table: FileTable
  /** Files to be read; taken out by whoever applies the replies. */
  pending: ReadonlySet<number>
  workerPath: string
  threads: number
  contentLimit: number
  clock: Clock
  onReply(reply: BuildReply): void
  /** The threads are of no use; files stay as they are. */
  onFailure(): void
}

/** Enough to keep a thread busy for some milliseconds. */
const BATCH_FILES = 128
const BATCHES_PER_THREAD = 2

export class IndexBuilder {
  readonly #options: BuilderOptions
  readonly #workers: { worker: Worker; jobs: number }[] = []
  readonly #asked = new Set<number>()
  #starting = false
  #closed = false

  constructor(options: BuilderOptions) {
    this.#options = options
  }

  /** Goes on with what is pending. */
  async run(): Promise<void> {
    if (this.#closed || this.#options.pending.size === 0) return
    if (this.#workers.length === 0) await this.#start()
    for (const thread of this.#workers) this.#feed(thread)
  }

  /** No thread is at work. */
  get isIdle(): boolean {
    return this.#workers.every(({ jobs }) => jobs === 0)
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(this.#workers.splice(0).map(({ worker }) => worker.terminate()))
  }

  async #start(): Promise<void> {
    if (this.#starting) return
    this.#starting = true
    const { root, kernel, contentLimit, workerPath } = this.#options
    const setup: WorkerSetup = { memory: kernel.memory, module: kernelModule(), root, contentLimit }
    const { Worker: Thread } = await import('node:worker_threads')
    if (this.#closed) return
    for (let count = 0; count < this.#options.threads; count++) {
      const worker = new Thread(workerPath, { workerData: setup })
      const thread = { worker, jobs: 0 }
      worker.unref()
      worker.on('message', (reply: BuildReply) => {
        thread.jobs--
        for (const id of reply.ids) this.#asked.delete(id)
        this.#options.onReply(reply)
        this.#feed(thread)
      })
      worker.on('error', () => this.#fail())
      this.#workers.push(thread)
    }
  }

  #fail(): void {
    void this.close()
    this.#options.onFailure()
  }

  #feed(thread: { worker: Worker; jobs: number }): void {
    while (!this.#closed && thread.jobs < BATCHES_PER_THREAD) {
      const job = this.#nextJob()
      if (job === undefined) return
      thread.jobs++
      thread.worker.postMessage(job, [])
    }
  }

  #nextJob(): BuildJob | undefined {
    const { pending, table, clock } = this.#options
    const folders: FolderJob[] = []
    let count = 0
    let last: FolderJob | undefined
    for (const id of pending) {
      if (count === BATCH_FILES) break
      const folder = table.folders[id]
      if (this.#asked.has(id) || folder === undefined) continue
      const path = folderPath(folder)
      if (last?.path !== path) folders.push((last = { path, names: [], ids: [], generations: [] }))
      last.names.push(table.names[id] as string)
      last.ids.push(id)
      last.generations.push(table.generations[id] as number)
      this.#asked.add(id)
      count++
    }
    if (count === 0) return undefined
    return { folders, nowNs: BigInt(clock.now().getTime()) * 1_000_000n }
  }
}
