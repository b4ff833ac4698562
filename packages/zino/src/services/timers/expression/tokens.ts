// Splits a time expression into tokens: dates, times, numbers, words, ranges, time zones.
import { parseRfc3339 } from '@zee/core/clock'
import type { CivilDate } from '../calendar/calendar.ts'
import { canonicalZone, daysInMonth } from '../calendar/calendar.ts'
import { notUnderstood } from './errors.ts'
import { namedTimes } from './words.ts'

export type Token =
  | { kind: 'instant'; ms: number }
  | { kind: 'date'; date: CivilDate }
  /** Seconds since midnight. */
  | { kind: 'time'; seconds: number }
  | { kind: 'number'; value: number; isOrdinal: boolean }
  | { kind: 'word'; word: string }
  /** Between the two ends of a range. */
  | { kind: 'to' }
  | { kind: 'zone'; zone: string }

type Reader = (match: RegExpExecArray) => Token | undefined

/** Tried in order at each position. */
const patterns: readonly [RegExp, Reader][] = [
  [/[\s,;]+/y, () => undefined],
  [
    /(\d{4}-\d\d-\d\d)[t ](\d\d:\d\d)(:\d\d(?:\.\d+)?)? ?(z|[+-]\d\d:?\d\d)(?![\w/])/y,
    ([text, date, time, seconds = ':00', offset = '']) => {
      const plain = /^[+-]\d{4}$/.test(offset) ? `${offset.slice(0, 3)}:${offset.slice(3)}` : offset
      const parsed = parseRfc3339(`${date}T${time}${seconds}${plain}`)
      if (parsed === undefined) throw notUnderstood(`${text} is not a time`)
      return { kind: 'instant', ms: parsed.getTime() }
    },
  ],
  [
    /(\d{4})-(\d\d?)-(\d\d?)(?:t(?=\d)|(?![\d-]))/y,
    ([text, year, month, day]) => dateToken(text, Number(year), Number(month), Number(day)),
  ],
  [
    /(\d\d?)\.(\d\d?)\.(\d{4})(?!\d)/y,
    ([text, day, month, year]) => dateToken(text, Number(year), Number(month), Number(day)),
  ],
  [
    /\d+\/\d+(?:\/\d+)?/y,
    ([text]) => {
      throw notUnderstood(`${text} is ambiguous: write a date as 2026-12-01 or 1 dec`)
    },
  ],
  [
    /(\d+):(\d+)(?::(\d+))? ?([ap]\.?m\.?(?![a-z]))?/y,
    ([text, hour, minute, second = '0', half]) =>
      timeToken(text, Number(hour), Number(minute), Number(second), half),
  ],
  [
    /(\d\d?) ?([ap]\.?m\.?(?![a-z]))/y,
    ([text, hour, half]) => timeToken(text, Number(hour), 0, 0, half),
  ],
  [/at (\d\d?)(?![\w:.]| ?[ap]\.?m\b)/y, ([text, hour]) => timeToken(text, Number(hour), 0, 0, '')],
  [
    /(\d+(?:\.\d+)?)(st|nd|rd|th)?/y,
    ([, digits, suffix]) => ({
      kind: 'number',
      value: Number(digits),
      isOrdinal: suffix !== undefined,
    }),
  ],
  [/\.\.\.?|[-–—]+|(?:to|until|till|through)(?![\w/])/y, () => ({ kind: 'to' })],
  [/[a-z_]+(?:\/[a-z0-9_+-]+)+|(?:utc|gmt)(?![\w/])/y, ([text]) => zoneToken(text)],
  [/[\p{L}'’]+/uy, ([word]) => wordToken(word)],
]

/** Throws when a part of the text is not understood. */
export function tokensOf(text: string): Token[] {
  const source = text.toLowerCase().normalize('NFC').trim()
  const tokens: Token[] = []
  let position = 0
  while (position < source.length) {
    const found = matchAt(source, position)
    if (found === undefined) throw notUnderstood(`'${source.slice(position, position + 40)}'`)
    position += found.length
    if (found.token !== undefined) tokens.push(found.token)
  }
  return tokens
}

function matchAt(
  source: string,
  position: number,
): { token: Token | undefined; length: number } | undefined {
  for (const [pattern, read] of patterns) {
    pattern.lastIndex = position
    const match = pattern.exec(source)
    if (match !== null) return { token: read(match), length: match[0].length }
  }
  return undefined
}

function dateToken(text: string, year: number, month: number, day: number): Token {
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) {
    throw notUnderstood(`${text} is not a date`)
  }
  return { kind: 'date', date: { year, month, day } }
}

function timeToken(
  text: string,
  hour: number,
  minute: number,
  second: number,
  half: string | undefined,
): Token {
  const isHalf = half !== undefined && half !== ''
  const isValid = isHalf ? hour >= 1 && hour <= 12 : hour <= 23
  if (!isValid || minute > 59 || second > 59) throw notUnderstood(`${text} is not a time of day`)
  const hours = isHalf ? (hour % 12) + (half.startsWith('p') ? 12 : 0) : hour
  return { kind: 'time', seconds: hours * 3600 + minute * 60 + second }
}

function zoneToken(text: string): Token {
  const zone = canonicalZone(text)
  if (zone === undefined) throw notUnderstood(`there is no time zone ${text}`)
  return { kind: 'zone', zone }
}

function wordToken(word: string): Token {
  const seconds = namedTimes.get(word)
  // `tonight` also names the day.
  if (seconds !== undefined && word !== 'tonight') return { kind: 'time', seconds }
  return { kind: 'word', word }
}
