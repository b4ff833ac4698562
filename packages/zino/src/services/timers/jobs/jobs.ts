// All jobs, in memory and in timers.jsonl. Every change is an event that is on the disk before it counts.
import type { Logger } from '@zee/core/log'
import { reasonOf } from '@zee/core/errors'
import { randomHex } from '@zee/core/ids'
import type { Rule } from '../calendar/calendar.ts'
import type { Damage } from '../event-file/event-file.ts'
import { EventFile } from '../event-file/event-file.ts'
import { jobEvent, readJob, readRule, readRun, readTime, startedEvent, timeText } from './events.ts'
import type { Job, JobSpec, Run } from './job.ts'

export { DueQueue } from './due-queue.ts'
export type { Job, JobKind, Run } from './job.ts'
export { jobReport } from './job.ts'

type Fields = Readonly<Record<string, unknown>>

/** How a run ended. */
export interface RunEnd {
  ended: number
  /** When the job runs next; undefined for a job that is over. */
  next: number | undefined
  error: string | undefined
}

/** The reason of a run that ends because its message is forgotten. */
export const forgottenReason = 'its message was forgotten'

export class Jobs {
  readonly #jobs = new Map<string, Job>()
  readonly #file: EventFile

  constructor(file: string, log: Logger) {
    this.#file = new EventFile({
      file,
      apply: (event) => this.#apply(event),
      snapshot: () => this.#snapshot(),
      onCompactionError: (error) => log.warn(`${file} cannot be shortened: ${reasonOf(error)}`),
    })
  }

  get damage(): Damage | undefined {
    return this.#file.damage
  }

  get size(): number {
    return this.#jobs.size
  }

  all(): Iterable<Job> {
    return this.#jobs.values()
  }

  get(id: string): Job | undefined {
    return this.#jobs.get(id)
  }

  async add(spec: Omit<JobSpec, 'id'>, next: number, rule: Rule | undefined): Promise<Job> {
    const id = this.#newId()
    const job: Job = { ...spec, id, next, rule, isPaused: false, runs: [], last: undefined }
    await this.#file.commit(jobEvent(job))
    return this.#jobs.get(id) as Job
  }

  pause(id: string): Promise<void> {
    return this.#file.commit({ kind: 'paused', id })
  }

  resume(id: string, next: number): Promise<void> {
    return this.#file.commit({ kind: 'resumed', id, next: timeText(next) })
  }

  remove(id: string): Promise<void> {
    return this.#file.commit({ kind: 'removed', id })
  }

  /** Moves the next run, after the clock was wrong. */
  move(id: string, next: number, rule: Rule): Promise<void> {
    return this.#file.commit({ kind: 'moved', id, next: timeText(next), rule })
  }

  begin(id: string, run: Run): Promise<void> {
    return this.#file.commit(startedEvent(id, run))
  }

  end(id: string, { turn }: Run, { ended, next, error }: RunEnd): Promise<void> {
    const nextText = next === undefined ? null : timeText(next)
    return this.#file.commit({
      ...{ kind: 'done', id, turn, ended: timeText(ended), next: nextText, error },
    })
  }

  /** Removes finished jobs, and what these turns have reported, from the file. */
  async forget(turns: ReadonlySet<string>): Promise<void> {
    for (const { last } of this.#jobs.values()) {
      if (last?.error !== undefined && turns.has(last.turn)) last.error = forgottenReason
    }
    await this.#file.compact()
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  #newId(): string {
    for (;;) {
      const id = randomHex(3)
      if (!this.#jobs.has(id)) return id
    }
  }

  *#snapshot(): Iterable<object> {
    for (const job of this.#jobs.values()) {
      yield jobEvent(job)
      for (const run of job.runs) yield startedEvent(job.id, run)
    }
  }

  #apply(event: Fields): boolean {
    if (event.kind === 'job') {
      const job = tryReadJob(event.job)
      if (job !== undefined) this.#jobs.set(job.id, job)
      return job !== undefined
    }
    if (typeof event.id !== 'string') return false
    const job = this.#jobs.get(event.id)
    // A removed job may still have had a run.
    if (job === undefined) return true
    return this.#change(job, event)
  }

  #change(job: Job, event: Fields): boolean {
    const next = readTime(event.next)
    switch (event.kind) {
      case 'paused':
        job.isPaused = true
        return true
      case 'removed':
        return this.#jobs.delete(job.id)
      case 'resumed':
        job.isPaused = false
        job.next = next ?? job.next
        return next !== undefined
      case 'moved':
        job.rule = readRule(event.rule) ?? job.rule
        job.next = next ?? job.next
        return next !== undefined
      case 'started': {
        const run = readRun(event)
        if (run !== undefined) job.runs.push(run)
        return run !== undefined
      }
      case 'done':
        return this.#end(job, event, next)
      default:
        return false
    }
  }

  #end(job: Job, { turn, error, ended }: Fields, next: number | undefined): boolean {
    const run = job.runs.find((each) => each.turn === turn)
    const endedMs = readTime(ended)
    if (run === undefined || endedMs === undefined) return false
    job.runs = job.runs.filter((each) => each !== run)
    const { due, isLate, isManual } = run
    const reason = typeof error === 'string' ? error : undefined
    job.last = { turn: run.turn, due, ended: endedMs, isLate, error: reason }
    if (isManual) return true
    if (next === undefined) this.#jobs.delete(job.id)
    else job.next = next
    return true
  }
}

/** A limit that cannot be read makes the job unusable: it must not run without it. */
function tryReadJob(value: unknown): Job | undefined {
  try {
    return readJob(value)
  } catch {
    return undefined
  }
}
