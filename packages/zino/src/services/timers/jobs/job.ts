// A job: what to do, when, and what has become of it.
import { rfc3339 } from '@zee/core/clock'
import type { Allow } from '../../../allow/allow.ts'
import type { Rule } from '../calendar/calendar.ts'
import { wallTextOf } from '../calendar/calendar.ts'

/** A reminder, a repeated prompt, or a prompt that runs once in the background. */
export type JobKind = 'remind' | 'every' | 'background'

export interface JobSpec {
  id: string
  kind: JobKind
  /** The expression as the user wrote it. */
  when: string
  zone: string
  text: string
  /** Empty for a reminder that only delivers its text. */
  channel: string
  /** What its turns may do; rtr and exc enforce it. */
  allow: readonly Allow[] | undefined
  created: number
}

/** A run that has begun and not ended. */
export interface Run {
  turn: string
  due: number
  began: number
  isLate: boolean
  /** Asked for by the user: the schedule stays as it is. */
  isManual: boolean
}

export interface LastRun {
  turn: string
  due: number
  ended: number
  isLate: boolean
  error: string | undefined
}

export interface Job extends JobSpec {
  rule: Rule | undefined
  next: number
  isPaused: boolean
  runs: Run[]
  last: LastRun | undefined
}

/** The job as clients see it. */
export function jobReport(job: Job): object {
  const { id, kind, when, zone, text, channel, allow, last } = job
  const isRunning = job.runs.length > 0
  return {
    id,
    kind,
    when,
    zone,
    text,
    channel: channel === '' ? null : channel,
    state: job.isPaused ? 'paused' : isRunning ? 'running' : 'active',
    next: job.isPaused ? null : rfc3339(new Date(job.next), 0),
    next_local: job.isPaused ? null : wallTextOf(job.next, zone),
    repeats: job.rule !== undefined,
    created: rfc3339(new Date(job.created), 0),
    allow,
    last_run: last === undefined ? null : lastReport(last),
  }
}

function lastReport({ turn, due, ended, isLate, error }: LastRun): object {
  return {
    turn,
    due: rfc3339(new Date(due), 0),
    ended: rfc3339(new Date(ended), 0),
    late: isLate,
    error: error ?? null,
  }
}

/** Whether a scheduled run of the job is under way. */
export function isBusy({ runs }: Job): boolean {
  return runs.some(({ isManual }) => !isManual)
}
