// Arithmetic on dates without a time zone. A date is its number of days since 1970-01-01.

export interface CivilDate {
  year: number
  /** 1 to 12. */
  month: number
  day: number
}

const dayMs = 86_400_000

export function dayNumber({ year, month, day }: CivilDate): number {
  return Date.UTC(year, month - 1, day) / dayMs
}

export function civilOf(number: number): CivilDate {
  const date = new Date(number * dayMs)
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
  }
}

/** 0 is Sunday. */
export function weekdayOf(number: number): number {
  return (((number + 4) % 7) + 7) % 7
}

export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

export function addDays(date: CivilDate, days: number): CivilDate {
  return civilOf(dayNumber(date) + days)
}

/** The same day of a later month, or the last day of a shorter one. */
export function addMonths({ year, month, day }: CivilDate, months: number): CivilDate {
  const index = year * 12 + month - 1 + months
  const target = { year: Math.floor(index / 12), month: (index % 12) + 1 }
  return { ...target, day: Math.min(day, daysInMonth(target.year, target.month)) }
}
