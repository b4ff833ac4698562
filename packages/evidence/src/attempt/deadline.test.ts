import { rfc3339 } from '@zee/core/clock'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Lab, type Event, type LabAttempt } from '../../test/lab.ts'
import { attemptFromEnvironment } from './attempt.ts'
import { attemptEnvironment } from './environment.ts'
import { anchorName, deadlineAnchor } from './deadline-anchor.ts'
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

test('timeLeft is the whole time if the start of the attempt is no time', async () => {
  const over = { timeoutMs: 10_000, timeoutStart: 'attempt_start', startedAt: 'soon' }
  expect(await left(attemptWith(over), at(3))).toBe(10_000)
  expect(await left(attemptWith(over), at(3), at(4))).toBe(10_000)
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

describe('a step of the wall clock', () => {
  const now = new Date()
  const stepped = (hours: number) => new Date(+now + hours * 3_600_000)

  test.each([1, -1])('by %d h does not move the deadline of a started attempt', async (hours) => {
    const attempt = attemptWith({
      timeoutMs: 60_000,
      timeoutStart: 'attempt_start',
      startedAt: rfc3339(now),
    })
    attempt.write(anchorName, String(deadlineAnchor(now, rfc3339(now))))
    const leftMs = await left(attempt, stepped(hours))
    expect(leftMs).toBeGreaterThan(30_000)
    expect(leftMs).toBeLessThanOrEqual(60_100)
  })

  test('does not move a deadline that counts from the first action', async () => {
    const attempt = attemptWith({ timeoutMs: 60_000, timeoutStart: 'first_tool_call' })
    await left(attempt, new Date())
    for (const hours of [1, -1]) {
      expect(Math.abs(60_000 - Number(await left(attempt, stepped(hours))))).toBeLessThan(30_000)
    }
  })

  test('moves the deadline of an attempt whose start was changed or lies in another boot', async () => {
    const attempt = attemptWith({
      timeoutMs: 60_000,
      timeoutStart: 'attempt_start',
      startedAt: rfc3339(now),
    })
    const anchor = JSON.parse(String(deadlineAnchor(now, rfc3339(now)))) as object
    for (const change of [
      { startedAt: rfc3339(stepped(-1)) },
      { boot: 'other' },
      { uptimeMs: 'x' },
    ]) {
      attempt.write(anchorName, JSON.stringify({ ...anchor, ...change }))
      expect(await left(attempt, stepped(1))).toBe(60_000 - 3_600_000)
    }
  })

  test('is not measured for a fixed time', () => {
    expect(deadlineAnchor(stepped(-1), rfc3339(stepped(-1)))).toBeUndefined()
  })
})
