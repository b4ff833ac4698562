// Runs patterns in a worker thread, one job at a time, and ends the thread when a deadline passes.
// The next job starts a fresh one, so that a hopeless pattern costs its own request and no other.
import type { Worker } from 'node:worker_threads'
import { ZeeError } from '@zee/core/errors'
import { threadStarter } from '../../workers/workers.ts'
import type { RegexJob, RegexReply, SearchJob, TestJob } from './jobs.ts'

export type { SearchJob } from './jobs.ts'
export { serveRegex } from './thread.ts'

export interface RegexWorker {
  run(job: SearchJob, limit: RunLimit): Promise<{ found: number[][]; ms: number }>
  run(job: TestJob, limit: RunLimit): Promise<{ found: boolean[]; ms: number }>
  close(): Promise<void>
}

export interface RunLimit {
  /** How long this job may take. */
  ms: number
  /** What to say when it takes longer. */
  allowedMs: number
  /** Waiting for jobs given before counts, too: somebody waits for the answer until then. */
  waitCounts?: boolean
  signal?: AbortSignal | undefined
}

/** Patterns compile to machine code outside the heap; this bounds what a hostile one can hold. */
const resourceLimits = { maxOldGenerationSizeMb: 1024 }

export function createRegexWorker(workerPath: string | undefined): RegexWorker {
  let worker: Worker | undefined

  const started = async (): Promise<Worker> => {
    if (workerPath === undefined) {
      throw new ZeeError('regex_worker', 'this regex needs the regex worker, and none was given')
    }
    if (worker === undefined) {
      const start = await threadStarter()
      const fresh = start(workerPath, { resourceLimits })
      fresh.once('exit', () => {
        if (worker === fresh) worker = undefined
      })
      worker = fresh
    }
    return worker
  }
  const discard = async (): Promise<void> => {
    const ended = worker
    worker = undefined
    await ended?.terminate()
  }
  const runNow = async (job: RegexJob, limit: RunLimit): Promise<RegexReply> => {
    const reply = await replyOf(await started(), job, limit)
    if (reply.kind === 'lost') {
      await discard()
      throw reply.error
    }
    if (reply.kind === 'failed') throw new ZeeError(reply.code, reply.message)
    return reply
  }
  let last: Promise<unknown> = Promise.resolve()
  const run = (job: RegexJob, limit: RunLimit): Promise<RegexReply> => {
    const before = last
    const reply = turnAfter(before, limit).then((ms) => runNow(job, { ...limit, ms }))
    last = Promise.all([before, reply.catch(() => {})])
    return reply
  }
  return { run: run as RegexWorker['run'], close: discard }
}

/** Waits for the jobs given before; what is left of the time then. */
function turnAfter(before: Promise<unknown>, limit: RunLimit): Promise<number> {
  const { ms, allowedMs, waitCounts = false, signal } = limit
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const onAbort = (): void => settle(() => reject(cancelled()))
    const timer = waitCounts
      ? setTimeout(() => settle(() => reject(timeoutError(allowedMs))), Math.max(0, ms))
      : undefined
    const settle = (say: () => void): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      say()
    }
    signal?.addEventListener('abort', onAbort)
    const left = (): number => (waitCounts ? ms - (performance.now() - began) : ms)
    void before.then(() => settle(() => resolve(left())))
  })
}

function cancelled(): ZeeError {
  return new ZeeError('aborted', 'the request was cancelled')
}

export function timeoutError(allowedMs: number): ZeeError {
  return new ZeeError('regex_timeout', `regex timed out after ${Math.round(allowedMs)} ms`)
}

/** The worker's answer, or why there will be none and the worker must go. */
function replyOf(
  worker: Worker,
  job: RegexJob,
  limit: RunLimit,
): Promise<RegexReply | { kind: 'lost'; error: ZeeError }> {
  return new Promise((resolve) => {
    const lose = (error: ZeeError): void => finish({ kind: 'lost', error })
    const onAbort = (): void => lose(cancelled())
    const onError = (error: Error): void =>
      lose(new ZeeError('regex', 'regex is too large to run', { cause: error }))
    const onExit = (): void => lose(new ZeeError('regex', 'the regex worker ended early'))
    const timer = setTimeout(() => lose(timeoutError(limit.allowedMs)), Math.max(0, limit.ms))
    const finish = (reply: RegexReply | { kind: 'lost'; error: ZeeError }): void => {
      clearTimeout(timer)
      limit.signal?.removeEventListener('abort', onAbort)
      worker.off('message', finish).off('error', onError).off('exit', onExit)
      worker.unref()
      resolve(reply)
    }
    worker.on('message', finish).on('error', onError).on('exit', onExit)
    limit.signal?.addEventListener('abort', onAbort)
    worker.ref()
    worker.postMessage(job, [])
    if (limit.signal?.aborted) onAbort()
  })
}
