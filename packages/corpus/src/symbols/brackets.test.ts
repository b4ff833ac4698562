import { describe, expect, test } from 'vitest'
import {
  afterClosing,
  afterClosingAngle,
  afterClosingByte,
  splitAtCommas,
  withoutAngles,
  WorkBudget,
} from './brackets.ts'
import { SymbolSink } from './sink.ts'

describe('afterClosing and afterClosingByte', () => {
  test.each<[text: string, at: number, limit: number | undefined, end: number]>([
    ['()', 0, undefined, 2],
    ['(a)b', 0, undefined, 3],
    ['x[{()}]y', 1, undefined, 7],
    ['((a)b', 0, undefined, 5],
    ['(', 0, undefined, 1],
    ['a(b)', 1, undefined, 4],
    ['(ab)', 0, 4, 4],
    ['(ab)', 0, 3, 3],
    ['(ab)c', 0, 5, 4],
    ['x(ab)c', 1, 3, 4],
    ['(a)(b)', 3, undefined, 6],
    ['(]', 0, undefined, 2],
  ])('in %j from %i with the limit %s the end is %i', (text, at, limit, end) => {
    expect(afterClosing(text, at, limit)).toBe(end)
    expect(afterClosingByte(Buffer.from(text), at, limit)).toBe(end)
  })
})

describe('afterClosingAngle', () => {
  test.each<[text: string, at: number, end: number]>([
    ['<a>b', 0, 3],
    ['<a<b>>c', 0, 6],
    ['<a => b>c', 0, 8],
    ['<a -> b>c', 0, 8],
    ['<(a>b)>c', 0, 7],
    ['<[>]>', 0, 5],
    ['<{>}>', 0, 5],
    ['<a;b>', 0, 0],
    ['<a)>', 0, 0],
    ['<a]>', 0, 0],
    ['<a}>', 0, 0],
    ['<a', 0, 0],
    ['x<a>y', 1, 4],
    ['x<y;', 1, 1],
    ['<>', 0, 2],
  ])('in %j from %i the end is %i', (text, at, end) => {
    expect(afterClosingAngle(text, at)).toBe(end)
  })

  test('a bracket closes within 4,000 characters', () => {
    expect(afterClosingAngle(`<${'a'.repeat(3998)}>`, 0)).toBe(4000)
    expect(afterClosingAngle(`<${'a'.repeat(3999)}>`, 0)).toBe(0)
    expect(afterClosingAngle(`  <${'a'.repeat(3998)}>`, 2)).toBe(4002)
  })
})

test.each([
  ['a<b>c', 'a   c'],
  ['a<b<c>>d<e>', 'a      d   '],
  ['a<b', 'a<b'],
  ['a < b; c > d', 'a < b; c > d'],
  ['a<b;<c>', 'a<b;   '],
  ['<a>', '   '],
  ['', ''],
])('withoutAngles blanks the arguments in %j', (text, clean) => {
  expect(withoutAngles(text)).toBe(clean)
})

describe('splitAtCommas', () => {
  test.each<[text: string, pieces: [string, number][]]>([
    ['', [['', 0]]],
    ['a', [['a', 0]]],
    [
      'a,b',
      [
        ['a', 0],
        ['b', 2],
      ],
    ],
    [
      'a(b,c),[d,e],{f,g}',
      [
        ['a(b,c)', 0],
        ['[d,e]', 7],
        ['{f,g}', 13],
      ],
    ],
    [
      ',',
      [
        ['', 0],
        ['', 1],
      ],
    ],
    ['(a,b', [['(a,b', 0]]],
  ])('splits %j', (text, pieces) => {
    const sink = new SymbolSink('all')
    expect(splitAtCommas(text, sink)).toEqual(pieces.map(([piece, at]) => ({ text: piece, at })))
    expect(sink.isTruncated).toBe(false)
  })

  test('drops what follows 500,000 pieces and marks the result as truncated', () => {
    const sink = new SymbolSink('all')
    expect(splitAtCommas(','.repeat(499_999), sink).length).toBe(500_000)
    expect(sink.isTruncated).toBe(false)
    expect(splitAtCommas(','.repeat(500_000), sink).length).toBe(500_000)
    expect(sink.isTruncated).toBe(true)
  })
})

test('a work budget is 50 units per character and 100,000 more', () => {
  for (const length of [0, 7]) {
    const sink = new SymbolSink('all')
    const budget = new WorkBudget('a'.repeat(length), sink)
    budget.spend(length * 50 + 99_999)
    expect([budget.canContinue(), sink.isTruncated]).toEqual([true, false])
    budget.spend(1)
    expect([budget.canContinue(), sink.isTruncated]).toEqual([false, true])
  }
})
