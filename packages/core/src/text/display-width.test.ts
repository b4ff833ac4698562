import { expect, it } from 'vitest'
import { displayWidth } from './display-width.ts'

it.each([
  ['abc', 3],
  ['e\u0301', 1],
  ['漢字', 4],
  ['👍', 2],
  ['a\tb', 9],
  ['\u0007', 0],
])('displayWidth of %j is %i columns', (text, width) => {
  expect(displayWidth(text)).toBe(width)
})
