// Finds and starts the worker threads of this library. Each worker program of this folder is a separate entry of
// a bundle. The rooms that use a thread hold its code and its protocol.
import path from 'node:path'
import type { Worker, WorkerOptions } from 'node:worker_threads'

/** A worker program: the name of its file without the extension. */
export type WorkerName = 'index-worker' | 'prefilter-worker' | 'query-worker' | 'regex-worker'

/**
 * Returns the path of a worker program in the folder of the running module, with its extension: bundles have
 * their chunks and entries in one folder.
 */
export function bundledWorker(name: WorkerName): string {
  const { dir, ext } = path.parse(import.meta.filename)
  return path.join(dir, name + ext)
}

/** Starts a thread that does not keep the process alive. */
export type StartThread = (workerPath: string, options?: WorkerOptions) => Worker

/** Loads `node:worker_threads` lazily: most requests never need a thread. */
export async function threadStarter(): Promise<StartThread> {
  const threads = await import('node:worker_threads')
  return (workerPath, options) => {
    const worker = new threads.Worker(workerPath, options)
    worker.unref()
    return worker
  }
}
