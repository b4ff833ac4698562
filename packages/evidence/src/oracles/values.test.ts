import { describe, expect, it } from 'vitest'
import {
  looseUrl,
  looseValue,
  normalize,
  normalizers,
  parseNumber,
  type Normalizer,
} from './values.ts'

it('normalizers are those of the contract', () => {
  expect(normalizers).toEqual([
    'trim',
    'lower',
    'strip_trailing_slash',
    'css_px_to_number',
    'csv_to_array',
    'shell_prompt_strip',
  ])
})

describe('normalize', () => {
  it.each<[Normalizer[], unknown, unknown]>([
    [[], ' A ', ' A '],
    [['trim'], ' A ', 'A'],
    [['lower'], 'AbC', 'abc'],
    [
      ['lower', 'trim'],
      [' A', [' B ']],
      ['a', ['b']],
    ],
    [['trim'], { a: ' b ' }, { a: ' b ' }],
    [['trim'], 5, 5],
    [['strip_trailing_slash'], 'a/', 'a'],
    [['strip_trailing_slash'], 'a//', 'a/'],
    [['strip_trailing_slash'], '/', '/'],
    [['strip_trailing_slash'], '//', '/'],
    [['strip_trailing_slash'], '', ''],
    [['css_px_to_number'], ' -1.5PX ', -1.5],
    [['css_px_to_number'], '+.5px', 0.5],
    [['css_px_to_number'], '12.px', 12],
    [['css_px_to_number'], '12', '12'],
    [['css_px_to_number'], '1px 2px', '1px 2px'],
    [['csv_to_array'], 'a, b ,,c', ['a', 'b', '', 'c']],
    [['csv_to_array', 'csv_to_array'], 'a,b', ['a', 'b']],
    [['csv_to_array'], ['a,b'], ['a,b']],
    [['csv_to_array', 'lower'], 'A,B', ['a', 'b']],
    [['shell_prompt_strip'], '$ ls', 'ls'],
    [['shell_prompt_strip'], ' me@host:~/x$ ls', 'ls'],
    [['shell_prompt_strip'], '❯ ls', 'ls'],
    [['shell_prompt_strip'], '➜  ls', 'ls'],
    [['shell_prompt_strip'], '$ls', '$ls'],
    [['shell_prompt_strip'], 'ls > a', 'ls > a'],
  ])('%j makes of %j %j', (names, value, normalized) => {
    expect(normalize(value, names)).toEqual(normalized)
  })
})

it.each([
  ['  A \n B ', 'a b'],
  ['7.0', 7],
  [' 1E2 ', 100],
  [
    ['A', '2', null],
    ['a', 2, null],
  ],
  [
    { K: ' V ', n: { m: '1' } },
    { K: 'v', n: { m: 1 } },
  ],
  [true, true],
  [null, null],
])('looseValue of %j is %j', (value, loose) => {
  expect(looseValue(value)).toEqual(loose)
})

it.each<[unknown, number | undefined]>([
  [5, 5],
  [Infinity, undefined],
  [Number.NaN, undefined],
  ['5', 5],
  [' -.5e+2 ', -50],
  ['5.', 5],
  ['1e-2', 0.01],
  ['.', undefined],
  ['5a', undefined],
  ['a5', undefined],
  ['', undefined],
  ['0x10', undefined],
  [true, undefined],
  [[5], undefined],
])('parseNumber of %j is %s', (value, number) => {
  expect(parseNumber(value)).toBe(number)
})

it.each<[unknown, string | undefined]>([
  ['http://www.A.com/b//?z=1&a=2#c', 'https://a.com/b?a=2&z=1'],
  [' a.com ', 'https://a.com'],
  ['ftp://a.com/x', 'ftp://a.com/x'],
  ['a.com:8080/x', 'https://a.com:8080/x'],
  ['awww.com', 'https://awww.com'],
  ['HTTP://a.com', 'https://a.com'],
  ['git+ssh://a.com/', 'git+ssh://a.com'],
  ['a b', undefined],
  ['', undefined],
  [5, undefined],
])('looseUrl of %j is %s', (value, url) => {
  expect(looseUrl(value)).toBe(url)
})
