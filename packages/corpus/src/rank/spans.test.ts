import { expect, test } from 'vitest'
import { bestSpans } from './spans.ts'

/** Lines with the given texts by number from 1; the others have no term. */
function linesWith(count: number, texts: Record<number, string>): string[] {
  return Array.from({ length: count }, (_, at) => texts[at + 1] ?? '--')
}

const even = (): number => 1

test.each([
  ['three lines around a match', 20, { 10: 'red' }, [[7, 13]]],
  ['a match in the first line', 20, { 1: 'red' }, [[1, 4]]],
  ['a match in the third line', 20, { 3: 'red' }, [[1, 6]]],
  ['a match in the fourth line', 20, { 4: 'red' }, [[1, 7]]],
  ['a match in the fifth line', 20, { 5: 'red' }, [[2, 8]]],
  ['a match in the last line', 20, { 20: 'red' }, [[17, 20]]],
  ['a match two lines before the end', 20, { 18: 'red' }, [[15, 20]]],
  ['matches six lines apart', 40, { 10: 'red', 16: 'red' }, [[7, 19]]],
  [
    'matches seven lines apart',
    40,
    { 10: 'red', 17: 'red' },
    [
      [7, 13],
      [14, 20],
    ],
  ],
  ['no match', 20, {}, [[1, 7]]],
  ['no match in six lines', 6, {}, [[1, 6]]],
] as const)('the span of %s has its margins', (_, count, texts, expected) => {
  const spans = bestSpans(linesWith(count, texts), ['red'], even, 5)
  expect(spans.map(({ start, end }) => [start, end])).toEqual(expected)
})

test('no lines have no span', () => {
  expect(bestSpans([], ['red'], even, 5)).toEqual([])
})

test('a span takes matches up to the 40th line from its start', () => {
  const all = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [at + 1, 'red']))
  const spans = bestSpans(linesWith(60, all), ['red'], even, 5)
  expect(spans.map(({ start, end }) => [start, end])).toEqual([
    [1, 43],
    [38, 60],
  ])
})

test('a span lists the wanted terms of its lines once, in their order', () => {
  const lines = ['blue and red', 'reds', 'green blue']
  expect(bestSpans(lines, ['red', 'blue'], even, 1)).toEqual([
    { start: 1, end: 3, terms: ['blue', 'red'] },
  ])
})

test('lines above 2000 characters do not match', () => {
  const lines = [`red ${'.'.repeat(1997)}`, ...linesWith(20, {}), `red ${'.'.repeat(1996)}`]
  expect(bestSpans(lines, ['red'], even, 5)).toEqual([{ start: 19, end: 22, terms: ['red'] }])
})

test('the spans with the rarest and the most terms are chosen, and listed in line order', () => {
  const texts = { 10: 'red', 30: 'blue', 50: 'red red', 70: 'red blue', 90: 'red', 91: 'red' }
  const rarity = (term: string): number => (term === 'blue' ? 3 : 1)
  const best = (max: number): number[] =>
    bestSpans(linesWith(100, texts), ['red', 'blue'], rarity, max).map(({ start }) => start)
  expect(best(1)).toEqual([67])
  expect(best(2)).toEqual([27, 67])
  // A term in two lines counts more than in one; equal spans come in line order.
  expect(best(3)).toEqual([27, 67, 87])
  expect(best(4)).toEqual([7, 27, 67, 87])
  expect(best(9)).toEqual([7, 27, 47, 67, 87])
})
