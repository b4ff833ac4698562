// The thread's side: hands a program its port and what it was started with.
import { parentPort, workerData } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'

export function serveThread<Setup>(
  name: string,
  serve: (port: MessagePort, setup: Setup) => void,
): void {
  if (parentPort === null) throw new Error(`${name} runs in a worker thread only`)
  serve(parentPort, workerData as Setup)
}
