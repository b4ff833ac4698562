import { expect, test } from 'vitest'
import { literalFinder, locateLines, plainNeedle } from './finder.ts'
import { createNeedle, rarity } from './needle.ts'
import { needleFromBytes } from './plain-needle.ts'

const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1')

/** Line, start, end and offset of the match of each line; the column where the text was decoded. */
function found(
  pattern: string,
  bytes: Buffer,
  { isSensitive = true, limit = 9 }: { isSensitive?: boolean; limit?: number } = {},
): (number | undefined | string)[][] {
  return literalFinder(pattern, isSensitive)(bytes, limit).map((line) => [
    ...[line.line, line.start, line.end],
    line.matchOffset ?? `column ${line.column}`,
  ])
}

test.each<[pattern: string, text: string, lines: number[][]]>([
  ['a', '', []],
  ['a', 'b', []],
  ['a', 'a', [[1, 0, 1, 0]]],
  [
    'a',
    'ba\nb\nab',
    [
      [1, 0, 2, 1],
      [3, 5, 7, 5],
    ],
  ],
  [
    'a',
    'aa\naa\n',
    [
      [1, 0, 2, 0],
      [2, 3, 5, 3],
    ],
  ],
  [
    'a',
    'x\r\na\r\n\r\na',
    [
      [2, 3, 4, 3],
      [4, 8, 9, 8],
    ],
  ],
  [
    'a',
    'x\ra\r\ra',
    [
      [2, 2, 3, 2],
      [4, 5, 6, 5],
    ],
  ],
  ['a', 'a\r\n', [[1, 0, 1, 0]]],
  ['\n', 'a\nb', []],
  ['\r', 'a\rb', []],
  ['\ud83d', '\ud83d', []],
  ['needle', `x\n${'y'.repeat(300)}\nneedle`, [[3, 303, 309, 303]]],
  ['needle', `${'\n'.repeat(255)}needle`, [[256, 255, 261, 255]]],
  ['needle', `${'\n'.repeat(256)}needle`, [[257, 256, 262, 256]]],
  ['needle', `${'\n'.repeat(257)}needle`, [[258, 257, 263, 257]]],
])('the finder of %j in %j finds its lines', (pattern, text, lines) => {
  expect(found(pattern, Buffer.from(text))).toEqual(lines)
})

test('a finder finds as many lines as asked', () => {
  const bytes = Buffer.from('a\na\na')
  expect(found('a', bytes, { limit: 0 })).toEqual([])
  expect(found('a', bytes, { limit: 1 })).toEqual([[1, 0, 1, 0]])
  expect(found('a', bytes, { limit: 2 })).toHaveLength(2)
  const wide = Buffer.from('\u00e4\n\u00e4\n\u00e4')
  expect(found('\u00c4', wide, { isSensitive: false, limit: 2 })).toHaveLength(2)
  expect(found('\u00c4', wide, { isSensitive: false, limit: 0 })).toEqual([])
})

test('bytes that are not UTF-8 are decoded only for a pattern with a replacement character', () => {
  const bytes = bytesOf('x\n\xffa')
  expect(found('a', bytes)).toEqual([[2, 2, 4, 3]])
  expect(found('\ufffda', bytes)).toEqual([[2, 2, 4, 'column 1']])
  expect(found('\ufffd', Buffer.from('a\ufffd'))).toEqual([[1, 0, 4, 1]])
})

test.each([
  [
    'AB',
    'xaB\nAb',
    [
      [1, 0, 3, 1],
      [2, 4, 6, 4],
    ],
  ],
  ['\u00c4', 'a\n\u00e4', [[2, 2, 4, 'column 1']]],
  ['\u00c4', 'a', []],
  [
    'a',
    '\u00e4A\nA',
    [
      [1, 0, 3, 'column 2'],
      [2, 4, 5, 'column 1'],
    ],
  ],
  ['i', '\u0130', [[1, 0, 2, 'column 1']]],
  ['k', '\u212a', [[1, 0, 3, 'column 1']]],
  ['b', '\u00e4\nx\r\nB', [[3, 6, 7, 'column 1']]],
  ['b', '\u00e4\n\u{1f600}B', [[2, 3, 8, 'column 2']]],
] as [string, string, unknown[]][])('%j is found in %j in either case', (pattern, text, lines) => {
  expect(found(pattern, Buffer.from(text), { isSensitive: false })).toEqual(lines)
})

test('lines are located by their numbers', () => {
  const bytes = Buffer.from('ab\r\nc\n\nd')
  expect(locateLines(bytes, [1, 2, 2, 1, 4, 1])).toEqual([
    { line: 1, start: 0, end: 2, column: 2 },
    { line: 2, start: 4, end: 5, column: 1 },
    { line: 4, start: 7, end: 8, column: 1 },
  ])
  expect(locateLines(bytes, [])).toEqual([])
})

test.each([
  ['abc', 'xxabc', 0, 2],
  ['abc', 'abcabc', 1, 3],
  ['abc', 'ab', 0, -1],
  ['function Q', 'a function q function Q', 0, 13],
  ['function Q', 'function Q', 0, 0],
  ['function Q', 'function Q', 1, -1],
  ['function Qe', 'Qe function Qe', 0, 3],
  ['the {needle} is', 'the {needle} the {needle} is', 0, 13],
  ['the {needle} is', 'the {needle} i', 0, -1],
  ['the {needle} is', '{needle} is', 0, -1],
  ['eeeeeeeeeeeeeeeeeQ', 'eeeeeeeeeeeeeeeeeeQ', 0, 1],
])('the needle %j in %j from %d on is at %d', (needle, text, from, at) => {
  expect(createNeedle(Buffer.from(needle)).find(Buffer.from(text), from)).toBe(at)
})

test('bytes that are rare in source code rank higher', () => {
  expect(
    [' ', 'e', 't', '_', '1', 'Q', '{', '\0'].map((char) => rarity(char.charCodeAt(0))),
  ).toEqual([0, 1, 2, 23, 42, 43, 43, 43])
})

test.each([
  ['', true],
  ['a\nb', true],
  ['a\rb', true],
  ['\ufffd', true],
  ['\ud800', true],
  ['\u00e4', false],
])('the pattern %j has a plain needle only if bytes can be compared', (pattern, isSensitive) => {
  expect(plainNeedle(pattern, isSensitive) !== undefined).toBe(pattern === '')
})

test('a plain needle has masks for letters in either case, and the offsets of its rarest bytes', () => {
  expect(plainNeedle('e{Z_@`', true)).toEqual({
    bytes: Buffer.from('e{Z_@`'),
    masks: Buffer.alloc(6),
    rarestOffset: 1,
    secondOffset: 2,
    isFolded: false,
  })
  const folded = plainNeedle('AZaz@[`{', false)
  expect(folded).toMatchObject({ rarestOffset: 4, secondOffset: 5, isFolded: true })
  expect(Buffer.from(folded?.bytes ?? []).toString()).toBe('azaz@[`{')
  expect([...(folded?.masks ?? [])]).toEqual([32, 32, 32, 32, 0, 0, 0, 0])
  expect(plainNeedle('\u00e4x', true)?.bytes).toHaveLength(3)
})

test('a needle of one byte has the same offset twice', () => {
  const one = needleFromBytes(Uint8Array.of(7), Uint8Array.of(0), [1])
  expect([one.rarestOffset, one.secondOffset]).toEqual([0, 0])
  const three = needleFromBytes(Uint8Array.of(7, 8, 9), Uint8Array.of(0, 0, 0), [3, 1, 2])
  expect([three.rarestOffset, three.secondOffset]).toEqual([1, 2])
})
