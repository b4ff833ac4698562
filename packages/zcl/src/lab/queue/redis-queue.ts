// The queue on Redis, with BullMQ, for workers on machines that share the output root. BullMQ and ioredis
// are optional packages, loaded when a Redis address is given; the error names them when they are missing.
import { createRequire } from 'node:module'
import { reasonOf, ZeeError } from '@zee/core/errors'
import { newUuid } from '@zee/core/ids'
import type { ErrorCode } from '../../codes/codes.ts'
import { withoutCredentials } from '../../url/url.ts'
import { Answers } from './answers.ts'
import type { JobQueue, Lease, LeaseResult, QueuedJob } from './job-queue.ts'

interface Emitter {
  on(event: 'error', listener: (error: Error) => void): unknown
}

interface BullJob {
  data: QueuedJob
  stalledCounter: number
  extendLock(token: string, ms: number): Promise<number>
  moveToCompleted(value: unknown, token: string, fetchNext: boolean): Promise<unknown>
  moveToWait(token: string): Promise<unknown>
}

interface BullQueue extends Emitter {
  name: string
  addBulk(jobs: { name: string; data: QueuedJob; opts: object }[]): Promise<unknown>
  getJobCounts(...states: string[]): Promise<Record<string, number>>
  drain(delayed: boolean): Promise<void>
  obliterate(options: { force: boolean }): Promise<void>
  close(): Promise<void>
}

interface BullWorker extends Emitter {
  getNextJob(token: string, options: { block: boolean }): Promise<BullJob | undefined>
  startStalledCheckTimer(): Promise<void>
  close(force: boolean): Promise<void>
}

interface RedisClients {
  queue: BullQueue
  worker: BullWorker
  connection: RedisClient
}

interface RedisClient extends Emitter {
  connect(): Promise<unknown>
  ping(): Promise<unknown>
  disconnect(): void
  readonly stream?: { destroy(): void }
}

/** The used parts of both packages, declared here because they may be absent at build time. */
interface RedisParts {
  Queue: new (name: string, options: object) => BullQueue
  Worker: new (name: string, processor: undefined, options: object) => BullWorker
  Redis: new (address: string, options: object) => RedisClient
}

export interface RedisQueueOptions {
  leaseMs: number
  /** After an abort, requests get little time to be answered. */
  signal: AbortSignal
}

/** Effectively unlimited: a slot limits its own tries when a job keeps killing its workers. */
const maxStalls = 1000
const connectDeadlineMs = 5000
/** A server that restarts is back within this time. */
const answerDeadlineMs = 30_000
const closeDeadlineMs = 500
const batchSize = 1000
const unexpectedReply = /^Command queue state error/

export async function openRedisQueue(
  url: string,
  name: string,
  { leaseMs, signal }: RedisQueueOptions,
): Promise<JobQueue> {
  const parts = loadParts()
  const answers = new Answers(signal)
  const connection = await connect(parts, url, answers)
  const queue = new parts.Queue(name, { connection })
  const worker = new parts.Worker(name, undefined, {
    connection,
    autorun: false,
    lockDuration: leaseMs,
    stalledInterval: Math.max(100, Math.floor(leaseMs / 2)),
    maxStalledCount: maxStalls,
    // A blocking read would delay a worker that is stopping.
    drainDelay: 1,
  })
  // Each request reports its own failure; an error event without a listener would end the process.
  for (const part of [queue, worker, connection]) part.on('error', () => undefined)
  const opened = new RedisQueue({ queue, worker, connection }, answers, leaseMs)
  try {
    await opened.start()
    return opened
  } catch (error) {
    await opened.close()
    throw error
  }
}

class RedisQueue implements JobQueue {
  readonly location: string
  readonly #queue: BullQueue
  readonly #worker: BullWorker
  readonly #connection: RedisClient
  readonly #answers: Answers
  readonly #leaseMs: number

  constructor({ queue, worker, connection }: RedisClients, answers: Answers, leaseMs: number) {
    this.location = queue.name
    this.#queue = queue
    this.#worker = worker
    this.#connection = connection
    this.#answers = answers
    this.#leaseMs = leaseMs
  }

  async start(): Promise<void> {
    await this.#answer(this.#worker.startStalledCheckTimer())
  }

