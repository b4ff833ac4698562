import * as fc from 'fast-check'
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { ZeeError } from '../errors/errors.ts'
import { fixedClock, maxTimerMs, parseRfc3339, rfc3339, sleepSync, systemClock } from './clock.ts'

const inYears = fc.date({
  min: new Date('0000-01-01T00:00:00.000Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
})
const iso = (text: string) => parseRfc3339(text)?.toISOString()

describe('rfc3339', () => {
  test('writes a fixed number of fraction digits, also for whole seconds', () => {
    const date = new Date('2026-02-15T18:00:12.000Z')
    expect(rfc3339(date)).toBe('2026-02-15T18:00:12.000Z')
    expect(rfc3339(date, 0)).toBe('2026-02-15T18:00:12Z')
    expect(rfc3339(date, 6)).toBe('2026-02-15T18:00:12.000000Z')
    expect(rfc3339(new Date('2026-02-15T18:00:12.987Z'), 9)).toBe('2026-02-15T18:00:12.987000000Z')
    expect(rfc3339(new Date('2026-02-15T18:00:12.987Z'), 0)).toBe('2026-02-15T18:00:12Z')
  })

  test('writes strings that sort by time', () => {
    fc.assert(
      fc.property(inYears, inYears, (a, b) => {
        expect(rfc3339(a) < rfc3339(b)).toBe(a.getTime() < b.getTime())
      }),
    )
  })

  test('agrees with Date.toISOString on every day from 1999 to 2400', () => {
    fc.assert(fc.property(inYears, (date) => rfc3339(date) === date.toISOString()))
    const dayMs = 86_400_000
    const wrong: number[] = []
    for (let ms = Date.UTC(1999, 11, 31) - 1; ms < Date.UTC(2401, 0); ms += dayMs) {
      if (rfc3339(new Date(ms)) !== new Date(ms).toISOString()) wrong.push(ms)
    }
    expect(wrong).toEqual([])
    for (const edge of ['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']) {
      expect(rfc3339(new Date(edge))).toBe(edge)
    }
    expect(() => rfc3339(new Date(new Date('0000-01-01T00:00:00.000Z').getTime() - 1))).toThrow()
  })

  test('writes what parseRfc3339 reads back exactly', () => {
    fc.assert(
      fc.property(inYears, (date) => parseRfc3339(rfc3339(date))?.getTime() === date.getTime()),
    )
  })

  test('rejects a time outside the years 0000 to 9999', () => {
    expect(() => rfc3339(new Date(Date.UTC(10_000, 0)))).toThrow(
      new ZeeError('invalid_time', 'a time outside the years 0000 to 9999 cannot be written'),
    )
    expect(() => rfc3339(new Date(Number.NaN))).toThrow(/0000 to 9999/)
  })
})

describe('parseRfc3339', () => {
  test.each([
    ['2026-02-15T18:00:12Z', '2026-02-15T18:00:12.000Z'],
    ['2026-02-15t18:00:12z', '2026-02-15T18:00:12.000Z'],
    ['2026-02-15T18:00:12.1Z', '2026-02-15T18:00:12.100Z'],
    ['2026-02-15T18:00:12.123999999Z', '2026-02-15T18:00:12.123Z'],
    ['2026-02-15T18:00:12+02:30', '2026-02-15T15:30:12.000Z'],
    ['2026-02-15T18:00:12-00:00', '2026-02-15T18:00:12.000Z'],
    ['1985-12-31T23:30:00-01:00', '1986-01-01T00:30:00.000Z'],
    ['1996-12-19T16:39:57-08:00', '1996-12-20T00:39:57.000Z'],
    ['1937-01-01T12:00:27.87+00:20', '1937-01-01T11:40:27.870Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['0099-06-01T00:00:00Z', '0099-06-01T00:00:00.000Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59.000Z'],
    ['2023-02-28T23:59:59+23:59', '2023-02-28T00:00:59.000Z'],
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
  ])('reads %s as %s', (text, expected) => {
    expect(iso(text)).toBe(expected)
  })

  test.each([
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-06-31T00:00:00Z',
    '2026-09-31T00:00:00Z',
    '2026-11-31T00:00:00Z',
    '2026-01-32T00:00:00Z',
    '9999-12-31T23:59:59-01:00',
    '2026-00-10T00:00:00Z',
    '2026-13-10T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:61Z',
    '2026-01-01T00:00:00',
    '2026-01-01 00:00:00Z',
    '2026-01-01',
    '2026-1-1T00:00:00Z',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00,5Z',
    '2026-01-01T00:00Z',
    '2026-01-01T00:00:00+0200',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+02:60',
    '2026-01-01T00:00:00Z\n',
    ' 2026-01-01T00:00:00Z',
    '+002026-01-01T00:00:00Z',
    '２０２６-01-01T00:00:00Z',
    '0000-01-01T00:00:00+01:00',
    '',
  ])('returns undefined for %j', (text) => {
    expect(parseRfc3339(text)).toBeUndefined()
  })

  test('accepts a leap second at the end of a UTC month and nowhere else', () => {
    expect(iso('1990-12-31T23:59:60Z')).toBe('1991-01-01T00:00:00.000Z')
    expect(iso('1990-12-31T15:59:60-08:00')).toBe('1991-01-01T00:00:00.000Z')
    expect(iso('2016-12-31T23:59:60.5Z')).toBe('2017-01-01T00:00:00.500Z')
    expect(iso('1990-12-30T23:59:60Z')).toBeUndefined()
    expect(iso('1990-12-31T22:59:60Z')).toBeUndefined()
    expect(iso('1991-01-01T01:00:60Z')).toBeUndefined()
    expect(iso('1991-01-01T00:01:60Z')).toBeUndefined()
    expect(iso('1990-12-31T23:59:60-08:00')).toBeUndefined()
  })
})

test.each([1, 3, 5, 7, 8, 10, 12])('month %i has 31 days', (month) => {
  const text = `2026-${String(month).padStart(2, '0')}-31T00:00:00.000Z`
  expect(iso(text)).toBe(text)
})

test('sleepSync waits for a change of a cell that nothing changes', () => {
  const wait = vi.spyOn(Atomics, 'wait').mockReturnValue('timed-out')
  try {
    sleepSync(12)
    expect(wait.mock.calls).toEqual([[new Int32Array(1), 0, 0, 12]])
  } finally {
    wait.mockRestore()
  }
})

test('the longest delay of a timer is 2,147,483,647 ms', () => {
  expect(maxTimerMs).toBe(2_147_483_647)
})

describe('clocks', () => {
  test('a fixed clock never advances and returns copies of its date', () => {
    const clock = fixedClock('2026-02-15T18:00:12Z')
    clock.now().setTime(0)
    expect(rfc3339(clock.now())).toBe('2026-02-15T18:00:12.000Z')
    expect(clock.monotonicMs()).toBe(0)
    expect(rfc3339(fixedClock(new Date(0)).now())).toBe('1970-01-01T00:00:00.000Z')
  })

  test('a fixed clock rejects an invalid time', () => {
    expect(() => fixedClock('yesterday')).toThrow(
      new ZeeError('invalid_time', 'not an RFC 3339 time: "yesterday"'),
    )
    expect(() => fixedClock(new Date(Number.NaN))).toThrow(/not an RFC 3339 time/)
  })

  test('the monotonic system clock never goes backwards', () => {
    const [first, second] = [systemClock.monotonicMs(), systemClock.monotonicMs()]
    expect(second).toBeGreaterThanOrEqual(first)
    expect(systemClock.now()).toBeInstanceOf(Date)
  })

  test('the monotonic system clock is that of process.hrtime in milliseconds', () => {
    const before = Number(process.hrtime.bigint()) / 1e6
    const between = systemClock.monotonicMs()
    const after = Number(process.hrtime.bigint()) / 1e6
    expect(between).toBeGreaterThanOrEqual(before - 0.001)
    expect(between).toBeLessThanOrEqual(after + 0.001)
  })

  test.runIf(existsSync('/proc/uptime'))(
    'the uptime is that of the machine in milliseconds',
    () => {
      const uptime = () => Number.parseFloat(readFileSync('/proc/uptime', 'utf8')) * 1000
      const before = uptime()
      const between = systemClock.uptimeMs()
      expect(between).toBeGreaterThanOrEqual(before)
      expect(between).toBeLessThanOrEqual(uptime())
    },
  )
})
