// The loop of every worker: lease, run, complete, until the queue is empty or the worker is stopped.
import type { Lease, JobQueue, QueuedJob } from './job-queue.ts'
import type { TryResult } from '../attempt/attempt.ts'

export interface WorkOptions {
  queue: JobQueue
  /** Number of attempts that run at the same time. */
  parallel: number
  signal: AbortSignal
  /** Runs a job; the signal stops it. `isHeld` asks the queue whether the lease still counts. */
  run: (job: QueuedJob, signal: AbortSignal, isHeld: () => Promise<boolean>) => Promise<TryResult>
  /** Returning true stops the loop: no further job is leased. */
  onResult?: (result: TryResult) => boolean | void
  heartbeatMs?: number
}

const minWaitMs = 10
const maxWaitMs = 250

/** Rejects with the first failure of the harness itself, after every lease is returned. */
export async function work(options: WorkOptions): Promise<void> {
  const stop = new AbortController()
  const loops = Array.from({ length: options.parallel }, async () => {
    try {
      await workLoop(options, stop)
    } catch (error) {
      stop.abort()
      throw error
    }
  })
  const ended = await Promise.allSettled(loops)
  const failed = ended.find((end) => end.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

async function workLoop(options: WorkOptions, stop: AbortController): Promise<void> {
  const ending = AbortSignal.any([options.signal, stop.signal])
  let waitMs = minWaitMs
  while (!ending.aborted) {
    const leased = await options.queue.lease()
    if (leased === 'empty') return
    if (leased === 'busy') {
      await pause(waitMs, ending)
      waitMs = Math.min(waitMs * 1.5, maxWaitMs)
      continue
    }
    waitMs = minWaitMs
    const result = await runLeased(leased, options)
    if (result !== undefined && options.onResult?.(result) === true) stop.abort()
  }
}

async function runLeased(lease: Lease, options: WorkOptions): Promise<TryResult | undefined> {
  const lost = new AbortController()
  const beat = setInterval(() => {
    void lease.heartbeat().then(
      (isHeld) => isHeld || lost.abort(),
      () => undefined,
    )
  }, options.heartbeatMs ?? 5000)
  try {
    const signal = AbortSignal.any([options.signal, lost.signal])
    const result = await options.run(lease.job, signal, () => lease.heartbeat())
    if (result.outcome === 'abandoned') await lease.fail()
    else await lease.complete()
    return result
  } catch (error) {
    await lease.fail().catch(() => undefined)
    throw error
  } finally {
    clearInterval(beat)
  }
}

/** A quarter of the lease, so that one delayed heartbeat does not lose it. */
export function heartbeatIntervalMs({ leaseMs }: { leaseMs: number }): number {
  return Math.max(100, Math.min(5000, Math.floor(leaseMs / 4)))
}

export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
    function done(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
  })
}
