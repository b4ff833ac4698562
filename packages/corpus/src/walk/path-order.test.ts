import { expect, test } from 'vitest'
import fc from 'fast-check'
import { comparePaths, sortNames } from './path-order.ts'

const name = fc.string({
  unit: fc.constantFrom('a', 'B', '-', '.', '/', 'é', '\uffee', '😀', '\u{10ffff}'),
})

test('comparePaths orders by UTF-8 bytes, with the slash as an ordinary character', () => {
  const paths = ['ab.txt', 'a/b.txt', 'a.txt', 'a-b.txt', 'B', '😀', '\uffee']
  expect(sortNames([...paths])).toEqual([
    'B',
    'a-b.txt',
    'a.txt',
    'a/b.txt',
    'ab.txt',
    '\uffee',
    '😀',
  ])
  fc.assert(
    fc.property(name, name, (a, b) => {
      const bytes = Buffer.compare(Buffer.from(a), Buffer.from(b))
      expect(Math.sign(comparePaths(a, b))).toBe(bytes)
    }),
  )
})

test('sortNames orders by UTF-8 bytes', () => {
  fc.assert(
    fc.property(fc.array(name), (names) => {
      const expected = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      expect(sortNames([...names])).toEqual(expected)
    }),
  )
})
