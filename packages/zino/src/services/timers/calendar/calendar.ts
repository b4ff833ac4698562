// Dates without a time zone, and the rules by which jobs repeat. `zone.ts` converts between wall-clock
// time and instants.
export { addDays, addMonths, civilOf, dayNumber, daysInMonth, weekdayOf } from './day.ts'
export type { CivilDate } from './day.ts'
export { nextInstant } from './next-instant.ts'
export type { DayFilter, Rule } from './rule.ts'
export { dayMatches } from './rule.ts'
export { canonicalZone, instantOf, systemZone, wallTextOf, wallTimeOf } from './zone.ts'
