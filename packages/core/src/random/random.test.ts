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

test.each([
  [0, [0.26642920868471265, 0.0003297457005828619, 0.2232720274478197]],
  [1, [0.6270739405881613, 0.002735721180215478, 0.5274470399599522]],
  [7, [0.011704753153026104, 0.06195825757458806, 0.97690763277933]],
  [-1, [0.8964226141106337, 0.189478256739676, 0.7156526781618595]],
  [2 ** 32 + 7, [0.011704753153026104, 0.06195825757458806, 0.97690763277933]],
])('seededRandom draws the numbers of mulberry32 for the seed %i', (seed, numbers) => {
  const draw = seededRandom(seed)
  expect([draw(), draw(), draw()]).toEqual(numbers)
})
