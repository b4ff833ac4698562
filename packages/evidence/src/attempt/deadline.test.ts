import { afterEach, beforeEach, expect, test } from 'vitest'
import { Lab, type Event, type LabAttempt } from '../../test/lab.ts'
import { attemptFromEnvironment } from './attempt.ts'
import { attemptEnvironment } from './environment.ts'
import { timeLeft } from './deadline.ts'
import { validate } from '../validate/validate.ts'

let lab: Lab
beforeEach(() => (lab = new Lab()))
afterEach(() => lab.remove())

const at = (second: number) => new Date(Date.parse('2026-02-15T18:00:12.000Z') + second * 1000)

function left(attempt: LabAttempt, now: Date, recorded = now): Promise<number | undefined> {
  const context = attemptFromEnvironment(attemptEnvironment(attempt.ids, attempt.folder), '/')
  return timeLeft(context, { recorded, real: now })
}

function attemptWith(over: Event): LabAttempt {
  return lab.attempt(over)
}

test('timeLeft is undefined without a deadline', async () => {
  expect(await left(attemptWith({}), at(9999))).toBeUndefined()
})

test('timeLeft counts from the start of the attempt', async () => {
  const attempt = attemptWith({ timeoutMs: 10_000, timeoutStart: 'attempt_start' })
  expect(await left(attempt, at(3))).toBe(7000)
  expect(await left(attempt, at(11))).toBe(-1000)
  expect(attempt.json('attempt.json')).not.toHaveProperty('timeoutStartedAt')
})

test('timeLeft counts from the first action, which writes timeoutStartedAt once', async () => {
  const attempt = attemptWith({ timeoutMs: 10_000, timeoutStart: 'first_tool_call', x: 1 })
  expect(await left(attempt, at(100))).toBe(10_000)
  expect(Object.keys(attempt.json('attempt.json')).slice(-4)).toEqual([
    'timeoutMs',
    'timeoutStart',
    'timeoutStartedAt',
    'x',
  ])
  expect(await left(attempt, at(104))).toBe(6000)
  expect(attempt.json('attempt.json').timeoutStartedAt).toBe('2026-02-15T18:01:52.000Z')
  expect(validate('x', attempt.folder, { strict: false }).errors).toEqual([])
})

test.each([
  ['discovery', 10_000],
  ['ci', -90_000],
])('timeLeft uses the default start of %s mode', async (mode, expected) => {
  expect(await left(attemptWith({ timeoutMs: 10_000, mode }), at(100))).toBe(expected)
})

test('concurrent first actions agree on one start', async () => {
  const attempt = attemptWith({ timeoutMs: 10_000, timeoutStart: 'first_tool_call' })
  await Promise.all([1, 2, 3, 4, 5].map((second) => left(attempt, at(second))))
  const started = Date.parse(attempt.json('attempt.json').timeoutStartedAt as string)
  expect(await left(attempt, at(6))).toBe(10_000 - (at(6).getTime() - started))
})

test('a fixed clock stops a deadline that counts from the start of the attempt', async () => {
  const fixed = attemptWith({ timeoutMs: 10_000, timeoutStart: 'attempt_start' })
  expect(await left(fixed, at(9999), at(0))).toBe(10_000)
})
