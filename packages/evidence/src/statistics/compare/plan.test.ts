import { describe, expect, test } from 'vitest'
import { planAttempts } from './plan.ts'

const plan = { effect: 0.1, power: 0.8, alpha: 0.05 }
const rates = (missions: number, rate = 0.5) => Array.from({ length: missions }, () => rate)

describe('planAttempts', () => {
  test('needs about the textbook number for two proportions around one half', () => {
    // (1.96 + 0.8416)^2 * (0.25 + 0.24) / 0.1^2 = 385 attempts per side.
    for (const missions of [1, 10, 20, 40]) {
      const { attemptsPerMission: n } = planAttempts(rates(missions), plan)
      expect(Math.abs((n ?? 0) * missions - 395)).toBeLessThanOrEqual(Math.max(10, missions))
    }
  })

  test('states the power at its own number, within a point of the promise', () => {
    for (const missions of [3, 10, 40]) {
      const { expectedPower } = planAttempts(rates(missions), plan)
      expect(expectedPower).toBeGreaterThanOrEqual(0.79)
      expect(expectedPower).toBeLessThan(0.85)
    }
  })

  test('needs fewer attempts for missions that nearly always pass, and more for smaller effects', () => {
    const half = planAttempts(rates(10), plan).attemptsPerMission ?? 0
    expect(planAttempts(rates(10, 0.95), plan).attemptsPerMission).toBeLessThan(half)
    const small = planAttempts(rates(10), { ...plan, effect: 0.05 }).attemptsPerMission
    expect(small).toBeGreaterThan(3.5 * half)
  })

  test('is null if the effect needs more than 100,000 attempts per mission', () => {
    expect(planAttempts(rates(1), { ...plan, effect: 0.001 }).attemptsPerMission).toBeNull()
  })

  test('gives the smallest number for each side, and its power', () => {
    const numbers = [
      [[0.5], {}],
      [[0.3, 0.9, 0.6], {}],
      [[0.05, 0.1], {}],
      [[0.95, 0.98], {}],
      [[0.02, 0.98], {}],
      [[0.5, 0.7], { power: 0.95 }],
      [[0.5, 0.7], { alpha: 0.01 }],
      [[0.5, 0.7], { effect: 0.3 }],
      [[0, 0], { effect: 1 }],
      [[0, 0, 0, 0, 0, 0, 0], { effect: 1 }],
      [[1, 1], { effect: 0.5, alpha: 0.2 }],
      [rates(30), { effect: 0.9 }],
      [rates(40, 0.2), { effect: 0.5, power: 0.5 }],
    ] as const
    const found = numbers.map(([of, more]) => {
      const { missions, attemptsPerMission, expectedPower } = planAttempts(of, { ...plan, ...more })
      return [missions, attemptsPerMission, expectedPower]
    })
    expect(found).toEqual([
      [1, 398, 0.791],
      [3, 100, 0.79],
      [2, 93, 0.791],
      [2, 72, 0.799],
      [2, 96, 0.791],
      [2, 304, 0.94],
      [2, 284, 0.792],
      [2, 22, 0.803],
      [2, 3, 1],
      [7, 1, 1],
      [2, 5, 0.829],
      [30, 1, 0.991],
      [40, 1, 0.993],
    ])
  })

  test('repeats its options', () => {
    expect(planAttempts([0.5], { ...plan, effect: 0.001 })).toEqual({
      ...plan,
      effect: 0.001,
      missions: 1,
      attemptsPerMission: null,
      expectedPower: null,
    })
  })
})
