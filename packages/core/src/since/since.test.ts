import { expect, it, test } from 'vitest'
import { momentMs, sinceMs } from './since.ts'

const now = new Date('2026-03-01T10:00:00Z')

it('--since is a date, a time or a span before now', () => {
  expect(sinceMs(undefined, now)).toBe(-Infinity)
  expect(sinceMs('2026-02-01', now)).toBe(Date.parse('2026-02-01T00:00:00Z'))
  expect(sinceMs('2026-02-01T10:00:00+02:00', now)).toBe(Date.parse('2026-02-01T08:00:00Z'))
  expect(sinceMs('90m', now)).toBe(now.getTime() - 5_400_000)
  expect(sinceMs('1w', now)).toBe(now.getTime() - 7 * 86_400_000)
})

test.each(['soon', '', '7', '-1d', '2026-02-30', '2026-13-01', '2026-03-01junk'])(
  '%j is no point in time',
  (text) => {
    expect(momentMs(text)).toBeUndefined()
    expect(() => sinceMs(text, now)).toThrow(`--since '${text}' is neither a date`)
  },
)

const secondMs = 1000
test.each([
  ['30s', 30 * secondMs],
  ['1m', 60 * secondMs],
  ['2h', 2 * 3600 * secondMs],
  ['3d', 3 * 86_400 * secondMs],
  ['4w', 4 * 604_800 * secondMs],
  ['0s', 0],
  ['999999999s', 999_999_999 * secondMs],
])('%s is %i ms before now', (text, ms) => {
  expect(sinceMs(text, now)).toBe(now.getTime() - ms)
})

test.each([
  ['2026-03-01', '2026-03-01T00:00:00.000Z'],
  ['2026-03-01T10:20Z', '2026-03-01T10:20:00.000Z'],
  ['2026-03-01t10:20:30z', '2026-03-01T10:20:30.000Z'],
  ['2026-03-01 10:20:30.5Z', '2026-03-01T10:20:30.500Z'],
  ['2026-03-01T10:20:30-01:30', '2026-03-01T11:50:30.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
])('%s is the moment %s', (text, moment) => {
  expect(momentMs(text)).toBe(Date.parse(moment))
})

test.each([
  '1y',
  '1000000000s',
  '1.5h',
  '2026-3-1',
  '2026-03-01T10',
  '2026-02-29',
  '2026-03-01T25:00Z',
])('%j is refused with the forms that are accepted', (text) => {
  const message = `--since '${text}' is neither a date (2026-03-01), a time nor a span (90m, 24h, 7d, 4w)`
  expect(() => sinceMs(text, now)).toThrow(expect.objectContaining({ code: 'usage', message }))
})
