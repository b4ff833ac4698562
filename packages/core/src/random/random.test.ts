import { expect, test } from 'vitest'
import { seededRandom } from './random.ts'

test('seededRandom repeats its numbers for the same seed, and spreads them over 0 to 1', () => {
  const [one, other] = [seededRandom(7), seededRandom(7)]
  const drawn = Array.from({ length: 1000 }, () => one())
  expect(drawn).toEqual(Array.from({ length: 1000 }, () => other()))
  expect(drawn.every((number) => number >= 0 && number < 1)).toBe(true)
  const mean = drawn.reduce((sum, number) => sum + number, 0) / drawn.length
  expect(Math.abs(mean - 0.5)).toBeLessThan(0.05)
})
