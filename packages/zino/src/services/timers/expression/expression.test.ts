import { ZeeError } from '@zee/core/errors'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextInstant, wallTextOf } from '../calendar/calendar.ts'
import { parseMoment, parseRule } from './expression.ts'

/** Monday 2026-11-16, 10:41:10 in Berlin. */
const now = Date.parse('2026-11-16T09:41:10Z')
const zone = 'Europe/Berlin'
const momentText = (text: string) => wallTextOf(parseMoment(text, { now, zone }).next, zone)

function ruleTexts(text: string, count = 2): string {
  const { next, rule, zone: used } = parseRule(text, { now, zone })
  if (rule === undefined) throw new Error('not a rule')
  const found = [next]
  while (found.length < count) {
    found.push(nextInstant(rule, found.at(-1) as number, used) as number)
  }
  return found.map((each) => wallTextOf(each, used)).join(', ')
}

describe('a moment', () => {
  it.each([
    ['in 10 minutes', '2026-11-16 10:51:10'],
    ['in 4s', '2026-11-16 10:41:14'],
    ['10m', '2026-11-16 10:51:10'],
    ['5 minutes from now', '2026-11-16 10:46:10'],
    ['in ten minutes', '2026-11-16 10:51:10'],
    ['in an hour', '2026-11-16 11:41:10'],
    ['in half an hour', '2026-11-16 11:11:10'],
    ['in 1h30m', '2026-11-16 12:11:10'],
    ['in 1.5 hours', '2026-11-16 12:11:10'],
    ['in 2 days', '2026-11-18 10:41:10'],
    ['in 2 days at 9:00', '2026-11-18 09:00'],
    ['in a week', '2026-11-23 10:41:10'],
    ['in 1 month', '2026-12-16 10:41:10'],
    ['next week', '2026-11-23 10:41:10'],
    ['tomorrow', '2026-11-17 09:00'],
    ['tomorrow 9:00', '2026-11-17 09:00'],
    ['Tomorrow at 9', '2026-11-17 09:00'],
    ['9:00 tomorrow', '2026-11-17 09:00'],
    ['tomorrow morning', '2026-11-17 09:00'],
    ['the day after tomorrow 7:00', '2026-11-18 07:00'],
    ['tonight', '2026-11-16 20:00'],
    ['tonight 21:30', '2026-11-16 21:30'],
    ['this evening', '2026-11-16 18:00'],
    ['today 12:00', '2026-11-16 12:00'],
    ['noon', '2026-11-16 12:00'],
    ['9pm', '2026-11-16 21:00'],
    ['12am', '2026-11-17 00:00'],
    ['12:30 p.m.', '2026-11-16 12:30'],
    ['21:15:30', '2026-11-16 21:15:30'],
    ['9:00', '2026-11-17 09:00'],
    ['mon 14:30', '2026-11-16 14:30'],
    ['monday', '2026-11-23 09:00'],
    ['next fri 8am', '2026-11-20 08:00'],
    ['on the 15th at 10', '2026-12-15 10:00'],
    ['last day of month 18:00', '2026-11-30 18:00'],
    ['first mon of month', '2026-12-07 09:00'],
    ['2026-12-01 08:00', '2026-12-01 08:00'],
    ['2026-12-1 8:00', '2026-12-01 08:00'],
    ['2026-12-01', '2026-12-01 09:00'],
    ['2027-07-10T09:00', '2027-07-10 09:00'],
    ['2026-12-01T08:00:00Z', '2026-12-01 09:00'],
    ['2026-12-01T08:00:00.250+01:00', '2026-12-01 08:00'],
    ['2026-12-01T08:00+0100', '2026-12-01 08:00'],
    ['31.12.2026 23:59', '2026-12-31 23:59'],
    ['1 dec', '2026-12-01 09:00'],
    ['dec 1 8am', '2026-12-01 08:00'],
    ['1st of december 2027 8:00', '2027-12-01 08:00'],
    ['tomorrow 9:00 America/New_York', '2026-11-17 15:00'],
    ['2026-12-01 8:00 UTC', '2026-12-01 09:00'],
  ])('%j is %s in Berlin', (text, expected) => {
    expect(momentText(text)).toBe(expected)
  })

  it.each([
    ['', 'it is empty'],
    ['whenever you like', "'whenever' is not known"],
    ['tomorrow 25:61', '25:61 is not a time of day'],
    ['13pm', '13pm is not a time of day'],
    ['2026-02-30', '2026-02-30 is not a date'],
    ['29 feb 2027', 'month 2 of 2027 has no day 29'],
    ['30 feb', 'month 2 has no day 30'],
    ['1/12/2026', '1/12/2026 is ambiguous'],
    ['today', 'today at what time?'],
    ['mon 9:00 and 10:00', 'it names more than one time'],
    ['tomorrow fri', 'it names more than one day'],
    ['in 2 hours at 9:00', 'a time of day does not go with hours'],
    ['in 0 minutes', '0 minutes is no duration'],
    ['in 99999999 days', '99999999 days is no duration'],
    ['fri 17:00 Foo/Bar', 'there is no time zone foo/bar'],
    ['7', 'what is 7?'],
    ['half', "'half' needs a unit"],
    ['32nd', 'a month has no day 32'],
    ['😀 9:00', "'😀 9:00'"],
  ])('%j is refused with the reason %j and examples', (text, reason) => {
    expect(() => momentText(text)).toThrow(reason)
    expect(() => momentText(text)).toThrow('examples: in 10 minutes; tomorrow 9:00')
  })

  it.each(['2001-01-01 9:00', 'today 9:00', '2026-11-16T09:41:10Z'])(
    '%j is refused because it is past',
    (text) => {
      expect(() => momentText(text)).toThrow(/^"[^"]+": .* \(Europe\/Berlin\) is past$/)
    },
  )

  it('that begins with every is a rule', () => {
    const { rule } = parseMoment('every day 9:00', { now, zone })
    expect(rule).toMatchObject({ kind: 'calendar', times: [32_400] })
  })
})

