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
/** Calls in memory above which a proxy waits for the disk; each takes about 2 KB. */
const maxUnwritten = 5000

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
    written: new Int32Array(new SharedArrayBuffer(4)),
  }
  return new TraceRecorder(new Worker(traceThreadFile, { workerData }), workerData.written)
}

export class TraceRecorder {
  readonly #worker: Worker
  readonly #ended: Promise<TraceThreadEnd>
  #calls: (FunnelCall | (() => FunnelCall))[] = []
  #timer: NodeJS.Timeout | undefined
  readonly #written: Int32Array
  #recorded = 0

  constructor(worker: Worker, written: Int32Array) {
    this.#worker = worker
    this.#written = written
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
    this.#recorded++
    this.#calls.push(call)
    if (this.#timer === undefined || this.#calls.length >= maxBatchCalls) this.#postCalls()
  }

  /** Whether the disk is so far behind that the proxy should read no more from its client. */
  get isBehind(): boolean {
    return this.#unwritten() > maxUnwritten
  }

  /**
   * Resolves when every recorded call is on disk; throws when some were lost. Calls that are not written
   * within `limitMs` count as lost.
   */
  async close(limitMs?: number): Promise<void> {
    this.#postCalls()
    clearTimeout(this.#timer)
    this.#post({ end: true })
    const ending = limitMs === undefined ? this.#ended : this.#endedWithin(limitMs)
    const { lost, uncertain = 0, reason = 'the trace cannot be written' } = await ending
    await this.#worker.terminate()
    if (lost > 0) {
      const what = lost === 1 ? 'an action was' : `${lost} actions were`
      throw zclError('ZCL_E_IO', `${what} not recorded: ${reason}`)
    }
    if (uncertain === 0) return
    const what = uncertain === 1 ? 'an action' : `${uncertain} actions`
    throw zclError('ZCL_E_IO', `${what} may not be recorded: ${reason}`)
  }

  #endedWithin(limitMs: number): Promise<TraceThreadEnd> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<TraceThreadEnd>((resolve) => {
      const reason = 'zcl was stopped while too many of them were waiting'
      timer = setTimeout(() => resolve({ lost: this.#unwritten(), reason }), limitMs)
    })
    return Promise.race([this.#ended, late]).finally(() => clearTimeout(timer))
  }

  #unwritten(): number {
    return this.#recorded - Atomics.load(this.#written, 0)
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
