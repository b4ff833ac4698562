import { expect, test } from 'vitest'
import { fuzzyScore } from './fuzzy.ts'

test.each([
  // The name itself, in any case.
  ['readRow', 'readrow', 1000],
  ['readRow', 'READROW', 1000],
  // Its start: one less for each further character, at most 99.
  ['readRow', 'read', 897],
  ['readRow', 'readRo', 899],
  [`a${'b'.repeat(98)}`, 'a', 802],
  [`a${'b'.repeat(99)}`, 'a', 801],
  [`a${'b'.repeat(150)}`, 'a', 801],
  // In one piece: more at the start of a word.
  ['readRow', 'row', 793],
  ['readrow', 'row', 693],
  ['read_row', 'row', 792],
  ['read.row', 'row', 792],
  ['read:row', 'row', 792],
  ['read$row', 'row', 792],
  ['read-row', 'row', 792],
  ['readROW', 'row', 793],
  ['rEADROW', 'row', 693],
  ['read row', 'row', 692],
  [`${'x'.repeat(98)}a`, 'a', 601],
  [`${'x'.repeat(99)}a`, 'a', 601],
  // In order: shares of starts of words, and a little more for short names.
  ['readRow', 'rr', 1 + 500 + 92],
  ['readRow', 'rw', 1 + 250 + 92],
  ['readRow', 'aw', 1 + 0 + 92],
  ['readRow', 'rdw', 1 + 166 + 92],
  ['RowReader', 'rrdr', 1 + 250 + 90],
  ['abcBxC', 'bc', 701 - 7 + 0],
  ['axbB', 'ab', 1 + 500 + 95],
  ['axbxxxb', 'ab', 1 + 250 + 92],
  [`a${'x'.repeat(98)}b`, 'ab', 1 + 250 + 0],
  [`a${'x'.repeat(96)}b`, 'ab', 1 + 250 + 1],
  // A later start of a word is taken up to 24 characters away.
  [`axb${'x'.repeat(23)}B`, 'ab', 1 + 500 + 72],
  [`axb${'x'.repeat(24)}B`, 'ab', 1 + 250 + 71],
  ['readRow', 'wr', 0],
  ['readRow', 'readRows', 0],
  ['readRow', 'z', 0],
  ['ab', 'aab', 0],
])('%s has for %s the score %i', (symbol, query, score) => {
  expect(fuzzyScore(symbol, query)).toBe(score)
})
