// The value of `--since`: a date, a time, or a duration before now such as `90m`.
import { rfc3339 } from '@zee/core/clock'
import { usageError } from '@zee/core/errors'

const unitMs: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** An RFC 3339 time, for a request; undefined for an absent value. */
export function sinceTime(value: string | undefined, now: Date): string | undefined {
  return value === undefined ? undefined : rfc3339(new Date(sinceMs(value, now)))
}

/** Milliseconds since 1970; -Infinity for an absent value. */
export function sinceMs(value: string | undefined, now: Date): number {
  if (value === undefined) return -Infinity
  const [, count, unit = ''] = /^(\d{1,9})([smhd])$/.exec(value) ?? []
  if (count !== undefined) return now.getTime() - Number(count) * (unitMs[unit] ?? 0)
  const time = Date.parse(value)
  if (!Number.isNaN(time)) return time
  throw usageError(`--since ${value}: not a date, a time or a duration such as 90m`)
}