  async enqueue(jobs: Iterable<QueuedJob>): Promise<void> {
    let batch: QueuedJob[] = []
    const flush = async () => {
      // BullMQ ignores an id that exists, so enqueueing is idempotent.
      const jobs = batch.map((data) => ({
        name: 'attempt',
        data,
        opts: { jobId: `slot-${data.slot}`, removeOnComplete: true, removeOnFail: true },
      }))
      await this.#answer(this.#queue.addBulk(jobs))
      batch = []
    }
    for (const job of jobs) {
      batch.push(job)
      if (batch.length >= batchSize) await flush()
    }
    if (batch.length > 0) await flush()
  }

  async lease(): Promise<LeaseResult> {
    const token = newUuid()
    const job = await this.#answer(this.#worker.getNextJob(token, { block: false }))
    if (job !== undefined) return this.#leaseOf(job, token)
    return (await this.#isEmpty()) ? 'empty' : 'busy'
  }

  #leaseOf(job: BullJob, token: string): Lease {
    const answer = <Value>(request: Promise<Value>) => this.#answer(request)
    return {
      job: job.data,
      deliveries: job.stalledCounter,
      heartbeat: async () => (await answer(job.extendLock(token, this.#leaseMs))) === 1,
      complete: () => settle(answer(job.moveToCompleted(true, token, false))),
      fail: () => settle(answer(job.moveToWait(token))),
    }
  }

  async drain(): Promise<void> {
    await this.#answer(this.#queue.drain(true))
  }

  async removeIfEmpty(): Promise<boolean> {
    if (!(await this.#isEmpty())) return false
    await this.#answer(this.#queue.obliterate({ force: true }))
    return true
  }

  async #isEmpty(): Promise<boolean> {
    const counts = await this.#answer(
      this.#queue.getJobCounts('wait', 'active', 'delayed', 'paused'),
    )
    return Object.values(counts).every((count) => count === 0)
  }

  async close(): Promise<void> {
    const closed = Promise.allSettled([this.#worker.close(true), this.#queue.close()])
    // A server that does not answer loses nothing by a connection that ends without a word.
    await this.#answers.within(closed, closeDeadlineMs).catch(() => undefined)
    endConnection(this.#connection)
  }

  async #answer<Value>(request: Promise<Value>): Promise<Value> {
    try {
      return await this.#answers.within(request, answerDeadlineMs)
    } catch (error) {
      throw queueError(`the queue ${this.location} failed: ${reasonOf(error)}`, error)
    }
  }
}

/** Ignores errors of a lease that expired: another worker settles that job. */
async function settle(request: Promise<unknown>): Promise<void> {
  try {
    await request
  } catch (error) {
    if (/lock|missing key|not in the active/i.test(reasonOf(error))) return
    throw queueError(`the queue did not accept a result: ${reasonOf(error)}`, error)
  }
}

/** Loads from the installation of zcl, never from the working folder, which may belong to a stranger. */
function loadParts(): RedisParts {
  try {
    const load = createRequire(__filename)
    const { Queue, Worker } = load('bullmq') as Pick<RedisParts, 'Queue' | 'Worker'>
    const { Redis } = load('ioredis') as Pick<RedisParts, 'Redis'>
    return { Queue, Worker, Redis }
  } catch (error) {
    const message =
      'a queue on Redis needs two more packages beside zcl: npm install -g bullmq ioredis'
    throw queueError(message, error)
  }
}

async function connect({ Redis }: RedisParts, url: string, answers: Answers): Promise<RedisClient> {
  const address = url.startsWith('unix:') ? url.replace(/^unix:(?:\/\/)?/, '') : url
  const redis = new Redis(address, {
    lazyConnect: true,
    maxRetriesPerRequest: null,
    connectTimeout: connectDeadlineMs,
    retryStrategy: (times: number) => Math.min(times * 50, 1000),
  })
  redis.on('error', (error) => {
    // ioredis spends about 50 us on each reply without a request: a flood would block the event loop.
    if (unexpectedReply.test(error.message)) endConnection(redis)
  })
  try {
    await answers.within(
      redis.connect().then(() => redis.ping()),
      connectDeadlineMs,
    )
    return redis
  } catch (error) {
    endConnection(redis)
    throw queueError(`cannot reach the queue at ${withoutCredentials(url)}: ${reasonOf(error)}`)
  }
}

/** ioredis waits 2 s for the server to close the connection too. */
function endConnection(redis: RedisClient): void {
  redis.disconnect()
  redis.stream?.destroy()
}

/** Exit code 1: the infrastructure failed, not the request. */
function queueError(message: string, cause?: unknown): ZeeError {
  return new ZeeError('ZCL_E_QUEUE' satisfies ErrorCode, message, { exitCode: 1, cause })
}
