// Resolves the terms of an expression to one moment in the future.
import type { CivilDate, DayFilter } from '../calendar/calendar.ts'
import {
  addDays,
  addMonths,
  dayNumber,
  daysInMonth,
  instantOf,
  nextInstant,
  wallTextOf,
  wallTimeOf,
} from '../calendar/calendar.ts'
import { notUnderstood, unusable } from './errors.ts'
import type { ExpressionContext } from './expression.ts'
import { namedDays } from './rule-of.ts'
import type { Terms } from './terms.ts'
import { defaultTime, elapsedMs } from './words.ts'

const maxYears = 100

/** Throws for a moment that is past, and for terms that name more than one. */
export function momentOf(terms: Terms, context: ExpressionContext): number {
  if (terms.isNow) return context.now
  const moment = resolve(terms, context)
  const { now, zone } = context
  if (moment <= now) throw unusable(`${wallTextOf(moment, zone)} (${zone}) is past`)
  if (moment > now + maxYears * 366 * 86_400_000) {
    throw unusable(`this is more than ${maxYears} years away`)
  }
  return moment
}

function resolve(terms: Terms, { now, zone }: ExpressionContext): number {
  if (terms.times.length > 1 || terms.window !== undefined) {
    throw notUnderstood('it names more than one time')
  }
  if (countOfDays(terms) > 1) throw notUnderstood('it names more than one day')
  const { instant, daysAhead, durations, dates, monthDates } = terms
  const today = wallTimeOf(now, zone)
  const [time] = terms.times
  if (instant !== undefined) {
    if (time !== undefined) throw notUnderstood('it names more than one time')
    return instant
  }
  if (durations.length > 0) return afterDurations(durations, time, now, zone)
  if (daysAhead !== undefined) {
    if (daysAhead === 0 && time === undefined) throw notUnderstood('today at what time?')
    return instantOf(addDays(today, daysAhead), time ?? defaultTime, zone)
  }
  const [date] = dates
  if (date !== undefined) return instantOf(date, time ?? defaultTime, zone)
  const [named] = monthDates
  if (named?.year !== undefined) {
    return instantOf(dateIn(named.year, named), time ?? defaultTime, zone)
  }
  return nextOf(terms, time, now, zone)
}

/** The next time of the day, weekday or day of the month. */
function nextOf(terms: Terms, time: number | undefined, now: number, zone: string): number {
  const days: DayFilter = namedDays(terms)
  const isDay = Object.values(days).some((value) => value !== undefined)
  if (!isDay && time === undefined) throw notUnderstood('it names no time')
  const rule = { kind: 'calendar', times: [time ?? defaultTime], days } as const
  const next = nextInstant(rule, now, zone)
  if (next === undefined) throw notUnderstood('there is no such day')
  return next
}

function afterDurations(
  durations: Terms['durations'],
  time: number | undefined,
  now: number,
  zone: string,
): number {
  const wall = wallTimeOf(now, zone)
  let date: CivilDate = wall
  let ms = 0
  for (const { n, unit } of durations) {
    const elapsed = elapsedMs[unit]
    if (elapsed !== undefined) ms += n * elapsed
    else if (unit === 'day' || unit === 'week') date = addDays(date, unit === 'day' ? n : n * 7)
    else date = addMonths(date, unit === 'month' ? n : n * 12)
  }
  if (time !== undefined && ms > 0) throw notUnderstood('a time of day does not go with hours')
  const isSameDay = dayNumber(date) === dayNumber(wall)
  if (isSameDay && time === undefined) return now + ms
  const start = instantOf(date, time ?? wall.seconds, zone)
  return start + ms + (time === undefined ? now % 1000 : 0)
}

function countOfDays({ dates, monthDates, weekdays, monthDays, ...terms }: Terms): number {
  const { nthWeekdays, instant, daysAhead, durations } = terms
  const lists = [dates, monthDates, weekdays, monthDays, nthWeekdays]
  const singles = [instant !== undefined, daysAhead !== undefined, durations.length > 0]
  const named = lists.reduce((sum, list) => sum + list.length, 0)
  return named + singles.filter(Boolean).length
}

function dateIn(year: number, { month, day }: { month: number; day: number }): CivilDate {
  const last = daysInMonth(year, month)
  if (day > last) throw notUnderstood(`month ${month} of ${year} has no day ${day}`)
  return { year, month, day: day === -1 ? last : day }
}
