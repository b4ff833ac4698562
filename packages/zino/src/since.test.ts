import { expect, it } from 'vitest'
import { sinceTime } from './since.ts'

it('a span becomes an RFC 3339 time for a request', () => {
  const now = new Date('2026-03-01T10:00:00Z')
  expect(sinceTime('90m', now)).toBe('2026-03-01T08:30:00.000Z')
  expect(sinceTime(undefined, now)).toBeUndefined()
})
