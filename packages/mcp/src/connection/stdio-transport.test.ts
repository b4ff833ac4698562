import { expect, test } from 'vitest'
import { isNestedDeeper } from './stdio-transport.ts'

test.each([
  ['[[1],[2]]', 2, false],
  ['[[[1]]]', 2, true],
  ['{"a":{"b":[]}}', 2, true],
  [String.raw`["[[[","\"[[["]`, 1, false],
  ['[', 1, false],
  ['', 0, false],
])('isNestedDeeper(%j, %i) is %s', (json, max, expected) => {
  expect(isNestedDeeper(Buffer.from(json), max)).toBe(expected)
})
