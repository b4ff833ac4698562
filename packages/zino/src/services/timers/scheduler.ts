// Waits for the next due job with one timer, however many jobs there are. The timer runs on the monotonic
// clock, which stands still while the machine sleeps and ignores changes of the wall clock. Each ping of the
// supervisor, which comes anyway, compares the two clocks. Without pings a wait is cut into pieces of 30 s.
import type { Clock } from '@zee/core/clock'
import type { Logger } from '@zee/core/log'
import { nextInstant } from './calendar/calendar.ts'
import type { Job, Jobs } from './jobs/jobs.ts'
import { DueQueue } from './jobs/jobs.ts'

export interface SchedulerOptions {
  jobs: Jobs
  clock: Clock
  log: Logger
  /** Whether `checkTime` is called every few seconds. */
  hasPings?: boolean | undefined
  /** Begins the run of a due job; resolves when it has ended. */
  run(job: Job, due: number, isLate: boolean): Promise<void>
  /** Calls back after `ms`; returns the function that cancels it. */
  setTimer?: (callback: () => void, ms: number) => () => void
}

/** Without pings a sleep or a change of the clock is noticed within this time. */
export const maxWaitMs = 30_000
/** setTimeout takes no longer time. */
const maxTimerMs = 2 ** 31 - 1
/** The clocks drift apart by less between two pings, unless the machine slept or the clock was set. */
const maxDriftMs = 500
/** A run that begins later than this after its time is marked late. */
const lateMs = 10_000
/** A clock set back by less makes jobs wait, so that none runs twice for the same time. */
const maxSetBackMs = 25 * 3_600_000
const minSetBackMs = 60_000

export class Scheduler {
  readonly #options: SchedulerOptions
  readonly #queue: DueQueue
  /** Jobs whose run is about to begin. */
  readonly #claimed = new Set<string>()
  readonly #startedAt: number
  #clockOffset: number
  #cancelTimer = () => {}
  #isStopped = false

  constructor(options: SchedulerOptions) {
    const { jobs, clock } = options
    this.#options = options
    this.#startedAt = clock.now().getTime()
    this.#clockOffset = this.#offset()
    this.#queue = new DueQueue({
      isReady: (job) => jobs.get(job.id) === job && !this.#claimed.has(job.id),
      count: () => jobs.size,
    })
  }

  /** Loads all jobs and starts what is due. */
  async start(): Promise<void> {
    await this.#correctJobs()
    for (const job of this.#options.jobs.all()) this.#queue.push(job)
    this.tick()
  }

  stop(): void {
    this.#isStopped = true
    this.#cancelTimer()
  }

  /** Takes up a job that is new, or whose time has changed. */
  schedule(job: Job): void {
    this.#queue.push(job)
    this.tick()
  }

  /** Starts every due job, then waits for the next one. */
  tick(): void {
    if (this.#isStopped) return
    this.#cancelTimer()
    this.#checkClock()
    const now = this.#options.clock.now().getTime()
    for (let job = this.#queue.take(now); job !== undefined; job = this.#queue.take(now)) {
      void this.#run(job, now)
    }
    const next = this.#queue.peek()
    if (next === undefined) return
    const { hasPings = false, setTimer = systemTimer } = this.#options
    const longest = hasPings ? maxTimerMs : maxWaitMs
    const ms = Math.min(Math.max(0, next.next - now), longest)
    this.#cancelTimer = setTimer(() => this.tick(), ms)
  }

  /** Notices that the machine slept or that the clock was set. */
  checkTime(): void {
    if (Math.abs(this.#offset() - this.#clockOffset) > maxDriftMs) this.tick()
  }

  #offset(): number {
    const { clock } = this.#options
    return clock.now().getTime() - clock.monotonicMs()
  }

  async #run(job: Job, now: number): Promise<void> {
    const due = job.next
    const isLate = due < this.#startedAt || now - due > lateMs
    this.#claimed.add(job.id)
    try {
      await this.#options.run(job, due, isLate)
    } finally {
      this.#claimed.delete(job.id)
    }
    if (this.#options.jobs.get(job.id) === job) this.schedule(job)
  }

  #checkClock(): void {
    const { log } = this.#options
    const offset = this.#offset()
    const change = offset - this.#clockOffset
    this.#clockOffset = offset
    if (change > -minSetBackMs) return
    log.warn(`the clock was set back by ${Math.round(-change / 1000)} s`)
    void this.#correctJobs().then(() => this.tick())
  }

  /**
   * A repeating job that was created or last ran more than a day ahead did so by a wrong clock, and is
   * scheduled anew. Otherwise it would not run before that time comes again.
   */
  async #correctJobs(): Promise<void> {
    const { jobs, clock, log } = this.#options
    const now = clock.now().getTime()
    for (const job of jobs.all()) {
      const latest = Math.max(job.last?.ended ?? 0, job.created)
      if (job.rule === undefined || latest <= now + maxSetBackMs) continue
      const rule = job.rule.kind === 'interval' ? { ...job.rule, from: now } : job.rule
      // A time that it has already run for stays done.
      const last = job.last?.due ?? 0
      const after = last <= now + maxSetBackMs ? Math.max(now, last) : now
      const next = nextInstant(rule, after, job.zone)
      if (next === undefined) continue
      log.warn(`timer ${job.id} ran by a clock that was wrong and is scheduled anew`)
      await jobs.move(job.id, next, rule).catch((error: unknown) => log.error(String(error)))
      this.#queue.push(job)
    }
  }
}

function systemTimer(callback: () => void, ms: number): () => void {
  const timer = setTimeout(callback, ms)
  return () => clearTimeout(timer)
}
