// Points in time that a user writes: a date, a time, or a span before now such as `7d`.
import { usageError } from '../errors/errors.ts'

const hourMs = 3_600_000
const unitMs: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: hourMs,
  d: 24 * hourMs,
  w: 7 * 24 * hourMs,
}
const dateOrTime =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d\d:\d\d)?)?$/

/** The value of `--since` in milliseconds since 1970; -Infinity for an absent value. */
export function sinceMs(text: string | undefined, now: Date): number {
  if (text === undefined) return -Infinity
  const [, count, unit = ''] = /^(\d{1,9})([smhdw])$/.exec(text) ?? []
  const moment =
    count === undefined ? momentMs(text) : now.getTime() - Number(count) * (unitMs[unit] ?? 0)
  if (moment !== undefined) return moment
  throw usageError(
    `--since '${text}' is neither a date (2026-03-01), a time nor a span (90m, 24h, 7d, 4w)`,
  )
}

/** Milliseconds since 1970 of a date, which begins in UTC, or a time; undefined for another text. */
export function momentMs(text: string): number | undefined {
  const [, day = ''] = dateOrTime.exec(text) ?? []
  const moment = isDay(day) ? Date.parse(text) : Number.NaN
  return Number.isNaN(moment) ? undefined : moment
}

/** `Date.parse` takes 30 February for the 2nd of March, and `2026-03-01junk` for a day in June. */
function isDay(day: string): boolean {
  const start = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(start.getTime()) && start.toISOString().startsWith(day)
}
