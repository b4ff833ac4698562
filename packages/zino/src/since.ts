// The value of `--since` in a request to mem.
import { rfc3339 } from '@zee/core/clock'
import { sinceMs } from '@zee/core/since'

/** An RFC 3339 time; undefined for an absent value. */
export function sinceTime(value: string | undefined, now: Date): string | undefined {
  return value === undefined ? undefined : rfc3339(new Date(sinceMs(value, now)))
}
