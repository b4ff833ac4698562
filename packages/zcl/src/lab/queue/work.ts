// The one loop of every worker: lease, run, complete; until nothing is left or it is told to stop.
import type { Lease, JobQueue, QueuedJob } from './job-queue.ts'
import type { TryResult } from '../attempt/attempt.ts'

export interface WorkOptions {
  queue: JobQueue
  /** How many attempts run at a time. */
  parallel: number
  signal: AbortSignal
  /** Runs a job; the signal says that it must end now. */
  run: (job: QueuedJob, signal: AbortSignal) => Promise<TryResult>
  /** True ends the work: nothing more is begun. */
  onResult?: (result: TryResult) => boolean | void
  heartbeatMs?: number
}

const shortestWaitMs = 10
const longestWaitMs = 250

/** Rejects with the first failure of the harness itself; every lease is given back before. */
export async function work(options: WorkOptions): Promise<void> {
  const stop = new AbortController()
  const loops = Array.from({ length: options.parallel }, async () => {
    try {
      await loop(options, stop)
    } catch (error) {
      stop.abort()
      throw error
    }
  })
  const ended = await Promise.allSettled(loops)
  const failed = ended.find((end) => end.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

async function loop(options: WorkOptions, stop: AbortController): Promise<void> {
  const ending = AbortSignal.any([options.signal, stop.signal])
  let waitMs = shortestWaitMs
  while (!ending.aborted) {
    const leased = await options.queue.lease()
    if (leased === 'empty') return
    if (leased === 'busy') {
      await pause(waitMs, ending)
      waitMs = Math.min(waitMs * 1.5, longestWaitMs)
      continue
    }
    waitMs = shortestWaitMs
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
    const result = await options.run(lease.job, signal)
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

/** Often enough that one late beat does not cost a lease. */
export function heartbeatOf({ leaseMs }: { leaseMs: number }): number {
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
