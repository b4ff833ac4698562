import { expect, it } from 'vitest'
import { alignColumns, fitColumns } from './columns.ts'

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
