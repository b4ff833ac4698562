// The events of timers.jsonl. Times are RFC 3339 in the file and milliseconds in memory.
import { parseRfc3339, rfc3339 } from '@zee/core/clock'
import { isObject } from '@zee/core/json'
import { readAllows } from '../../../allow/allow.ts'
import type { Rule } from '../calendar/calendar.ts'
import { canonicalZone } from '../calendar/calendar.ts'
import type { Job, LastRun, Run } from './job.ts'

type Fields = Readonly<Record<string, unknown>>

export const timeText = (ms: number): string => rfc3339(new Date(ms))

/** The event that creates the job in its present state, without its runs. */
export function jobEvent(job: Job): object {
  const { runs: _, created, next, last, isPaused, ...spec } = job
  return {
    kind: 'job',
    job: {
      ...spec,
      created: timeText(created),
      next: timeText(next),
      paused: isPaused,
      last: last && { ...last, due: timeText(last.due), ended: timeText(last.ended) },
    },
  }
}

export function startedEvent(id: string, run: Run): object {
  const { turn, due, began, isLate, isManual } = run
  const times = { due: timeText(due), began: timeText(began) }
  return { kind: 'started', id, turn, ...times, late: isLate, manual: isManual }
}

/** Undefined for a record that is no job. */
export function readJob(value: unknown): Job | undefined {
  if (!isObject(value)) return undefined
  const { id, kind, when, zone, text, channel } = value
  const [created, next] = [readTime(value.created), readTime(value.next)]
  if (kind !== 'remind' && kind !== 'every' && kind !== 'background') return undefined
  if (typeof id !== 'string' || typeof when !== 'string' || typeof text !== 'string')
    return undefined
  if (typeof channel !== 'string' || created === undefined || next === undefined) return undefined
  if (typeof zone !== 'string' || canonicalZone(zone) === undefined) return undefined
  const rule = sharedRule(value.rule)
  if (value.rule !== undefined && rule === undefined) return undefined
  // Paths are absolute in the file.
  const allow = readAllows(value.allow, { cwd: '/' })
  return {
    ...{ id, kind, text, created, next, rule },
    ...{ when: shared(when), zone: shared(zone), channel: shared(channel) },
    allow: allow.length === 0 ? undefined : allow,
    isPaused: value.paused === true,
    runs: [],
    last: readLast(value.last),
  }
}

/** Most jobs share their time, zone and channel: one copy of each halves the memory of 10,000 jobs. */
const sharedTexts = new Map<string, string>()
const sharedRules = new Map<string, Rule>()
const maxShared = 1000

function shared(text: string): string {
  const known = sharedTexts.get(text)
  if (known === undefined && sharedTexts.size < maxShared) sharedTexts.set(text, text)
  return known ?? text
}

/** Rules are never changed in place. */
function sharedRule(value: unknown): Rule | undefined {
  const rule = readRule(value)
  if (rule === undefined) return undefined
  const name = JSON.stringify(rule)
  const known = sharedRules.get(name)
  if (known === undefined && sharedRules.size < maxShared) sharedRules.set(name, rule)
  return known ?? rule
}

export function readRun(event: Fields): Run | undefined {
  const { turn, late, manual } = event
  const [due, began] = [readTime(event.due), readTime(event.began)]
  if (typeof turn !== 'string' || due === undefined || began === undefined) return undefined
  return { turn, due, began, isLate: late === true, isManual: manual === true }
}

export function readTime(value: unknown): number | undefined {
  return typeof value === 'string' ? parseRfc3339(value)?.getTime() : undefined
}

export function readRule(value: unknown): Rule | undefined {
  if (!isObject(value)) return undefined
  const { kind, ms, from, times, days } = value
  if (kind === 'interval') {
    const isValid = typeof ms === 'number' && ms >= 1000 && typeof from === 'number'
    return isValid ? { kind, ms, from } : undefined
  }
  if (kind !== 'calendar' || !Array.isArray(times) || times.length === 0) return undefined
  const isValid = times.every((time) => typeof time === 'number' && time >= 0 && time < 86_400)
  return isValid && isObject(days) ? (value as unknown as Rule) : undefined
}

function readLast(value: unknown): LastRun | undefined {
  if (!isObject(value)) return undefined
  const { turn, isLate, error } = value
  const [due, ended] = [readTime(value.due), readTime(value.ended)]
  if (typeof turn !== 'string' || due === undefined || ended === undefined) return undefined
  return {
    ...{ turn, due, ended, isLate: isLate === true },
    error: typeof error === 'string' ? error : undefined,
  }
}
