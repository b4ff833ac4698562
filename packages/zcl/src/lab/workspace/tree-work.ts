// Copies and removes the trees of attempts, several at a time. The event loop takes the first; a thread
// starts for one that has to wait.
import { Worker } from 'node:worker_threads'
import type { TreeCopy } from './copy-tree.ts'
import type { TreeAnswer, TreeTask } from './tree-thread.ts'

export interface CopyOptions {
  /** Absolute paths of the source that are left out. */
  excluded?: readonly string[]
}

/** Copies the tree; `target` must not exist. */
export async function copyTree(
  source: string,
  target: string,
  { excluded = [] }: CopyOptions = {},
): Promise<TreeCopy> {
  const copy = await trees.run({ kind: 'copy', source, target, excluded })
  if (copy === undefined) throw new Error('the thread returned no copy')
  return copy
}

/** Also removes folders that their owner made read-only. */
export async function removeTree(folder: string): Promise<void> {
  await trees.run({ kind: 'remove', folder })
}

interface Waiting {
  task: TreeTask
  resolve: (copy: TreeCopy | undefined) => void
  reject: (error: unknown) => void
}

interface Thread {
  worker: Worker
  /** The task it works on. */
  current?: Waiting | undefined
}

/** A thread costs 30 ms of CPU time. Most trees are copied or removed before it would have started. */
const threadAfterMs = 25
/**
 * More than the cores: a thread waits for the journal and the write-back of the disk. With two cores, 16
 * workspaces of 50 MB at a time of 8 take 1.0 x the wall time of `cp -r` with 7 threads, 1.3 x with 3 and 2.4 x with 1.
 */
const maxThreads = 7

/** Only imported dynamically: the bundler then keeps the program of the thread in a file of its own. */
const loadThread = () => import('./tree-thread.ts')

class TreeWork {
  readonly #queue: Waiting[] = []
  readonly #idle: Thread[] = []
  #threads = 0
  #threadLimit = maxThreads
  #isLoopBusy = false
  #threadTimer: NodeJS.Timeout | undefined

  run(task: TreeTask): Promise<TreeCopy | undefined> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ task, resolve, reject })
      this.#assign()
    })
  }

  /** Gives waiting tasks to idle threads and to the event loop. */
  #assign(): void {
    for (let thread = this.#idle.at(-1); thread !== undefined; thread = this.#idle.at(-1)) {
      const waiting = this.#queue.shift()
      if (waiting === undefined) return
      this.#idle.pop()
      this.#runInThread(thread, waiting)
    }
    if (!this.#isLoopBusy) {
      const waiting = this.#queue.shift()
      if (waiting !== undefined) void this.#runInLoop(waiting)
    }
    if (this.#queue.length > 0) this.#startThreadSoon()
  }

  async #runInLoop({ task, resolve, reject }: Waiting): Promise<void> {
    this.#isLoopBusy = true
    try {
      const { runTreeTask } = await loadThread()
      resolve(await runTreeTask(task))
    } catch (error) {
      reject(error)
    }
    this.#isLoopBusy = false
    this.#assign()
  }

  #runInThread(thread: Thread, waiting: Waiting): void {
    thread.current = waiting
    thread.worker.ref()
    thread.worker.postMessage(waiting.task, [])
  }

  #startThreadSoon(): void {
    if (this.#threads >= this.#threadLimit || this.#threadTimer !== undefined) return
    this.#threadTimer = setTimeout(() => {
      this.#threadTimer = undefined
      if (this.#queue.length > 0) void this.#startThread()
    }, threadAfterMs)
  }

  async #startThread(): Promise<void> {
    this.#threads++
    const { treeThreadFile, treeThreadRole, receivedCopy } = await loadThread()
    const thread: Thread = { worker: new Worker(treeThreadFile, { workerData: treeThreadRole }) }
    // The first message says that the thread is ready; each other one answers its task.
    thread.worker.on('message', ({ copy, error }: TreeAnswer) => {
      const { current } = thread
      thread.current = undefined
      thread.worker.unref()
      this.#idle.push(thread)
      if (error === undefined) current?.resolve(copy && receivedCopy(copy))
      else current?.reject(Object.assign(new Error(error.message), error))
      this.#assign()
    })
    // A system that refuses threads leaves the work to the event loop.
    thread.worker.on('error', (error) => {
      this.#threadLimit = 0
      thread.current?.reject(error)
    })
    thread.worker.unref()
  }
}

const trees = new TreeWork()
