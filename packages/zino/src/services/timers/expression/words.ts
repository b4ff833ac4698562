// The vocabulary of time expressions.

export type Unit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year'

const unitNames: Readonly<Record<Unit, readonly string[]>> = {
  second: ['s', 'sec', 'secs', 'second', 'seconds'],
  minute: ['m', 'min', 'mins', 'minute', 'minutes'],
  hour: ['h', 'hr', 'hrs', 'hour', 'hours'],
  day: ['d', 'day', 'days'],
  week: ['w', 'wk', 'wks', 'week', 'weeks'],
  month: ['mo', 'mos', 'month', 'months'],
  year: ['y', 'yr', 'yrs', 'year', 'years'],
}

const weekdayNames = [
  ['sun', 'sunday', 'sundays'],
  ['mon', 'monday', 'mondays'],
  ['tue', 'tues', 'tuesday', 'tuesdays'],
  ['wed', 'weds', 'wednesday', 'wednesdays'],
  ['thu', 'thur', 'thurs', 'thursday', 'thursdays'],
  ['fri', 'friday', 'fridays'],
  ['sat', 'saturday', 'saturdays'],
]

const monthNames = [
  ['jan', 'january'],
  ['feb', 'february'],
  ['mar', 'march'],
  ['apr', 'april'],
  ['may'],
  ['jun', 'june'],
  ['jul', 'july'],
  ['aug', 'august'],
  ['sep', 'sept', 'september'],
  ['oct', 'october'],
  ['nov', 'november'],
  ['dec', 'december'],
]

const numberNames = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']
const moreNumberNames = ['nine', 'ten', 'eleven', 'twelve']
const ordinalNames = ['', 'first', 'second', 'third', 'fourth', 'fifth']

/** Parts of a day that stand for a time. */
export const namedTimes: ReadonlyMap<string, number> = new Map([
  ['midnight', 0],
  ['morning', 9 * 3600],
  ['noon', 12 * 3600],
  ['midday', 12 * 3600],
  ['afternoon', 15 * 3600],
  ['evening', 18 * 3600],
  ['tonight', 20 * 3600],
  ['night', 20 * 3600],
])

/** Units of elapsed time, in milliseconds; the others follow the calendar. */
export const elapsedMs: Partial<Record<Unit, number>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
}

/** The time of a day without one. */
export const defaultTime = 9 * 3600

export const units: ReadonlyMap<string, Unit> = new Map(
  Object.entries(unitNames).flatMap(([unit, names]) => names.map((name) => [name, unit as Unit])),
)
export const weekdays = indexOf(weekdayNames)
export const months = new Map([...indexOf(monthNames)].map(([name, index]) => [name, index + 1]))
export const numbers: ReadonlyMap<string, number> = new Map([
  ['a', 1],
  ['an', 1],
  ...[...numberNames, ...moreNumberNames].map((name, index) => [name, index] as const),
])
export const ordinals: ReadonlyMap<string, number> = new Map([
  ...ordinalNames.flatMap((name, index) => (name === '' ? [] : [[name, index] as const])),
  ['last', -1],
])
/** Words that repeat a job. */
export const repeats: ReadonlyMap<string, Unit> = new Map([
  ['hourly', 'hour'],
  ['daily', 'day'],
  ['weekly', 'week'],
  ['monthly', 'month'],
  ['yearly', 'year'],
  ['annually', 'year'],
])
export const workdays = [1, 2, 3, 4, 5]
export const weekend = [6, 0]
export const dayGroups: ReadonlyMap<string, readonly number[]> = new Map([
  ['weekday', workdays],
  ['weekdays', workdays],
  ['workday', workdays],
  ['workdays', workdays],
  ['weekend', weekend],
  ['weekends', weekend],
])
/** Words without a meaning of their own. */
export const fillers: ReadonlySet<string> = new Set([
  ...['at', 'on', 'the', 'of', 'and', 'in', 'every', 'each', 'next', 'this', 'from', 'between'],
  ...["o'clock", 'oclock', 'now', 'working', 'business', 'o’clock'],
])

function indexOf(groups: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  return new Map(groups.flatMap((names, index) => names.map((name) => [name, index] as const)))
}
