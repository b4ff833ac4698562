import { expect, it } from 'vitest'
import { pValueText } from './words.ts'

it.each([
  [0, '< 0.001'],
  [0.00099, '< 0.001'],
  [0.001, '0.001'],
  [0.0504, '0.050'],
  [1, '1.000'],
])('writes the p-value %f as %s, never as 0.000', (p, text) => {
  expect(pValueText(p)).toBe(text)
})