describe('a rule', () => {
  it.each([
    ['mon..fri 08:30', '2026-11-17 08:30, 2026-11-18 08:30'],
    ['mon-fri 8:30', '2026-11-17 08:30, 2026-11-18 08:30'],
    ['Monday to Friday at 8:30', '2026-11-17 08:30, 2026-11-18 08:30'],
    ['fri..mon 10:00', '2026-11-20 10:00, 2026-11-21 10:00'],
    ['mon,wed,fri 9:00,17:00', '2026-11-16 17:00, 2026-11-18 09:00'],
    ['monday and thursday at 9am and 5pm', '2026-11-16 17:00, 2026-11-19 09:00'],
    ['daily 7:00', '2026-11-17 07:00, 2026-11-18 07:00'],
    ['every day', '2026-11-17 09:00, 2026-11-18 09:00'],
    ['9:00', '2026-11-17 09:00, 2026-11-18 09:00'],
    ['weekdays 9:00', '2026-11-17 09:00, 2026-11-18 09:00'],
    ['working days 9:00', '2026-11-17 09:00, 2026-11-18 09:00'],
    ['weekend 10am', '2026-11-21 10:00, 2026-11-22 10:00'],
    ['weekly', '2026-11-23 09:00, 2026-11-30 09:00'],
    ['every week on friday 16:00', '2026-11-20 16:00, 2026-11-27 16:00'],
    ['every 2 weeks', '2026-11-30 09:00, 2026-12-14 09:00'],
    ['2 weeks mon 11:00', '2026-11-16 11:00, 2026-11-30 11:00'],
    ['every other day 9:00', '2026-11-18 09:00, 2026-11-20 09:00'],
    ['every second day 9:00', '2026-11-18 09:00, 2026-11-20 09:00'],
    ['hourly', '2026-11-16 11:00, 2026-11-16 12:00'],
    ['15 minutes', '2026-11-16 10:56:10, 2026-11-16 11:11:10'],
    ['every minute', '2026-11-16 10:42:10, 2026-11-16 10:43:10'],
    ['15 minutes between 9:00 and 17:00 mon..fri', '2026-11-16 10:45, 2026-11-16 11:00'],
    ['hour from 9:00 to 11:00', '2026-11-16 11:00, 2026-11-17 09:00'],
    ['monthly', '2026-12-01 09:00, 2027-01-01 09:00'],
    ['1st of month 9:00', '2026-12-01 09:00, 2027-01-01 09:00'],
    ['1st and 15th of month 8:00', '2026-12-01 08:00, 2026-12-15 08:00'],
    ['31st 9:00', '2026-11-30 09:00, 2026-12-31 09:00'],
    ['last day 18:00', '2026-11-30 18:00, 2026-12-31 18:00'],
    ['first mon of month 9:00', '2026-12-07 09:00, 2027-01-04 09:00'],
    ['last fri of the month 17:00', '2026-11-27 17:00, 2026-12-25 17:00'],
    ['second tue', '2026-12-08 09:00, 2027-01-12 09:00'],
    ['3 months on the 1st 9:00', '2027-02-01 09:00, 2027-05-01 09:00'],
    ['yearly', '2027-01-01 09:00, 2028-01-01 09:00'],
    ['dec 24 18:00', '2026-12-24 18:00, 2027-12-24 18:00'],
    ['feb 29 12:00', '2027-02-28 12:00, 2028-02-29 12:00'],
    ['every weekday at 8:30 America/New_York', '2026-11-16 08:30, 2026-11-17 08:30'],
  ])('%j runs at %s', (text, expected) => {
    expect(ruleTexts(text)).toBe(expected)
  })

  it.each([
    ['mon..xyz 08:30', "'xyz' is not a weekday"],
    ['mon.. 08:30', 'a range of weekdays needs a weekday at its end'],
    ['9:00-17:00', 'a range of times needs a step'],
    ['0 minutes', '0 minutes is no duration'],
    ['hour from 17:00 to 9:00', 'ends before it begins'],
    ['at', 'it names neither a day nor a time'],
    ['dec', 'a month needs a day'],
    ['6th mon', 'a month has no weekday number 6'],
  ])('%j is refused with the reason %j and examples', (text, reason) => {
    expect(() => ruleTexts(text)).toThrow(reason)
    expect(() => ruleTexts(text)).toThrow('examples: daily 7:00; mon..fri 08:30')
  })

  it.each(['tomorrow 9:00', '2026-12-01', '2026-12-01T08:00:00Z', 'now'])(
    '%j is refused because it is one moment',
    (text) => {
      expect(() => ruleTexts(text)).toThrow("use 'zino remind'")
    },
  )
})

it('arbitrary text gives a time in the future or a request error, and never another error', () => {
  const words = fc.constantFrom(
    ...['in', 'every', 'mon', '..', 'fri', '9:00', '1st', 'last', 'day', 'of', 'month', '2', 'dec'],
    ...[
      'second',
      'half',
      'an',
      'hour',
      '2026-12-01',
      'tomorrow',
      'to',
      'and',
      'UTC',
      'other',
      '-1',
    ],
  )
  const text = fc.oneof(
    fc.array(words, { maxLength: 6 }).map((list) => list.join(' ')),
    fc.string({ maxLength: 40 }),
  )
  fc.assert(
    fc.property(text, fc.constantFrom(parseMoment, parseRule), (input, parse) => {
      try {
        return parse(input, { now, zone }).next >= now
      } catch (error) {
        return error instanceof ZeeError && error.code === 'bad_request'
      }
    }),
    { numRuns: 300 },
  )
})
