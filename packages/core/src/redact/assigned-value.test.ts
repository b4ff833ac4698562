import { describe, expect, test } from 'vitest'
import { endOf, lineEnds, valueAt } from './assigned-value.ts'

/** The value after a text of 9 characters, and whether it is quoted. */
function valueOf(text: string, isEncoded = false): [value: string, quoted: boolean] {
  const whole = `A_TOKEN;=${text}`
  const { start, end, quoted } = valueAt(whole, 9, isEncoded, lineEnds(whole))
  return [whole.slice(start, end), quoted]
}

describe('a quoted value', () => {
  test.each([
    ['"a b" c', 'a b'],
    ["'a\"b' c", 'a"b'],
    ['`a b` c', 'a b'],
    ['"" c', ''],
    ['"a b\nc" d', 'a b'],
    ['"a b', 'a b'],
    [String.raw`"a\"b" c`, String.raw`a\"b`],
    [String.raw`"a\"" c`, String.raw`a\"`],
    [String.raw`"a\\" c`, 'a'],
    [String.raw`"a\\\" b" c`, String.raw`a\\\" b`],
    [String.raw`\"a b\" c`, 'a b'],
    [String.raw`\"a\\"b\" c`, String.raw`a\\"b`],
    [String.raw`\"a\\\"b\" c`, String.raw`a\\\"b`],
    [String.raw`\\\"a b\\\" c`, 'a b'],
    [String.raw`\\\"a b\" c`, 'a b'],
  ])('in %j ends at the quote of the same depth', (text, value) => {
    expect(valueOf(text)).toEqual([value, true])
  })
})

describe('a bare value', () => {
  test.each([
    ['abc def', 'abc'],
    ['abc', 'abc'],
    ['abc"def', 'abc"def'],
    ["don't panic", "don't"],
    ["don't", "don't"],
    ["abc'", 'abc'],
    ["abc' d", 'abc'],
    ['abc"-d', 'abc'],
    ['a&b c', 'a&b'],
    ['a&b=c', 'a'],
    ['a&amp;b', 'a'],
    ['a&&b', 'a'],
    ['a&"b c', 'a'],
    ['abc;EndpointSuffix=d', 'abc'],
    ['abc,time=d', 'abc'],
    ['abc,Time=d', 'abc,Time=d'],
    ['abc,;.', 'abc'],
    ['abc)]}', 'abc'],
    ['${abc}', '${abc}'],
    ['a(b),', 'a(b)'],
    [`${'x'.repeat(1021)};a=y`, 'x'.repeat(1021)],
    [`${'x'.repeat(1022)};a=y`, `${'x'.repeat(1022)};a=y`],
    ['abc%26d', 'abc%26d'],
  ])('in %j ends at a space, a quote or the next property', (text, value) => {
    expect(valueOf(text)).toEqual([value, false])
  })

  test('of punctuation alone is empty', () => {
    expect(valueAt('),,', 1, false, lineEnds('),,'))).toEqual({ start: 1, end: 1, quoted: false })
  })

  test.each([
    ['abc%26d', 'abc'],
    ['abc%22d', 'abc'],
    ['abc%25d', 'abc%25d'],
    ['abc def', 'abc'],
  ])('in the percent-encoded text %j ends at an encoded delimiter', (text, value) => {
    expect(valueOf(text, true)).toEqual([value, false])
  })
})

test('the end of a sticky match is 0 without a match at the position', () => {
  expect(endOf(/b+/y, 'abbc', 1)).toBe(3)
  expect(endOf(/b+/y, 'abbc', 0)).toBe(0)
})

test('the end of a line is its line break or the end of the text', () => {
  const ends = lineEnds('ab\ncd\n\nef')
  expect([0, 2, 3, 5, 6, 7, 9].map(ends)).toEqual([2, 2, 5, 5, 6, 9, 9])
})
