// Has files read into the index by worker threads, some at a time, until none is left. What comes back for a
// file that changed meanwhile is thrown away.
import type { Worker } from 'node:worker_threads'
import type { ContainedRoot } from '@zee/core/contained-path'
import type { Clock } from '@zee/core/clock'
import { kernelModule, reservedBytes } from '../../kernel/kernel.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { threadStarter } from '../../workers/workers.ts'
import type { BuildJob, BuildReply, FolderJob, HelpJob, HelpReply, WorkerSetup } from './jobs.ts'
import { FileFlag, FileKind, nowhere } from '../file-table.ts'
import type { FileTable } from '../file-table.ts'
import { folderPath } from '../folder.ts'
import type { Folder } from '../folder.ts'

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

/** Enough to keep a thread busy for some milliseconds, and to fill some groups of signatures. */
const batchFiles = 256
const batchesPerThread = 2

interface Thread {
  worker: Worker
  /** Batches that it has not answered yet. */
  jobs: number
  /** Wait for help that it was asked for. */
  helping: ((done: boolean) => void)[]
}

export class IndexBuilder {
  readonly #options: BuilderOptions
  readonly #workers: Thread[] = []
  readonly #asked = new Set<number>()
  /** Goes through what is pending as more comes, once: what is done leaves holes in the set. */
  #coming: IterableIterator<number>
  /** The next file whose content may be missing, if contents are to be read. */
  #nextFill = Infinity
  #closed = false

  constructor(options: BuilderOptions) {
    this.#options = options
    this.#coming = options.pending.values()
  }

  /** Goes on with what is pending; while more is coming, only when there is enough for a batch. */
  async run(isMoreComing = false): Promise<void> {
    const { size } = this.#options.pending
    if (this.#closed || size === 0) return
    if (isMoreComing && size - this.#asked.size < batchFiles) return
    await this.#startAndFeed()
  }

  /** Reads the contents of files that are known without, as long as there is room. */
  async fill(): Promise<void> {
    this.#nextFill = 0
    await this.#startAndFeed()
  }

  /** Has a thread begin, for `help`. */
  async startOne(): Promise<void> {
    await this.#start(1)
  }

  /** Has one thread do something, at once when it has begun; false when it is not done. */
  async help(job: HelpJob): Promise<boolean> {
    if (this.#workers.length === 0) await this.#start(1)
    const [thread] = this.#workers
    if (thread === undefined || this.#closed) return false
    return await new Promise((resolve) => {
      thread.helping.push(resolve)
      thread.worker.postMessage(job, [])
    })
  }

  /** There are contents to be read. */
  get isFilling(): boolean {
    return this.#nextFill !== Infinity || !this.isIdle
  }

  /** No thread is at work. */
  get isIdle(): boolean {
    return this.#workers.every(({ jobs }) => jobs === 0)
  }

  async close(): Promise<void> {
    this.#closed = true
    const threads = this.#workers.splice(0)
    for (const { helping } of threads) for (const resolve of helping.splice(0)) resolve(false)
    await Promise.all(threads.map(({ worker }) => worker.terminate()))
  }

  async #startAndFeed(): Promise<void> {
    if (this.#closed) return
    await this.#start(this.#options.threads)
    for (const thread of this.#workers) this.#feed(thread)
  }

  /** Has so many threads. */
  async #start(count: number): Promise<void> {
    const { root, kernel, contentLimit, workerPath } = this.#options
    if (this.#workers.length >= count) return
    const setup: WorkerSetup = { memory: kernel.memory, module: kernelModule(), root, contentLimit }
    const start = await threadStarter()
    while (this.#workers.length < count && !this.#closed) {
      const worker = start(workerPath, { workerData: setup })
      const thread: Thread = { worker, jobs: 0, helping: [] }
      worker.on('message', (reply: BuildReply | HelpReply) => this.#onReply(thread, reply))
      worker.on('error', () => this.#fail())
      this.#workers.push(thread)
    }
  }

  #onReply(thread: Thread, reply: BuildReply | HelpReply): void {
    if ('done' in reply) {
      thread.helping.shift()?.(reply.done)
      return
    }
    thread.jobs--
    for (const id of reply.ids) this.#asked.delete(id)
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
    if (fills) this.#takeFills(ids)
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
      this.#asked.add(id)
    }
    return { folders, nowNs: BigInt(clock.now().getTime()) * 1_000_000n, fills }
  }

  #nextIds(): number[] {
    const ids: number[] = []
    // What was asked for in vain stays pending: from the beginning, then.
    if (!this.#take(ids) && ids.length === 0) {
      this.#coming = this.#options.pending.values()
      this.#take(ids)
    }
    return ids
  }

  /** Goes on through what is pending; false at its end. */
  #take(ids: number[]): boolean {
    const { table } = this.#options
    while (ids.length < batchFiles) {
      const { value: id, done } = this.#coming.next()
      if (done === true) return false
      if (!this.#asked.has(id) && table.folders[id] !== undefined) ids.push(id)
    }
    return true
  }

  #takeFills(ids: number[]): void {
    const { table, kernel, contentLimit } = this.#options
    if (reservedBytes(kernel.memory) >= contentLimit) this.#nextFill = Infinity
    for (; this.#nextFill < table.names.length && ids.length < batchFiles; this.#nextFill++) {
      const id = this.#nextFill
      if (table.kinds[id] !== FileKind.file || table.contents[id] !== nowhere) continue
      if (this.#asked.has(id) || table.folders[id] === undefined) continue
      if (table.has(id, FileFlag.known) && table.lengths[id] !== 0) ids.push(id)
    }
    if (this.#nextFill >= table.names.length) this.#nextFill = Infinity
  }
}
