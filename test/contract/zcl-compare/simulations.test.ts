// A short form of `npm run bench -- statistics`: error rates and power over a few hundred rounds. The
// limits leave room for chance; the same seeds give the same counts.
import { describe, expect, test } from 'vitest'
import {
  coverage,
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
      expect(heterogeneousNull({ missions, attempts: 10 }, 300)).toBeLessThanOrEqual(24)
    },
  )

  test('finds a difference on these missions in at most 5 % of rounds without one', () => {
    expect(homogeneousNull({ missions: 10, attempts: 5 }, 300)).toBeLessThanOrEqual(24)
    expect(homogeneousNull({ missions: 1, attempts: 1 }, 50)).toBe(0)
  })

  test('labels a measure in at most 5 % of rounds without a difference, and never at 3 x 1', () => {
    expect(measuresNull({ missions: 10, attempts: 5 }, 60)).toBeLessThanOrEqual(8)
    expect(measuresNull({ missions: 3, attempts: 1 }, 50)).toBe(0)
    expect(measuresNull({ missions: 1, attempts: 1 }, 50)).toBe(0)
  })

  test('gives intervals that contain the true difference in about 95 % of rounds', () => {
    expect(coverage({ missions: 10, attempts: 5 }, 0.2, 300)).toBeGreaterThanOrEqual(276)
  })
})

test('zcl plan reaches the power that it promises', () => {
  const { attempts, seen } = plannedPower(20, 300)
  expect(attempts).toBe(20)
  expect(seen / 300).toBeGreaterThan(0.73)
  expect(seen / 300).toBeLessThan(0.87)
})

test('the sequential test decides wrongly in at most 5 % of runs and saves attempts', () => {
  expect(sequentialRuns({ missions: 10, attempts: 20 }, 0, 300).wrong).toBeLessThanOrEqual(15)
  const { right, attempts } = sequentialRuns({ missions: 10, attempts: 40 }, 0.3, 100)
  expect(right).toBeGreaterThan(95)
  expect(attempts / 100).toBeLessThan(200)
})
