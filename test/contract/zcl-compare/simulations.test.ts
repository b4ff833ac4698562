// A short form of `npm run bench -- statistics`: error rates and power over a few hundred rounds. The
// limits leave room for chance; the same seeds give the same counts.
import { describe, expect, test } from 'vitest'
import {
  coverage,
  falselyEqual,
  heterogeneousNull,
  homogeneousNull,
  measuresNull,
  plannedPower,
  sequentialRuns,
} from '../../../bench/statistics/simulations.ts'

describe('zcl compare', () => {
  test.each([6, 12])(
    'does not take mission effects of both signs for a difference on missions like these, %d missions',
    (missions) => {
      expect(heterogeneousNull({ missions, attempts: 10 }, 150)).toBeLessThanOrEqual(13)
    },
  )

  test('finds a difference on these missions in at most 5 % of rounds without one', () => {
    expect(homogeneousNull({ missions: 10, attempts: 5 }, 150)).toBeLessThanOrEqual(13)
    expect(homogeneousNull({ missions: 1, attempts: 1 }, 50)).toBe(0)
  })

  test('labels a measure in at most 5 % of rounds without a difference, and never at 3 x 1', () => {
    expect(measuresNull({ missions: 10, attempts: 5 }, 60)).toBeLessThanOrEqual(8)
    expect(measuresNull({ missions: 3, attempts: 1 }, 50)).toBe(0)
    expect(measuresNull({ missions: 1, attempts: 1 }, 50)).toBe(0)
  })

  test('calls runs equal in at most 5 % of rounds with a difference of the margin', () => {
    expect(falselyEqual({ missions: 10, attempts: 20 }, 0.2, 100)).toBeLessThanOrEqual(8)
  })

  test('gives intervals that contain the true difference in about 95 % of rounds', () => {
    expect(coverage({ missions: 10, attempts: 5 }, 0.2, 150)).toBeGreaterThanOrEqual(136)
  })
})

test('zcl plan reaches the power that it promises', () => {
  const { attempts, seen } = plannedPower(20, 150)
  expect(attempts).toBe(20)
  expect(seen / 150).toBeGreaterThan(0.7)
  expect(seen / 150).toBeLessThan(0.9)
})

test('the sequential test decides wrongly in at most 5 % of runs and saves attempts', () => {
  expect(sequentialRuns({ missions: 10, attempts: 20 }, 0, 150).wrong).toBeLessThanOrEqual(8)
  const { right, attempts } = sequentialRuns({ missions: 10, attempts: 40 }, 0.3, 60)
  expect(right).toBeGreaterThan(56)
  expect(attempts / 60).toBeLessThan(200)
})
