// Starts a worker program in its thread, with the port and the setup from the parent.
import { parentPort, workerData } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'

export function serveThread<Setup>(
  name: string,
  serve: (port: MessagePort, setup: Setup) => void,
): void {
  if (parentPort === null) throw new Error(`${name} runs in a worker thread only`)
  serve(parentPort, workerData as Setup)
}
