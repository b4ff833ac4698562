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
