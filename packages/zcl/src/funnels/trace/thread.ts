// The thread that writes the trace of a proxy. Redaction, locking and flushing happen here, so that proxied
// bytes never wait for the disk. The worker runs this file as its program.
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { reasonOf } from '@zee/core/errors'
import { AppendError } from '@zee/core/journal'
import type { Redactor } from '@zee/core/redact'
import type { AttemptIdentity } from '@zee/evidence/attempt'
import { appendTraceEvents, noOutput, traceEvent } from '@zee/evidence/trace'
import type { ObservedStream, TraceEvent } from '@zee/evidence/trace'
import { redactorFor } from '../../redaction/redaction.ts'
import type { FunnelCall, StreamPreview } from './call.ts'
import { preparedInput } from './prepared-input.ts'

/** The worker data of the thread. */
export interface TraceThreadData {
  role: 'zcl-trace'
  folder: string
  identity: AttemptIdentity
  /** The traced call that the proxy is a part of. */
  parentId: string | undefined
  env: Record<string, string | undefined>
  cwd: string
  /** Number of written events; the proxy reads it. */
  written: Int32Array
}

/** Messages to the thread: calls to write, or the request to end. */
export type ToTraceThread = { calls: readonly FunnelCall[] } | { end: true }

/** The single message from the thread, after all events are written or abandoned. */
export interface TraceThreadEnd {
  lost: number
  /** Events that were written, but not flushed for certain. */
  uncertain?: number
  reason?: string
}

export const traceThreadFile = import.meta.filename

/** Maximum number of events that share one lock and one flush. */
const maxBatchEvents = 256
const retryMs = 500
/** A batch above this size is followed by a pause, in which further events gather. */
const maxCalmEvents = 4
const batchPauseMs = 40
/** Write attempts after the end was requested, before the remaining events count as lost. */
const maxFinalTries = 3
const maxErrorMessageBytes = 4096

class TraceThread {
  readonly #data: TraceThreadData
  readonly #port: MessagePort
  readonly #redactor: Redactor
  #waiting: TraceEvent[] = []
  #running = false
  #ending = false
  #failures = 0
  #uncertain = 0
  #endPause: () => void = () => {}

  constructor(data: TraceThreadData, port: MessagePort) {
    this.#data = data
    this.#port = port
    this.#redactor = redactorFor(data)
  }

  take(message: ToTraceThread): void {
    if ('end' in message) {
      this.#ending = true
      this.#endPause()
    } else for (const call of message.calls) this.#waiting.push(this.#event(call))
    if (this.#running) return
    this.#running = true
    void this.#run()
  }

  async #run(): Promise<void> {
    let reason: string | undefined
    while (this.#waiting.length > 0) {
      const { appended, failure } = await appendTraceEvents(
        this.#data.folder,
        this.#waiting.slice(0, maxBatchEvents),
      )
      this.#waiting = this.#waiting.slice(appended)
      Atomics.add(this.#data.written, 0, appended)
      if (failure instanceof AppendError && failure.isUncertain) this.#uncertain += appended
      if (failure === undefined) {
        if (appended > maxCalmEvents) await this.#pauseBetweenBatches()
        continue
      }
      reason = reasonOf(failure)
      this.#failures = this.#ending ? this.#failures + 1 : 0
      if (this.#failures >= maxFinalTries) break
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
    this.#running = false
    if (!this.#ending) return
    const lost = this.#waiting.length
    const end: TraceThreadEnd = {
      lost,
      uncertain: this.#uncertain,
      reason,
    }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#port.postMessage(end)
    this.#port.close()
  }

  /** Lets events of the next 40 ms share one flush; does not wait at the end or for a full batch. */
  #pauseBetweenBatches(): Promise<void> {
    if (this.#ending || this.#waiting.length >= maxBatchEvents) return Promise.resolve()
    return new Promise((resolve) => {
      this.#endPause = resolve
      setTimeout(resolve, batchPauseMs)
    })
  }

  #event(call: FunnelCall): TraceEvent {
    const { ok, code, exitCode, durationMs } = call
    const input = preparedInput(call.input, this.#redactor)
    const observed = {
      tool: call.tool,
      op: call.op,
      startedAt: new Date(call.startedAtMs),
      input: { ...input, warnings: [...input.warnings, ...(call.warnings ?? [])] },
      result: {
        ok,
        code,
        exitCode,
        durationMs,
      },
      out: streamOf(call.out),
      err: streamOf(call.err),
      ...this.#enrichment(call),
      parentId: this.#data.parentId,
    }
    return traceEvent(this.#data.identity, observed, this.#redactor)
  }

  #enrichment({ enrichment, rpcError }: FunnelCall): { enrichment?: unknown } {
    if (rpcError === undefined) return enrichment === undefined ? {} : { enrichment }
    const { code, message } = rpcError
    const mcpError = {
      code: code ?? null,
      message:
        typeof message === 'string'
          ? this.#redactor.cut(message, maxErrorMessageBytes).text
          : (message ?? null),
    }
    return { enrichment: { ...enrichment, mcpError } }
  }
}

function streamOf(seen: StreamPreview | undefined): ObservedStream {
  return seen === undefined
    ? noOutput
    : { bytes: seen.bytes, head: Buffer.from(seen.head, 'latin1'), isWhole: seen.isWhole }
}

if (!isMainThread && parentPort !== null && isTraceThreadData(workerData)) {
  const thread = new TraceThread(workerData, parentPort)
  parentPort.on('message', (message: ToTraceThread) => thread.take(message))
}

function isTraceThreadData(data: unknown): data is TraceThreadData {
  return typeof data === 'object' && data !== null && 'role' in data && data.role === 'zcl-trace'
}
