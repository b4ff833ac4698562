import { fixedClock } from '@zee/core/clock'
import { describe, expect, it } from 'vitest'
import { contextIn } from '../../../test/config.ts'
import { openBudget } from './budget.ts'

const context = { ...contextIn('/nonexistent'), clock: fixedClock('2026-03-01T10:00:00Z') }
/** About 25 tokens. */
const messages = [{ role: 'user', content: 'x'.repeat(100) }]
const open = (allow: unknown, used?: unknown) =>
  openBudget(context, { allow, tokens_used: used }, messages)

describe('the budget of a request', () => {
  it.each([
    ['no tokens at all', { tokens: 0 }, 0],
    ['a prompt that needs them all', { tokens: 25 }, 0],
    ['tokens that earlier calls have used', { tokens: 100 }, 100],
    ['a rest that is too small for the prompt', { tokens: 100 }, 80],
    ['an overrun', { tokens: 100 }, 5000],
    ['the lowest of several limits', [{ tokens: 1000 }, { tokens: 20 }], 0],
    ['a limit among unlimited ones', [{}, { tools: [] }, { tokens: 3 }], 0],
  ])('refuses %s', (_, allow, used) => {
    expect(() => open(allow, used)).toThrow(/^\[allow\.tokens\]/)
  })

  it.each([
    ['a time that has passed', { until: '2026-02-28' }],
    ['this very moment', { until: '2026-03-01T10:00:00Z' }],
    ['the earliest of several times', [{ until: '2027-01-01' }, { until: '2026-03-01T09:59:59Z' }]],
  ])('refuses %s', (_, allow) => {
    expect(() => open(allow)).toThrow(/^\[allow\.until\]/)
  })

  it.each([
    { tokens: '10' },
    { tokens: NaN },
    { tokens: -5 },
    { Tokens: 5 },
    { until: 'never' },
    'x',
  ])('refuses the invalid limit %j', (allow) => {
    expect(() => open(allow)).toThrow()
  })

  it.each(['many', {}, 1.5])('refuses %j as the number of used tokens', (used) => {
    expect(() => open({ tokens: 1000 }, used)).toThrow(/tokens_used/)
  })

  it('limits the answer to the rest, also for a server that ignores the limit', () => {
    const budget = open({ tokens: 125 }, 50)
    expect(budget.maxTokens).toBe(50)
    expect(() => budget.check(200)).not.toThrow()
    expect(() => budget.check(205)).toThrow(/^\[allow\.tokens\]/)
  })

  it('ends at the time of the turn', () => {
    expect(open({ until: '2026-03-01T10:00:30Z' }).seconds).toBe(30)
    expect(open(undefined)).toMatchObject({ maxTokens: undefined, seconds: Infinity })
  })
})
