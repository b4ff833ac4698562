import { describe, expect, it } from 'vitest'
import { parseCsv } from './csv.ts'

describe('parseCsv', () => {
  it.each<[string, Record<string, string>[]]>([
    ['', []],
    ['\n', []],
    ['a', []],
    ['a\n', []],
    ['a\n1', [{ a: '1' }]],
    ['a\n1\n', [{ a: '1' }]],
    ['a\r\n1\r\n2', [{ a: '1' }, { a: '2' }]],
    [' a , b\n 1 , 2', [{ a: ' 1 ', b: ' 2' }]],
    ['\uFEFFa,b\n,\n', [{ a: '', b: '' }]],
    ['a,b\n1,', [{ a: '1', b: '' }]],
    ['a\n"1"', [{ a: '1' }]],
    ['a,b\n"x, ""y""\nz",2\n', [{ a: 'x, "y"\nz', b: '2' }]],
    ['a\n\n\n1\n\n', [{ a: '1' }]],
    ['a\n""\n', []],
  ])('of %j has the rows %j', (text, rows) => {
    expect(parseCsv(text)).toEqual(rows)
  })

  it.each([
    ['a, a\n', "two columns are called 'a'"],
    ['a,b\n1\n', 'row 2 has 1 cells, not 2'],
    ['a,b\n1,2\n1,2,3\n', 'row 3 has 3 cells, not 2'],
    ['a"b\n', 'row 1 has a quote in the wrong place'],
    ['a\n1\n"x"y\n', 'row 3 has a quote in the wrong place'],
    ['a\n"x', 'row 2 has a quote in the wrong place'],
  ])('refuses %j: %s', (text, message) => {
    expect(() => parseCsv(text)).toThrow(new Error(message))
  })
})
