import { expect, it } from 'vitest'
import { countUnmapped, failedOutcome, newAttempt, passOf, say } from './imported.ts'

it.each([
  [true, true],
  [false, false],
  [1, true],
  [2, true],
  [0.99, false],
  [0, false],
  ['C', true],
  ['correct', true],
  ['pass', true],
  ['I', false],
  ['P', false],
  ['N', false],
  ['incorrect', false],
  ['fail', false],
  ['', undefined],
  ['c', undefined],
  [null, undefined],
  [undefined, undefined],
])('passOf %j is %s', (score, pass) => {
  expect(passOf(score)).toBe(pass)
})

it('countUnmapped counts by kind, of at most 100 characters', () => {
  const attempt = newAttempt('m')
  for (const kind of ['a', '', 'a', 'x'.repeat(101), 'x'.repeat(100)]) countUnmapped(attempt, kind)
  expect(attempt).toEqual({
    mission: 'm',
    retry: 1,
    messages: [],
    calls: [],
    numbers: {},
    unmapped: { a: 2, unknown: 1, ['x'.repeat(100)]: 2 },
  })
})

it('say adds texts after the calls so far, and no empty ones', () => {
  const attempt = newAttempt('m')
  say(attempt, 'user', ' ')
  say(attempt, 'user', 'hi')
  attempt.calls.push({ ts: '', tool: 't', op: 'o', input: {}, output: '', isError: false })
  say(attempt, 'assistant', 'hm', { ts: 'now', kind: 'thinking' })
  expect(attempt.messages).toEqual([
    { ts: '', role: 'user', kind: 'text', text: 'hi', afterCalls: 0 },
    { ts: 'now', role: 'assistant', kind: 'thinking', text: 'hm', afterCalls: 1 },
  ])
})

it('failedOutcome says nothing about the agent', () => {
  expect(failedOutcome('HARBOR', 'no docker')).toEqual({
    ok: false,
    resultJson: { kind: 'infra_failure', code: 'HARBOR_ERROR', error: 'no docker' },
  })
})
