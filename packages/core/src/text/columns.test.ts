import { expect, it } from 'vitest'
import { alignColumns, cutToWidth, fitColumns } from './columns.ts'

it('alignColumns pads each cell to the width of its column on screen', () => {
  expect(
    alignColumns([
      ['a', '中中', 'x'],
      ['bcd', 'é', ''],
    ]),
  ).toEqual(['a    中中  x', 'bcd  é'])
})

it('alignColumns aligns the requested columns to the right and removes control characters', () => {
  expect(
    alignColumns(
      [
        ['model', 'tokens'],
        ['\u001b[31mm\n2', '12'],
      ],
      [1],
    ),
  ).toEqual(['model    tokens', '[31mm 2      12'])
})

it('fitColumns cuts the widest cells first, and none below six columns', () => {
  const rows = [
    ['a-very-long-name', 'short', 'a-longer-name-than-that'],
    ['b', 'c', 'd'],
  ]
  expect(fitColumns(rows, 80)).toEqual(alignColumns(rows))
  expect(fitColumns(rows, 30)).toEqual(['a-very-lo…  short  a-longer-…', 'b           c      d'])
  expect(fitColumns(rows, 20)).toBeUndefined()
})

it('fitColumns cuts no column that must stay whole', () => {
  const rows = [['2026-11-18 20:08', 'a-longer-name-than-that', 'x']]
  expect(fitColumns(rows, 30, [], [0])).toEqual(['2026-11-18 20:08  a-longer…  x'])
  expect(fitColumns(rows, 24, [], [0])).toBeUndefined()
})

it('alignColumns gives an empty column no width', () => {
  expect(alignColumns([['', 'a']])).toEqual(['  a'])
  expect(
    alignColumns(
      [
        ['a', ''],
        ['', 'b'],
      ],
      [0],
    ),
  ).toEqual(['a', '   b'])
  expect(alignColumns([])).toEqual([])
})

it.each<[width: number, lines: string[] | undefined]>([
  [Number.POSITIVE_INFINITY, ['abcdefgh  abcdefgh']],
  [18, ['abcdefgh  abcdefgh']],
  [17, ['abcdef…  abcdef…']],
  [16, ['abcdef…  abcdef…']],
  [15, ['abcde…  abcde…']],
  [14, ['abcde…  abcde…']],
  [13, undefined],
])('fitColumns fits two columns of eight into %d columns', (width, lines) => {
  expect(fitColumns([['abcdefgh', 'abcdefgh']], width)).toEqual(lines)
})

it('fitColumns removes control characters before it measures, and aligns to the right', () => {
  const rows = [
    ['a\u0007bcdefgh', 'abcdefghij'],
    ['a', 'b'],
  ]
  expect(fitColumns(rows, 18, [1])).toEqual(['abcdefgh  abcdefg…', 'a                b'])
})

it.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  ['abcd', 1, '…'],
  ['abcd', 0, ''],
  ['', 0, ''],
  ['中中中', 5, '中中…'],
  ['中中中', 4, '中…'],
])('cutToWidth(%j, %i) is %j', (text, width, cut) => {
  expect(cutToWidth(text, width)).toBe(cut)
})
