import { expect, it } from 'vitest'
import { sinceMs, sinceTime } from './since.ts'

it('--since is a date, a time or a duration', () => {
  const now = new Date('2026-03-01T10:00:00Z')
  expect(sinceMs(undefined, now)).toBe(-Infinity)
  expect(sinceMs('2026-02-01', now)).toBe(Date.parse('2026-02-01T00:00:00Z'))
  expect(sinceMs('90m', now)).toBe(now.getTime() - 5_400_000)
  expect(() => sinceMs('soon', now)).toThrow(/--since soon/)
  expect(sinceTime('90m', now)).toBe(new Date(now.getTime() - 5_400_000).toISOString())
  expect(sinceTime(undefined, now)).toBeUndefined()
})
