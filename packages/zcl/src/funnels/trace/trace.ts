// The proxy's side of the trace thread: posts calls to the thread without waiting.
import { Worker } from 'node:worker_threads'
import { reasonOf } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import type { AttemptContext } from '@zee/evidence/attempt'
import { findParentId } from '@zee/evidence/trace'
import { zclError } from '../../errors/errors.ts'
import type { FunnelCall } from './call.ts'
import type { ToTraceThread, TraceThreadData, TraceThreadEnd } from './thread.ts'

export { streamPreview } from './call.ts'
export type { FunnelCall, FunnelWarning, RpcRequest, StreamPreview } from './call.ts'

const batchDelayMs = 10
const maxBatchCalls = 1000

/** Starts the trace thread of an attempt. */
export async function openTraceRecorder(
  { folder, identity }: AttemptContext,
  { env, cwd }: Host,
): Promise<TraceRecorder> {
  // Imported dynamically, so that the thread gets its own small chunk.
  const { traceThreadFile } = await import('./thread.ts')
  const workerData: TraceThreadData = {
    role: 'zcl-trace',
    folder,
    identity,
    parentId: findParentId(folder, env),
    env: { ...env },
    cwd,
  }
  return new TraceRecorder(new Worker(traceThreadFile, { workerData }))
}

export class TraceRecorder {
  readonly #worker: Worker
  readonly #ended: Promise<TraceThreadEnd>
  #calls: (FunnelCall | (() => FunnelCall))[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(worker: Worker) {
    this.#worker = worker
    this.#ended = new Promise((resolve) => {
      this.#worker.once('message', resolve)
      this.#worker.once('error', (error) => resolve({ lost: 1, reason: reasonOf(error) }))
      this.#worker.once('exit', () => resolve({ lost: 1, reason: 'its writer ended early' }))
    })
  }

  /**
   * Queues a call and never waits. A single call is posted at once: an agent may kill its proxy right after
   * an answer. Calls within the next 10 ms are posted together, because each post wakes the thread. A
   * function defers building an expensive call until it is posted.
   */
  record(call: FunnelCall | (() => FunnelCall)): void {
    this.#calls.push(call)
    if (this.#timer === undefined || this.#calls.length >= maxBatchCalls) this.#postCalls()
  }

  /** Resolves when every recorded call is on disk; throws when some were lost. */
  async close(): Promise<void> {
    this.#postCalls()
    clearTimeout(this.#timer)
    this.#post({ end: true })
    const { lost, uncertain = 0, reason = 'the trace cannot be written' } = await this.#ended
    await this.#worker.terminate()
    if (lost > 0) {
      const what = lost === 1 ? 'an action was' : `${lost} actions were`
      throw zclError('ZCL_E_IO', `${what} not recorded: ${reason}`)
    }
    if (uncertain === 0) return
    const what = uncertain === 1 ? 'an action' : `${uncertain} actions`
    throw zclError('ZCL_E_IO', `${what} may not be recorded: ${reason}`)
  }

  #postCalls(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#calls.length === 0) return
    const calls = this.#calls.map((call) => (typeof call === 'function' ? call() : call))
    this.#calls = []
    this.#post({ calls })
    this.#timer = setTimeout(() => this.#postCalls(), batchDelayMs)
  }

  #post(message: ToTraceThread): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#worker.postMessage(message)
  }
}
