import { expect, it } from 'vitest'
import { displayWidth } from './display-width.ts'

it.each([
  ['', 0],
  ['abc', 3],
  ['e\u0301', 1],
  ['漢字', 4],
  ['👍', 2],
  ['a\tb', 9],
  ['\t', 8],
  ['1234567\tb', 9],
  ['12345678\tb', 17],
  ['\u0007', 0],
])('displayWidth of %j is %i columns', (text, width) => {
  expect(displayWidth(text)).toBe(width)
})

/** The width of the characters of each range, and of its neighbours on both sides. */
const ranges: [first: number, last: number, width: number, before: number, after: number][] = [
  [0x00, 0x08, 0, 0, 0],
  [0x0a, 0x1f, 0, 0, 1],
  [0x20, 0x7e, 1, 0, 0],
  [0x7f, 0x9f, 0, 1, 1],
  [0xa0, 0x2ff, 1, 0, 0],
  [0x300, 0x36f, 0, 1, 1],
  [0x1100, 0x115f, 2, 1, 1],
  [0x200b, 0x200f, 0, 1, 1],
  [0x20d0, 0x20ff, 0, 1, 1],
  [0x2e80, 0xa4cf, 2, 1, 1],
  [0xac00, 0xd7a3, 2, 1, 1],
  [0xf900, 0xfaff, 2, 1, 1],
  [0xfe00, 0xfe0f, 0, 1, 1],
  [0xfe20, 0xfe2f, 0, 1, 2],
  [0xfe30, 0xfe6f, 2, 0, 1],
  [0xff00, 0xff60, 2, 1, 1],
  [0xffe0, 0xffe6, 2, 1, 1],
  [0x1f300, 0x1faff, 2, 1, 1],
  [0x20000, 0x3fffd, 2, 1, 1],
  [0xe0100, 0xe01ef, 0, 1, 1],
]

it.each(ranges)('the characters %i to %i have the width %i', (first, last, ...widths) => {
  const [width, before, after] = widths
  const widthOf = (code: number) => displayWidth(String.fromCodePoint(code))
  expect([widthOf(first), widthOf(last)]).toEqual([width, width])
  if (first > 0 && first !== 0x0a) expect(widthOf(first - 1)).toBe(before)
  if (last !== 0x08) expect(widthOf(last + 1)).toBe(after)
})
