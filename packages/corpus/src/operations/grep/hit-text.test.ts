import { expect, test } from 'vitest'
import { formatHits } from './hit-text.ts'
import type { GrepHit } from '../../search/search.ts'

const hit = (path: string, line: number, text: string, around?: Record<number, string>): GrepHit =>
  ({
    path,
    line,
    text,
    ...(around === undefined
      ? {}
      : {
          context: Object.entries(around).map(([at, each]) => ({ line: Number(at), text: each })),
        }),
  }) as GrepHit

test('no hits are an empty text', () => {
  expect(formatHits([])).toBe('')
})

test('each path is followed by its lines, and an empty line is between files', () => {
  const hits = [hit('a', 1, 'x'), hit('a', 2, 'y'), hit('a', 9, 'z'), hit('b', 3, 'w')]
  expect(formatHits(hits)).toBe('a\n1: x\n2: y\n9: z\n\nb\n3: w\n')
})

test('files and counts are one line each', () => {
  expect(formatHits([{ path: 'a' }, { path: 'b' }] as GrepHit[])).toBe('a\n\nb\n')
  expect(formatHits([{ path: 'a', count: 3 }] as GrepHit[])).toBe('a: 3\n')
})

test('lines of context are merged and sorted, and gaps are marked', () => {
  const hits = [
    hit('a', 3, 'three', { 2: 'two', 4: 'four' }),
    hit('a', 5, 'five', { 4: 'four', 6: 'six' }),
    hit('a', 9, 'nine', { 8: 'eight', 10: 'ten' }),
    hit('a', 10, 'TEN', { 9: 'nine', 11: 'eleven' }),
  ]
  expect(formatHits(hits)).toBe(
    'a\n2- two\n3: three\n4- four\n5: five\n6- six\n--\n8- eight\n9: nine\n10: TEN\n11- eleven\n',
  )
})

test('adjacent blocks of context have no mark between them', () => {
  const hits = [hit('a', 1, 'one', { 2: 'two' }), hit('a', 3, 'three', {}), hit('a', 5, 'five', {})]
  expect(formatHits(hits)).toBe('a\n1: one\n2- two\n3: three\n--\n5: five\n')
})
