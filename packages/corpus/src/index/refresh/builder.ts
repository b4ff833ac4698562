// Sends batches of files to the index workers until none is pending.
import type { Worker } from 'node:worker_threads'
import type { ContainedRoot } from '@zee/core/contained-path'
import type { Clock } from '@zee/core/clock'
import { kernelModule, reservedBytes } from '../../kernel/kernel.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { threadStarter } from '../../workers/workers.ts'
import type { BuildJob, BuildReply, FolderJob, SideJob, SideReply, WorkerSetup } from './jobs.ts'
import { FileFlag, FileKind, nowhere } from '../file-table.ts'
import type { FileTable } from '../file-table.ts'
import { folderPath } from '../folder.ts'
import type { Folder } from '../folder.ts'

export interface BuilderOptions {
  root: ContainedRoot
  kernel: Kernel
  table: FileTable
  /** Files to read; `applyReplies` removes them. */
  pending: ReadonlySet<number>
  workerPath: string
  threads: number
  contentLimit: number
  clock: Clock
  onReply(reply: BuildReply): void
  /** Called when a thread fails; pending files stay pending. */
  onFailure(): void
}

/** Keeps a thread busy for some milliseconds and fills several signature groups. */
const batchFiles = 256
const batchesPerThread = 2

interface Thread {
  worker: Worker
  /** Unanswered batches. */
  jobs: number
  /** Callbacks of unanswered side jobs, in order. */
  sideJobs: ((done: boolean) => void)[]
}

export class IndexBuilder {
  readonly #options: BuilderOptions
  readonly #workers: Thread[] = []
  readonly #requested = new Set<number>()
  /** Iterates once over the growing set: a restart would scan the holes of removed entries. */
  #pendingIds: IterableIterator<number>
  /** The next file whose content may be missing; Infinity if contents are not requested. */
  #nextFill = Infinity
  #closed = false

  constructor(options: BuilderOptions) {
    this.#options = options
    this.#pendingIds = options.pending.values()
  }

  /** Reads pending files. While the walk continues, waits for a full batch. */
  async run(isMoreComing = false): Promise<void> {
    const { size } = this.#options.pending
    if (this.#closed || size === 0) return
    if (isMoreComing && size - this.#requested.size < batchFiles) return
    await this.#startAndFeed()
  }

  /** Reads missing contents of indexed files while memory lasts. */
  async fill(): Promise<void> {
    this.#nextFill = 0
    await this.#startAndFeed()
  }

  /** Starts one thread for `runJob`. */
  async startThread(): Promise<void> {
    await this.#start(1)
  }

  /** Runs a side job in one thread; false on failure. */
  async runJob(job: SideJob): Promise<boolean> {
    if (this.#workers.length === 0) await this.#start(1)
    const [thread] = this.#workers
    if (thread === undefined || this.#closed) return false
    return await new Promise((resolve) => {
      thread.sideJobs.push(resolve)
      thread.worker.postMessage(job, [])
    })
  }

  /** Contents are still missing or being read. */
  get isFilling(): boolean {
    return this.#nextFill !== Infinity || !this.isIdle
  }

  get isIdle(): boolean {
    return this.#workers.every(({ jobs }) => jobs === 0)
  }

  async close(): Promise<void> {
    this.#closed = true
    const threads = this.#workers.splice(0)
    for (const { sideJobs } of threads) for (const resolve of sideJobs.splice(0)) resolve(false)
    await Promise.all(threads.map(({ worker }) => worker.terminate()))
  }

  async #startAndFeed(): Promise<void> {
    if (this.#closed) return
    await this.#start(this.#options.threads)
    for (const thread of this.#workers) this.#feed(thread)
  }

  /** Ensures `count` threads. */
  async #start(count: number): Promise<void> {
    const { root, kernel, contentLimit, workerPath } = this.#options
    if (this.#workers.length >= count) return
    const setup: WorkerSetup = { memory: kernel.memory, module: kernelModule(), root, contentLimit }
    const start = await threadStarter()
    while (this.#workers.length < count && !this.#closed) {
      const worker = start(workerPath, { workerData: setup })
      const thread: Thread = { worker, jobs: 0, sideJobs: [] }
      worker.on('message', (reply: BuildReply | SideReply) => this.#onReply(thread, reply))
      worker.on('error', () => this.#fail())
      this.#workers.push(thread)
    }
  }

  #onReply(thread: Thread, reply: BuildReply | SideReply): void {
    if ('done' in reply) {
      thread.sideJobs.shift()?.(reply.done)
      return
    }
    thread.jobs--
    for (const id of reply.ids) this.#requested.delete(id)
    this.#options.onReply(reply)
    this.#feed(thread)
  }

  #fail(): void {
    void this.close()
    this.#options.onFailure()
  }

  #feed(thread: Thread): void {
    while (!this.#closed && thread.jobs < batchesPerThread) {
      const job = this.#nextJob()
      if (job === undefined) return
      thread.jobs++
      thread.worker.postMessage(job, [])
    }
  }

  #nextJob(): BuildJob | undefined {
    const ids = this.#nextIds()
    const fills = ids.length === 0
    if (fills) this.#addFills(ids)
    if (ids.length === 0) return undefined
    const { table, clock } = this.#options
    const folders: FolderJob[] = []
    let last: FolderJob | undefined
    for (const id of ids) {
      const path = folderPath(table.folders[id] as Folder)
      if (last?.path !== path) folders.push((last = { path, names: [], ids: [], generations: [] }))
      last.names.push(table.names[id] as string)
      last.ids.push(id)
      last.generations.push(table.generations[id] as number)
      this.#requested.add(id)
    }
    return { folders, nowNs: BigInt(clock.now().getTime()) * 1_000_000n, fills }
  }

  #nextIds(): number[] {
    const ids: number[] = []
    // Files whose record was discarded are still pending: start over.
    if (!this.#addPending(ids) && ids.length === 0) {
      this.#pendingIds = this.#options.pending.values()
      this.#addPending(ids)
    }
    return ids
  }

  /** Adds pending files; false at the end of the set. */
  #addPending(ids: number[]): boolean {
    const { table } = this.#options
    while (ids.length < batchFiles) {
      const { value: id, done } = this.#pendingIds.next()
      if (done === true) return false
      if (!this.#requested.has(id) && table.folders[id] !== undefined) ids.push(id)
    }
    return true
  }

  #addFills(ids: number[]): void {
    const { table, kernel, contentLimit } = this.#options
    if (reservedBytes(kernel.memory) >= contentLimit) this.#nextFill = Infinity
    for (; this.#nextFill < table.names.length && ids.length < batchFiles; this.#nextFill++) {
      const id = this.#nextFill
      if (table.kinds[id] !== FileKind.file || table.contents[id] !== nowhere) continue
      if (this.#requested.has(id) || table.folders[id] === undefined) continue
      if (table.has(id, FileFlag.known) && table.lengths[id] !== 0) ids.push(id)
    }
    if (this.#nextFill >= table.names.length) this.#nextFill = Infinity
  }
}
