// The value of `--since`: a date, a time, or a span before now such as `7d`.
import { usageError } from '@zee/core/errors'

const dayMs = 86_400_000
const spanUnits: Readonly<Record<string, number>> = { h: 3_600_000, d: dayMs, w: 7 * dayMs }
const dateOrTime =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d\d:\d\d)?)?$/

/** Milliseconds since 1970; -Infinity for an absent value. A date begins in UTC. */
export function parseSince(text: string | undefined, nowMs: number): number {
  if (text === undefined) return -Infinity
  const [, amount, unit] = /^(\d{1,6})([hdw])$/.exec(text) ?? []
  if (amount !== undefined && unit !== undefined)
    return nowMs - Number(amount) * (spanUnits[unit] ?? 0)
  const [, day = ''] = dateOrTime.exec(text) ?? []
  const moment = isDay(day) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(moment)) return moment
  throw usageError(`--since '${text}' is neither a date (2026-03-01) nor a span (24h, 7d, 4w)`)
}

/** `Date.parse` takes 30 February for the 2nd of March, and `2026-03-01junk` for a day in June. */
function isDay(day: string): boolean {
  const start = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(start.getTime()) && start.toISOString().startsWith(day)
}
