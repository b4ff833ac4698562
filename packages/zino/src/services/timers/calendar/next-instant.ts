// Finds when a rule fires next.
import { dayNumber } from './day.ts'
import type { Rule } from './rule.ts'
import { dayMatches } from './rule.ts'
import { instantsOf, wallTimeOf } from './zone.ts'

/** Covers 29 February over a century without leap day (2096 to 2104). */
const maxDays = 366 * 9
/** A time moved by daylight saving can come after a time of a following day. */
const overlapDays = 2

/** The first instant of the rule after `after`; undefined when there is none. */
export function nextInstant(rule: Rule, after: number, zone: string): number | undefined {
  if (rule.kind === 'interval') {
    const steps = Math.max(0, Math.floor((after - rule.from) / rule.ms) + 1)
    return rule.from + steps * rule.ms
  }
  const first = dayNumber(wallTimeOf(after, zone)) - overlapDays
  let found: number | undefined
  let lastDay = first + maxDays
  for (let day = first; day <= lastDay; day += 1) {
    if (!dayMatches(rule.days, day)) continue
    for (const instant of instantsOf(day, rule.times, zone)) {
      if (instant <= after || (found !== undefined && instant >= found)) continue
      found = instant
      lastDay = Math.min(lastDay, day + overlapDays)
    }
  }
  return found
}
