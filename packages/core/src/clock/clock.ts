// Times in RFC 3339, UTC, with a fixed number of fraction digits, so that strings sort by time.
// Only a program's entry reads the wall clock; all other code receives a Clock.
import { readFileSync } from 'node:fs'
import { ZeeError } from '../errors/errors.ts'

export interface Clock {
  /** Wall-clock time. */
  now(): Date
  /** Milliseconds since an arbitrary start; never goes backwards. For durations. */
  monotonicMs(): number
}

export interface SystemClock extends Clock {
  /** As `monotonicMs`, but also counts while the machine is suspended. Its resolution is 10 ms to 1 s. */
  uptimeMs(): number
}

export const systemClock: SystemClock = {
  now: () => new Date(),
  monotonicMs: () => {
    // `performance` would load perf_hooks, which adds almost 1 ms to every start.
    const [seconds, nanoseconds] = process.hrtime()
    return seconds * 1000 + nanoseconds / 1e6
  },
  uptimeMs: () => {
    try {
      // Loading `node:os` slows a start.
      return Number.parseFloat(readFileSync('/proc/uptime', 'latin1')) * 1000
    } catch {
      return process.getBuiltinModule('node:os').uptime() * 1000
    }
  },
}

/** The longest delay that setTimeout accepts; a longer one fires immediately. */
export const maxTimerMs = 2 ** 31 - 1

/** A clock that never advances, for tests and reproducible output. */
export function fixedClock(time: string | Date): Clock {
  const date = typeof time === 'string' ? parseRfc3339(time) : time
  if (date === undefined || Number.isNaN(date.getTime())) {
    throw new ZeeError('invalid_time', `not an RFC 3339 time: ${JSON.stringify(time)}`)
  }
  const ms = date.getTime()
  return { now: () => new Date(ms), monotonicMs: () => 0 }
}

const dayMs = 86_400_000
/** 0000-01-01T00:00:00.000Z and 9999-12-31T23:59:59.999Z. */
const firstMs = -62_167_219_200_000
const lastMs = 253_402_300_799_999

/** The time in UTC with exactly `fractionDigits` digits (truncated, not rounded) and the suffix Z. */
export function rfc3339(date: Date, fractionDigits: 0 | 3 | 6 | 9 = 3): string {
  const time = date.getTime()
  if (!(time >= firstMs && time <= lastMs)) {
    throw new ZeeError('invalid_time', 'a time outside the years 0000 to 9999 cannot be written')
  }
  const days = Math.floor(time / dayMs)
  const ms = time - days * dayMs
  const minutes = Math.floor(ms / 60_000)
  const seconds = Math.floor(ms / 1000) % 60
  const clock = [Math.floor(minutes / 60), minutes % 60, seconds].map((each) => padded(each, 2))
  const fraction = padded(ms % 1000, 3).padEnd(fractionDigits, '0')
  return `${civilDate(days)}T${clock.join(':')}${fractionDigits === 0 ? '' : `.${fraction}`}Z`
}

/**
 * The date `days` after 1970-01-01. Date's own methods look up the time zone on first use, which adds
 * 0.2 ms to every start. Years start in March here, so that a leap day is the last day of its year;
 * an era of 400 years always has 146,097 days.
 */
function civilDate(days: number): string {
  const fromMarch = days + 719_468
  const era = Math.floor(fromMarch / 146_097)
  const day = fromMarch - era * 146_097
  const leapDays = Math.floor(day / 1460) - Math.floor(day / 36_524) + Math.floor(day / 146_096)
  const year = Math.floor((day - leapDays) / 365)
  const dayOfYear = day - (365 * year + Math.floor(year / 4) - Math.floor(year / 100))
  const month = Math.floor((5 * dayOfYear + 2) / 153)
  const dayOfMonth = dayOfYear - Math.floor((153 * month + 2) / 5) + 1
  const isNextYear = month >= 10
  const parts = [
    padded(era * 400 + year + (isNextYear ? 1 : 0), 4),
    padded(isNextYear ? month - 9 : month + 3, 2),
    padded(dayOfMonth, 2),
  ]
  return parts.join('-')
}

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, '0')
}

const pattern =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/

/**
 * Parses a strict RFC 3339 time; undefined when it is not one or the date does not exist. Accepts
 * any offset, lower-case `t` and `z`, and any number of fraction digits (truncated to milliseconds).
 * A leap second is valid at 23:59:60 UTC on the last day of a month and means the second after it.
 */
export function parseRfc3339(text: string): Date | undefined {
  const found = pattern.exec(text)
  if (found === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1)
    .map(Number)
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined
  if (hour > 23 || minute > 59 || second > 60) return undefined
  const [, , , , , , , fraction = '', sign, offsetHour = '0', offsetMinute = '0'] = found
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return undefined
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '-' ? -1 : 1)
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute - offset, second, Number(fraction.slice(0, 3).padEnd(3, '0')))
  if (second === 60 && !isMonthStart(date)) return undefined
  const utcYear = date.getUTCFullYear()
  return utcYear >= 0 && utcYear <= 9999 ? date : undefined
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** Whether a leap second, which is normalized to the next minute, is the last one of a month. */
function isMonthStart(date: Date): boolean {
  return date.getUTCDate() === 1 && date.getUTCHours() + date.getUTCMinutes() === 0
}

const sleepCell = new Int32Array(new SharedArrayBuffer(4))

/** Blocks the thread; for synchronous code that waits milliseconds. */
export function sleepSync(ms: number): void {
  Atomics.wait(sleepCell, 0, 0, ms)
}
