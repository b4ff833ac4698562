import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DayFilter, Rule } from './calendar.ts'
import {
  addMonths,
  canonicalZone,
  civilOf,
  dayMatches,
  dayNumber,
  instantOf,
  nextInstant,
  wallTextOf,
  wallTimeOf,
} from './calendar.ts'

const rounds = Math.ceil(Number(process.env.ZEE_ROUNDS ?? 100) / 100)
const hourMs = 3_600_000
const quarterMs = 900_000
const zones = [
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'America/St_Johns', 'Australia/Lord_Howe'],
  ...['Pacific/Apia', 'Africa/Cairo', 'Asia/Kolkata', 'America/Havana', 'Pacific/Chatham'],
  ...['Africa/Casablanca', 'America/Asuncion', 'Asia/Gaza', 'Antarctica/Troll', 'Europe/Dublin'],
]
const anyZone = fc.constantFrom(...zones)
const anyInstant = fc
  .integer({ min: Date.UTC(2001, 0) / 1000, max: Date.UTC(2040, 0) / 1000 })
  .map((seconds) => seconds * 1000)
const daily = (...times: string[]): Rule => ({
  kind: 'calendar',
  days: {},
  times: times.map((text) => {
    const [hour = 0, minute = 0] = text.split(':').map(Number)
    return hour * 3600 + minute * 60
  }),
})
const at = (text: string) => Date.parse(text)
const iso = (ms: number | undefined) => new Date(ms ?? Number.NaN).toISOString()

describe('a wall-clock time', () => {
  it('of an instant leads back to that instant, or to the first of two with the same time', () => {
    fc.assert(
      fc.property(anyInstant, anyZone, (instant, zone) => {
        const wall = wallTimeOf(instant, zone)
        const back = instantOf(wall, wall.seconds, zone)
        expect(wallTextOf(back, zone)).toBe(wallTextOf(instant, zone))
        expect(back).toBeLessThanOrEqual(instant)
        expect(instant - back).toBeLessThanOrEqual(3 * hourMs)
      }),
      { numRuns: 150 * rounds },
    )
  })

  it('agrees with Intl in every zone of this machine', () => {
    const instant = at('2026-07-14T15:00:00Z')
    const wrong = Intl.supportedValuesOf('timeZone').filter((zone) => {
      const shown = new Date(instant).toLocaleString('sv-SE', { timeZone: zone }).slice(0, 16)
      return wallTextOf(instant, zone) !== shown
    })
    expect(wrong).toEqual([])
  })

  it('that daylight saving skips is moved forward by the length of the gap', () => {
    const date = { year: 2026, month: 3, day: 29 }
    expect(iso(instantOf(date, 2.5 * 3600, 'Europe/Berlin'))).toBe('2026-03-29T01:30:00.000Z')
    const text = wallTextOf(instantOf(date, 2.5 * 3600, 'Europe/Berlin'), 'Europe/Berlin')
    expect(text).toBe('2026-03-29 03:30')
  })

  it('that exists twice means the first of the two', () => {
    const date = { year: 2026, month: 10, day: 25 }
    expect(iso(instantOf(date, 2.5 * 3600, 'Europe/Berlin'))).toBe('2026-10-25T00:30:00.000Z')
  })

  it('on the day that Samoa skipped in 2011 falls on the day after', () => {
    const date = { year: 2011, month: 12, day: 30 }
    const instant = instantOf(date, 9 * 3600, 'Pacific/Apia')
    expect(wallTextOf(instant, 'Pacific/Apia')).toBe('2011-12-31 09:00')
  })

  it('has a zone whose name is known, in any case of letters', () => {
    expect(canonicalZone('europe/berlin')).toBe('Europe/Berlin')
    expect(canonicalZone('Mars/Olympus')).toBeUndefined()
  })
})

describe('a daily rule', () => {
  it('keeps its wall-clock time over both changes of the year', () => {
    const rule = daily('09:00')
    const texts = (from: string) => iso(nextInstant(rule, at(from), 'Europe/Berlin'))
    expect(texts('2026-03-28T12:00:00Z')).toBe('2026-03-29T07:00:00.000Z')
    expect(texts('2026-03-27T12:00:00Z')).toBe('2026-03-28T08:00:00.000Z')
    expect(texts('2026-10-24T12:00:00Z')).toBe('2026-10-25T08:00:00.000Z')
  })

  it('runs exactly once on the day of a gap and on the day of an overlap', () => {
    for (const [from, to] of [
      ['2026-03-28T12:00:00Z', '2026-03-30T12:00:00Z'],
      ['2026-10-24T12:00:00Z', '2026-10-26T12:00:00Z'],
    ] as const) {
      const found = all(daily('02:30'), at(from), at(to), 'Europe/Berlin')
      expect(found).toHaveLength(2)
    }
  })

  it('never skips a day and never runs twice on one, in any zone', () => {
    fc.assert(
      fc.property(
        anyInstant,
        anyZone,
        fc.integer({ min: 0, max: 1439 }),
        (start, zone, minutes) => {
          const rule: Rule = { kind: 'calendar', times: [minutes * 60], days: {} }
          const found = all(rule, start, start + 5 * 24 * hourMs, zone)
          const days = found.map((each) => dayNumber(wallTimeOf(each, zone)))
          expect(new Set(days).size).toBe(days.length)
          expect(days.length).toBeGreaterThanOrEqual(4)
          expect(days.length).toBeLessThanOrEqual(6)
        },
      ),
      { numRuns: 60 * rounds },
    )
  })
})

