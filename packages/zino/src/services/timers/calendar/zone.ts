// Converts between wall-clock time in an IANA time zone and instants, with the data of Intl.
// Daylight saving: a wall-clock time that does not exist is moved forward by the length of the gap, and
// one that exists twice means the first of the two.
import type { CivilDate } from './day.ts'
import { civilOf, dayNumber } from './day.ts'

export interface WallTime extends CivilDate {
  /** Seconds since midnight on the wall clock. */
  seconds: number
}

const dayMs = 86_400_000
/** One formatter takes about 50 KiB and 0.3 ms, so recently used zones keep theirs. */
const maxFormatters = 16

const formatters = new Map<string, Intl.DateTimeFormat>()
/** By their names in lower case. */
let listedZones: ReadonlyMap<string, string> | undefined

/** The name as Intl writes it, or undefined when there is no such zone. Listed names need no formatter. */
export function canonicalZone(name: string): string | undefined {
  listedZones ??= new Map(
    [...Intl.supportedValuesOf('timeZone'), 'UTC'].map((zone) => [zone.toLowerCase(), zone]),
  )
  const listed = listedZones.get(name.toLowerCase())
  if (listed !== undefined) return listed
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

let zoneOfMachine: string | undefined

/** The zone of this machine as the process found it. A formatter per call would take 50 KiB. */
export function systemZone(): string {
  zoneOfMachine ??= Intl.DateTimeFormat().resolvedOptions().timeZone
  return zoneOfMachine
}

export function wallTimeOf(instant: number, zone: string): WallTime {
  const wall = instant + offsetAt(instant, zone)
  const number = Math.floor(wall / dayMs)
  return { ...civilOf(number), seconds: Math.floor((wall - number * dayMs) / 1000) }
}

/** `2026-12-01 08:00`, with seconds only when there are some. */
export function wallTextOf(instant: number, zone: string): string {
  const { year, month, day, seconds } = wallTimeOf(instant, zone)
  const date = [String(year).padStart(4, '0'), two(month), two(day)].join('-')
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60].map(two).join(':')
  return `${date} ${clock}${seconds % 60 === 0 ? '' : `:${two(seconds % 60)}`}`
}

export function instantOf(date: CivilDate, seconds: number, zone: string): number {
  return instantsOf(dayNumber(date), [seconds], zone)[0] as number
}

/** The instants of several times of one day. */
export function instantsOf(number: number, times: readonly number[], zone: string): number[] {
  const midnight = number * dayMs
  const before = offsetAt(midnight - dayMs, zone)
  const after = offsetAt(midnight + 2 * dayMs, zone)
  return times.map((seconds) => {
    const wall = midnight + seconds * 1000
    if (before === after) return wall - before
    const isValid = (instant: number) => instant + offsetAt(instant, zone) === wall
    const candidates = [wall - before, wall - after].filter(isValid)
    return candidates.length === 0 ? wall - before : Math.min(...candidates)
  })
}

/** Milliseconds that the wall clock is ahead of UTC. */
function offsetAt(instant: number, zone: string): number {
  const parts = formatterFor(zone).formatToParts(instant)
  const field = (name: string) => Number(parts.find(({ type }) => type === name)?.value)
  const [year, month, day] = [field('year'), field('month'), field('day')]
  const wall = Date.UTC(year, month - 1, day, field('hour'), field('minute'), field('second'))
  return wall - Math.floor(instant / 1000) * 1000
}

function formatterFor(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone)
  formatters.delete(zone)
  const formatter = known ?? newFormatter(zone)
  formatters.set(zone, formatter)
  const [oldest] = formatters.keys()
  if (formatters.size > maxFormatters && oldest !== undefined) formatters.delete(oldest)
  return formatter
}

function newFormatter(zone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
