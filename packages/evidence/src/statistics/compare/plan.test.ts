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
})
