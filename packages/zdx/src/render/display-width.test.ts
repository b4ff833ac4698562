import { expect, it } from 'vitest'
import { displayWidth } from './display-width.ts'

it.each([
  ['abc', 3],
  ['e\u0301', 1],
  ['漢字', 4],
  ['👍', 2],
  ['a\tb', 9],
  ['\u0007', 0],
])('the width of %j is %i', (text, width) => {
  expect(displayWidth(text)).toBe(width)
})
