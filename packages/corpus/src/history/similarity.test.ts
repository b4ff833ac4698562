import { expect, test } from 'vitest'
import { maxScore, minScore, similarity, spansOf } from './similarity.ts'

const sizes = (text: string | Buffer): number[] => [...spansOf(Buffer.from(text)).values()]

test.each([
  ['', []],
  ['a\n', [2]],
  ['a\nb\n', [2, 2]],
  ['a\na\n', [4]],
  ['a\nlast', [2]],
  ['a\r\nb\r\n', [2, 2]],
  ['a\rb\n', [4]],
  ['\r\n', [1]],
  [`${'x'.repeat(63)}\n`, [64]],
  ['x'.repeat(64), [64]],
  [`${'x'.repeat(64)}\n`, [64, 1]],
  ['x'.repeat(63), []],
  ['x'.repeat(128), [128]],
  [`${'abcdefgh'.repeat(8)}${'hgfedcba'.repeat(8)}`, [64, 64]],
  ['\0a\r\nb\n', [4, 2]],
])('the spans of %j have the sizes %j', (text, expected) => {
  expect(sizes(text)).toEqual(expected)
})

test('CR counts in a binary file, which has a zero byte within its first 8000 bytes', () => {
  const text = (zeroAt: number): Buffer => {
    const bytes = Buffer.alloc(8100, '\r\n')
    bytes[zeroAt] = 0
    return bytes
  }
  const total = (bytes: Buffer): number => sizes(bytes).reduce((sum, size) => sum + size, 0)
  expect(total(text(7998))).toBe(8100)
  expect(total(text(8000))).toBe(4051)
})

test.each([
  ['a\n', [12_426]],
  ['b\n', [12_554]],
])('the span of %j has the hash %j', (text, hashes) => {
  expect([...spansOf(Buffer.from(text)).keys()]).toEqual(hashes)
})

const side = (text: string) => ({ bytes: text.length, spans: () => spansOf(Buffer.from(text)) })
const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => `line ${1000 + from + at}\n`).join('')

test.each([
  [lines(0, 10), lines(0, 10), maxScore],
  [lines(0, 10), lines(5, 15), minScore],
  [lines(0, 10), lines(0, 5), minScore],
  [lines(0, 5), lines(0, 10), minScore],
  [lines(0, 10), lines(20, 30), 0],
  [lines(0, 3), lines(0, 4), 45_000],
  [lines(0, 10), lines(0, 4), 0],
  ['', '', 0],
  ['a\n', '', 0],
  ['a\na\n', 'a\nb\n', minScore],
])('the score of %j and %j is %d', (one, two, score) => {
  expect(similarity(side(one), side(two), minScore)).toBe(score)
})

test('sizes that rule out the least score are not compared', () => {
  const unread = (bytes: number) => ({ bytes, spans: () => expect.fail('the file was read') })
  expect(similarity(unread(100), unread(49), minScore)).toBe(0)
  expect(similarity(unread(49), unread(100), minScore)).toBe(0)
  expect(similarity(unread(100), unread(74), 45_000)).toBe(0)
  expect(() => similarity(unread(100), unread(50), minScore)).toThrow('the file was read')
})
