// Runs patterns in a worker thread, one job at a time, and terminates the thread when a deadline
// expires. The next job starts a new thread, so a runaway pattern fails only its own request.
import { existsSync } from 'node:fs'
import type { Worker } from 'node:worker_threads'
import { reasonOf, ZeeError } from '@zee/core/errors'
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
  /** Time budget of this job. */
  ms: number
  /** The limit that the timeout message names. */
  allowedMs: number
  /** The budget includes time in the queue, because the client has a deadline. */
  countsQueueTime?: boolean
  signal?: AbortSignal | undefined
}

/** Compiled patterns live outside the heap; this limits the memory of a hostile one. */
const resourceLimits = { maxOldGenerationSizeMb: 1024 }

export function createRegexWorker(workerPath: string): RegexWorker {
  let worker: Worker | undefined

  const startedWorker = async (): Promise<Worker> => {
    if (!existsSync(workerPath)) {
      const message = `this regex needs the regex worker, but ${workerPath} does not exist`
      throw new ZeeError('regex_worker', message)
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
    const reply = await requestReply(await startedWorker(), job, limit)
    if (reply.kind === 'lost') {
      await discard()
      throw reply.error
    }
    if (reply.kind === 'failed') throw new ZeeError(reply.code, reply.message)
    return reply
  }
  let queue: Promise<unknown> = Promise.resolve()
  const run = (job: RegexJob, limit: RunLimit): Promise<RegexReply> => {
    const previous = queue
    const reply = waitForTurn(previous, limit).then((ms) => runNow(job, { ...limit, ms }))
    queue = Promise.all([previous, reply.catch(() => {})])
    return reply
  }
  return { run: run as RegexWorker['run'], close: discard }
}

/** Waits for earlier jobs and returns the time that remains. */
function waitForTurn(previous: Promise<unknown>, limit: RunLimit): Promise<number> {
  const { ms, allowedMs, countsQueueTime = false, signal } = limit
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const onAbort = (): void => settle(() => reject(cancelledError()))
    const timer = countsQueueTime
      ? setTimeout(() => settle(() => reject(timeoutError(allowedMs))), Math.max(0, ms))
      : undefined
    const settle = (deliver: () => void): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      deliver()
    }
    signal?.addEventListener('abort', onAbort)
    const left = (): number => (countsQueueTime ? ms - (performance.now() - startedAt) : ms)
    void previous.then(() => settle(() => resolve(left())))
  })
}

function cancelledError(): ZeeError {
  return new ZeeError('aborted', 'the request was cancelled')
}

export function timeoutError(allowedMs: number): ZeeError {
  return new ZeeError('regex_timeout', `regex timed out after ${Math.round(allowedMs)} ms`)
}

/** An oversized pattern exhausts the stack or the heap of the thread; all else is a fault of the worker. */
function threadError(error: Error & { code?: unknown }): ZeeError {
  const isTooLarge = error.name === 'RangeError' || error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  if (isTooLarge) return new ZeeError('regex', 'regex is too large to run', { cause: error })
  const message = `the regex worker failed: ${reasonOf(error)}`
  return new ZeeError('regex_worker', message, { cause: error })
}

/** The worker's reply, or an error after which the worker must be terminated. */
function requestReply(
  worker: Worker,
  job: RegexJob,
  limit: RunLimit,
): Promise<RegexReply | { kind: 'lost'; error: ZeeError }> {
  return new Promise((resolve) => {
    const lose = (error: ZeeError): void => finish({ kind: 'lost', error })
    const onAbort = (): void => lose(cancelledError())
    const onError = (error: Error): void => lose(threadError(error))
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