describe('the next instant of a rule', () => {
  const filter: fc.Arbitrary<DayFilter> = fc.record(
    {
      weekdays: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }),
      monthDays: fc.uniqueArray(fc.constantFrom(1, 15, 28, 29, 30, 31, -1), { minLength: 1 }),
      months: fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 4 }),
    },
    { requiredKeys: [] },
  )

  it('is the first quarter of an hour whose wall-clock time matches, away from clock changes', () => {
    fc.assert(
      fc.property(
        anyInstant.map((instant) => instant - (instant % quarterMs)),
        anyZone,
        filter,
        fc.uniqueArray(fc.integer({ min: 0, max: 95 }), { minLength: 1, maxLength: 4 }),
        (start, zone, days, quarters) => {
          const rule: Rule = { kind: 'calendar', times: quarters.map((each) => each * 900), days }
          const end = start + 30 * hourMs
          fc.pre(isSteady(start, end, zone))
          const next = nextInstant(rule, start, zone) ?? Infinity
          expect(next <= end ? iso(next) : 'none').toBe(searched(rule, start, end, zone))
        },
      ),
      { numRuns: 60 * rounds },
    )
  })

  it('is later than the given time and depends on nothing before it', () => {
    fc.assert(
      fc.property(anyInstant, anyZone, filter, (start, zone, days) => {
        const rule: Rule = { kind: 'calendar', times: [0, 9000, 43_200], days }
        const first = nextInstant(rule, start, zone)
        if (first === undefined) return
        expect(first).toBeGreaterThan(start)
        expect(nextInstant(rule, first - 1, zone)).toBe(first)
      }),
      { numRuns: 60 * rounds },
    )
  })

  it('finds a leap day eight years away and the last day of each month', () => {
    const leap: Rule = { kind: 'calendar', times: [0], days: { months: [2], monthDays: [29] } }
    expect(iso(nextInstant(leap, at('2096-03-01T00:00:00Z'), 'UTC'))).toBe(
      '2097-02-28T00:00:00.000Z',
    )
    const last: Rule = { kind: 'calendar', times: [0], days: { monthDays: [-1] } }
    const days = all(last, at('2027-12-31T12:00:00Z'), at('2028-12-31T12:00:00Z'), 'UTC')
    const lengths = days.map((each) => civilOf(each / 86_400_000).day)
    expect(lengths).toEqual([31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
  })

  it('of an interval counts elapsed time over a change of the clock', () => {
    const from = at('2026-03-29T00:30:00Z')
    const rule: Rule = { kind: 'interval', ms: hourMs, from }
    expect(nextInstant(rule, from, 'Europe/Berlin')).toBe(from + hourMs)
    expect(nextInstant(rule, from + 10.5 * hourMs, 'Europe/Berlin')).toBe(from + 11 * hourMs)
    expect(nextInstant(rule, from - 5 * hourMs, 'Europe/Berlin')).toBe(from)
  })
})

it('adding months ends on the last day of a shorter month', () => {
  expect(addMonths({ year: 2027, month: 1, day: 31 }, 1)).toEqual({ year: 2027, month: 2, day: 28 })
  expect(addMonths({ year: 2027, month: 11, day: 30 }, 3)).toEqual({
    year: 2028,
    month: 2,
    day: 29,
  })
})

function all(rule: Rule, from: number, to: number, zone: string): number[] {
  const found: number[] = []
  for (let next = nextInstant(rule, from, zone); next !== undefined && next <= to;) {
    found.push(next)
    next = nextInstant(rule, next, zone)
  }
  return found
}

/** Whether the offset of the zone stays the same, with a margin of two days. */
function isSteady(from: number, to: number, zone: string): boolean {
  const offset = (instant: number) => {
    const { seconds, ...date } = wallTimeOf(instant, zone)
    return dayNumber(date) * 24 * hourMs + seconds * 1000 - instant
  }
  const margin = 48 * hourMs
  return offset(from - margin) === offset(from) && offset(from) === offset(to + margin)
}

/** Looks at the wall clock of every quarter of an hour. */
function searched(rule: Rule, after: number, until: number, zone: string): string {
  if (rule.kind === 'interval') return 'none'
  for (let instant = after + quarterMs; instant <= until; instant += quarterMs) {
    const { seconds, ...date } = wallTimeOf(instant, zone)
    if (rule.times.includes(seconds) && dayMatches(rule.days, dayNumber(date))) return iso(instant)
  }
  return 'none'
}
