// Starts the threads of this library. Their programs lie beside this file, each an entry of a bundle; what they do and
// who gives them work lies in the room that needs them.
import type { Worker, WorkerOptions } from 'node:worker_threads'

/** Starts a thread that does not keep the process. */
export type StartThread = (workerPath: string, options?: WorkerOptions) => Worker

/** Loaded when first needed: most requests never need a thread. */
export async function threadStarter(): Promise<StartThread> {
  const threads = await import('node:worker_threads')
  return (workerPath, options) => {
    const worker = new threads.Worker(workerPath, options)
    worker.unref()
    return worker
  }
}
