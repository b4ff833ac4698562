// The rules by which jobs repeat, as data: they are stored with the job.
import { civilOf, daysInMonth, weekdayOf } from './day.ts'

/** A step of `n` days, weeks or months, counted from a date. */
export interface Step {
  n: number
  /** Day number, Monday-based week number, or month number since year 0. */
  from: number
}

/** Conditions on a date; all that are present must hold. */
export interface DayFilter {
  dayStep?: Step | undefined
  weekStep?: Step | undefined
  monthStep?: Step | undefined
  /** 0 is Sunday. */
  weekdays?: readonly number[] | undefined
  /** 1 to 12. */
  months?: readonly number[] | undefined
  /** 1 to 31, or -1 for the last day. A day that a month does not have is its last day. */
  monthDays?: readonly number[] | undefined
  /** The nth weekday of the month; -1 is the last one. */
  nthWeekdays?: readonly { nth: number; weekday: number }[] | undefined
}

export type Rule =
  /** Elapsed time: daylight saving does not move it. */
  | { kind: 'interval'; ms: number; from: number }
  /** Wall-clock times, in seconds of the day, on the days of the filter. */
  | { kind: 'calendar'; times: readonly number[]; days: DayFilter }

export function dayMatches(filter: DayFilter, number: number): boolean {
  const { year, month, day } = civilOf(number)
  if (!onStep(filter.dayStep, number)) return false
  if (!onStep(filter.weekStep, weekNumber(number))) return false
  if (!onStep(filter.monthStep, year * 12 + month - 1)) return false
  if (filter.months !== undefined && !filter.months.includes(month)) return false
  if (filter.weekdays !== undefined && !filter.weekdays.includes(weekdayOf(number))) return false
  const { monthDays, nthWeekdays } = filter
  if (monthDays === undefined && nthWeekdays === undefined) return true
  const last = daysInMonth(year, month)
  const isMonthDay = monthDays?.some((each) => day === monthDayOf(each, last)) ?? false
  return isMonthDay || (nthWeekdays?.some((each) => isNth(each, number, day, last)) ?? false)
}

/** The number of a week that begins on Monday. */
export function weekNumber(number: number): number {
  return Math.floor((number + 3) / 7)
}

function onStep(step: Step | undefined, value: number): boolean {
  return step === undefined || (value - step.from) % step.n === 0
}

function monthDayOf(wanted: number, last: number): number {
  return wanted < 0 ? last + 1 + wanted : Math.min(wanted, last)
}

function isNth(
  { nth, weekday }: { nth: number; weekday: number },
  number: number,
  day: number,
  last: number,
): boolean {
  if (weekdayOf(number) !== weekday) return false
  return nth < 0 ? Math.ceil((last + 1 - day) / 7) === -nth : Math.ceil(day / 7) === nth
}
