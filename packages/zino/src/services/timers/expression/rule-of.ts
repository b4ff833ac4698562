// Builds a repeating rule from the terms of an expression.
import type { DayFilter, Rule } from '../calendar/calendar.ts'
import { civilOf, dayNumber, instantOf, wallTimeOf, weekdayOf } from '../calendar/calendar.ts'
import { notUnderstood, unusable } from './errors.ts'
import type { ExpressionContext } from './expression.ts'
import type { Terms } from './terms.ts'
import { defaultTime, elapsedMs } from './words.ts'

/** Throws for terms that name a single moment. */
export function ruleOf(terms: Terms, { now, zone }: ExpressionContext): Rule {
  assertRepeatable(terms)
  const elapsed = terms.durations.filter(({ unit }) => elapsedMs[unit] !== undefined)
  const steps = terms.durations.filter(({ unit }) => elapsedMs[unit] === undefined)
  const today = wallTimeOf(now, zone)
  const days = { ...namedDays(terms), ...stepsOf(terms, steps, dayNumber(today)) }
  const isAnyDay = Object.values(days).every((value) => value === undefined)
  if (elapsed.length === 0) {
    if (terms.window !== undefined) throw notUnderstood('a range of times needs a step')
    if (isAnyDay && terms.times.length === 0 && steps.length === 0) {
      throw notUnderstood('it names neither a day nor a time')
    }
    return { kind: 'calendar', times: timesOf(terms), days }
  }
  const ms = Math.round(elapsed.reduce((sum, { n, unit }) => sum + n * (elapsedMs[unit] ?? 0), 0))
  if (ms < 1000) throw notUnderstood('the shortest step is one second')
  if (terms.times.length > 0) throw notUnderstood('a time of day does not go with hours')
  if (terms.window === undefined && isAnyDay) {
    const isHourly = ms === 3_600_000
    const hour = Math.floor(today.seconds / 3600) * 3600
    // Hourly means on the hour; other steps count from now.
    const from = isHourly ? instantOf(today, hour, zone) : now
    return { kind: 'interval', ms, from }
  }
  return { kind: 'calendar', times: timesInWindow(terms.window, ms), days }
}

/** The days that the expression names, without steps. */
export function namedDays(terms: Terms): DayFilter {
  const { monthDates, weekdays, monthDays, nthWeekdays } = terms
  if (monthDates.some(({ year }) => year !== undefined)) {
    throw notUnderstood('a date with a year does not repeat')
  }
  const [first] = monthDates
  const months = new Set(monthDates.map(({ month }) => month))
  const isOneDay = monthDates.every(({ day }) => day === first?.day)
  if (monthDates.length > 0 && !isOneDay && months.size > 1) {
    throw notUnderstood('name one date; add a job for each further one')
  }
  const inMonth = [...monthDays, ...monthDates.map(({ day }) => day)]
  return {
    weekdays: weekdays.length === 0 ? undefined : [...new Set(weekdays)],
    months: months.size === 0 ? undefined : [...months],
    monthDays: inMonth.length === 0 ? undefined : inMonth,
    nthWeekdays: nthWeekdays.length === 0 ? undefined : nthWeekdays,
  }
}

function assertRepeatable({ instant, dates, daysAhead, isNow }: Terms): void {
  if (instant !== undefined || dates.length > 0 || daysAhead !== undefined || isNow) {
    throw unusable("this is one moment; use 'zino remind' for it")
  }
}

/** `every 2 weeks` counts from today; `weekly` means Monday, `monthly` the 1st, `yearly` 1 January. */
function stepsOf(terms: Terms, steps: Terms['durations'], today: number): DayFilter {
  if (steps.length > 1) throw notUnderstood('it names more than one step')
  const [step] = steps
  if (step === undefined) return {}
  const { n, unit } = step
  const { year, month, day } = civilOf(today)
  const hasDay = terms.monthDays.length + terms.nthWeekdays.length + terms.monthDates.length > 0
  switch (unit) {
    case 'day':
      return n === 1 ? {} : { dayStep: { n, from: today } }
    case 'week': {
      const named = terms.weekdays.length > 0 ? {} : { weekdays: [n === 1 ? 1 : weekdayOf(today)] }
      return n === 1 ? named : { ...named, weekStep: { n, from: Math.floor((today + 3) / 7) } }
    }
    case 'month': {
      const named = hasDay || terms.weekdays.length > 0 ? {} : { monthDays: [n === 1 ? 1 : day] }
      return n === 1 ? named : { ...named, monthStep: { n, from: year * 12 + month - 1 } }
    }
    default: {
      const named = terms.monthDates.length > 0 ? {} : { months: [1] }
      const dayOf = hasDay ? {} : { monthDays: [1] }
      if (n !== 1) throw notUnderstood('write a step of years in months')
      return { ...named, ...dayOf }
    }
  }
}

function timesOf({ times }: Terms): number[] {
  if (times.length === 0) return [defaultTime]
  return [...new Set(times)].sort((one, other) => one - other)
}

function timesInWindow(window: Terms['window'], ms: number): number[] {
  const { from, to } = window ?? { from: 0, to: 86_399 }
  if (to < from) throw notUnderstood('the range of times ends before it begins')
  if (ms % 60_000 !== 0) throw notUnderstood('a step within a range counts whole minutes')
  const times: number[] = []
  for (let seconds = from; seconds <= to; seconds += ms / 1000) times.push(seconds)
  return times
}
