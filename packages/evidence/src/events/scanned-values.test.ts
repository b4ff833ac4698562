import { expect, it } from 'vitest'
import { JsonScanner } from './json-scanner.ts'

function scannerOf(text: string, start = 0, end?: number): JsonScanner {
  const bytes = Buffer.from(text)
  const scanner = new JsonScanner()
  scanner.open(bytes, start, end ?? bytes.length)
  return scanner
}

it.each([
  ['"a"', 1, 2, [false, false, false]],
  ['""', 1, 1, [false, false, false]],
  ['"\\n\\""', 1, 5, [false, true, false]],
  ['"a\\/b"', 1, 5, [false, true, true]],
  ['"\\u00e9"', 1, 7, [false, true, true]],
  ['"x\\uABCDy"', 1, 9, [false, true, true]],
  ['"\\u1234\\u5678"', 1, 13, [false, true, true]],
  ['"é"', 1, 3, [true, false, false]],
])('the string %s begins at %i and ends at %i, with its flags', (text, from, to, flags) => {
  const scanner = scannerOf(text)
  expect(scanner.skipString()).toBe(true)
  expect([scanner.stringStart, scanner.stringEnd, scanner.position]).toEqual([from, to, to + 1])
  expect([scanner.hasNonAscii, scanner.hasEscape, scanner.hasUnusualEscape]).toEqual(flags)
  scanner.resetFlags()
  expect([scanner.hasNonAscii, scanner.hasEscape, scanner.hasUnusualEscape]).toEqual([
    false,
    false,
    false,
  ])
})

it('a string that is cut off at any byte is no string', () => {
  const text = '"ab\\u00e9\\n cde"'
  for (let end = 0; end < text.length; end++) {
    const scanner = scannerOf(text, 0, end)
    expect(scanner.skipString(), `cut at ${end}`).toBe(false)
    expect(scanner.position).toBe(0)
  }
  expect(scannerOf(text).skipString()).toBe(true)
})

it.each(['g', 'G', '/', ':', '@', '`', ' '])('%j is no hexadecimal digit of an escape', (digit) => {
  for (let place = 0; place < 4; place++) {
    const digits = [...'1aF0']
    digits[place] = digit
    expect(scannerOf(`"\\u${digits.join('')}"`).skipString()).toBe(false)
  }
  expect(scannerOf('"\\u1aF0"').skipString()).toBe(true)
})

it.each([
  ['0', 0, 1],
  ['7', 7, 1],
  ['10', 10, 2],
  ['123,', 123, 3],
  ['9a', 9, 1],
  ['1/', 1, 1],
  ['1:', 1, 1],
  ['123456789012345', 123_456_789_012_345, 15],
  ['1234567890123456', -1, 0],
  ['01', -1, 0],
  ['00', -1, 0],
  ['', -1, 0],
  ['-1', -1, 0],
  ['a', -1, 0],
])('the integer of %j is %d, and the position after it %i', (text, value, position) => {
  const scanner = scannerOf(text)
  expect(scanner.readInteger()).toBe(value)
  expect(scanner.position).toBe(position)
})

it('an integer ends at the end of the scanned bytes', () => {
  const scanner = scannerOf('12345', 1, 3)
  expect(scanner.readInteger()).toBe(23)
  expect(scanner.position).toBe(3)
})

it.each([
  ['0', 1],
  ['-0', 2],
  ['01', 1],
  ['-12.50', 6],
  ['1e5', 3],
  ['1E+05', 5],
  ['1e-5', 4],
  ['0.0e0', 5],
  ['true', 4],
  ['false', 5],
  ['null', 4],
  ['[]', 2],
  ['[1,[2,"]"],{}]', 14],
  ['{}', 2],
  ['{"a":1,"b":{"c":[]}}', 20],
])('the value %s ends at byte %i', (text, end) => {
  const scanner = scannerOf(`${text} `)
  expect(scanner.skipValue()).toBe(true)
  expect(scanner.position).toBe(end)
})

it.each([
  '-',
  '1.',
  '1e',
  '1e+',
  '.1',
  '[',
  '[1',
  '[1,',
  '{',
  '{"a"',
  '{"a":',
  '{"a":1',
  '{"a":1,',
  '{1:2}',
  'nul',
  '',
])('%j is no value', (text) => {
  expect(scannerOf(text).skipValue()).toBe(false)
})

it('a value may lie in 64 arrays or objects, and in no more', () => {
  const nested = (levels: number) => scannerOf('['.repeat(levels) + ']'.repeat(levels)).skipValue()
  expect(nested(65)).toBe(true)
  expect(nested(66)).toBe(false)
  const object = (levels: number) =>
    scannerOf(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`).skipValue()
  expect(object(64)).toBe(true)
  expect(object(65)).toBe(false)
})

it('a literal is skipped whole or not at all, and only before the end', () => {
  const literal = Buffer.from('"key":')
  expect(scannerOf('"key":1').skipLiteral(literal)).toBe(true)
  for (const [text, end] of [
    ['"kez":1', 7],
    ['"key":1', 5],
  ] as const) {
    const scanner = scannerOf(text, 0, end)
    expect(scanner.skipLiteral(literal)).toBe(false)
    expect(scanner.position).toBe(0)
  }
})
