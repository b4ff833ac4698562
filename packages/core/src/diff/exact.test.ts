// Whole diffs, and the shortest list of edits.
import { describe, expect, it } from 'vitest'
import { commonEnds, unifiedDiff } from './diff.ts'
import { computeEdits } from './edit-script.ts'

const lines = (text: string) => (text === '' ? [] : text.split(' '))

/** The edits as words: `=a -b +c`. */
function edits(old: string, next: string): string {
  return computeEdits(lines(old), lines(next))
    .map(({ mark, line }) => `${mark === ' ' ? '=' : mark}${line}`)
    .join(' ')
}

describe('the edits', () => {
  it.each([
    ['', '', ''],
    ['a', '', '-a'],
    ['', 'a', '+a'],
    ['a b', 'a b', '=a =b'],
    ['a', 'b', '-a +b'],
    ['a b c', 'a x c', '=a -b +x =c'],
    ['a b c', 'a c', '=a -b =c'],
    ['a c', 'a b c', '=a +b =c'],
    ['a b', 'b a', '-a =b +a'],
    ['a a', 'a', '=a -a'],
    ['a', 'a a', '=a +a'],
    ['a b a', 'a', '=a -b -a'],
    ['x a b c', 'a b c y', '-x =a =b =c +y'],
    ['a b c a b b a', 'c b a b a c', '-a -b =c +b =a =b -b =a +c'],
    ['a b c d e f', 'b x d y f z', '-a =b -c +x =d -e +y =f +z'],
    ['1 2 3 4 5', '5 4 3 2 1', '-1 -2 -3 -4 =5 +4 +3 +2 +1'],
  ])('from %j to %j are %j', (old, next, expected) => {
    expect(edits(old, next)).toBe(expected)
  })

  it('above 2000 replace everything that differs', () => {
    const numbered = (name: string, count: number) =>
      Array.from({ length: count }, (_, at) => `${name}${at}`)
    const kept = ['k']
    const marks = (count: number) => {
      const old = [...numbered('o', count), ...kept, ...numbered('p', 1)]
      const next = [...numbered('n', count), ...kept, ...numbered('q', 1)]
      return computeEdits(old, next).filter(({ mark }) => mark === ' ').length
    }
    expect([marks(999), marks(1000)]).toEqual([1, 0])
  })
})

describe('common ends', () => {
  it.each([
    ['', '', 0, 0],
    ['a', 'a', 1, 0],
    ['a', 'b', 0, 0],
    ['a b c', 'a x c', 1, 1],
    ['a a', 'a', 1, 0],
    ['a', 'a a', 1, 0],
    ['a b b', 'a b', 2, 0],
    ['b a', 'c b a', 0, 2],
    ['a b c d', 'a d', 1, 1],
    ['a d', 'a b c d', 1, 1],
    ['x a a', 'y a', 0, 1],
  ])('of %j and %j are %i and %i', (old, next, start, end) => {
    expect(commonEnds(lines(old), lines(next))).toEqual({ start, end })
  })
})

describe('a unified diff', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => String(at + 1))
  const hunks = (old: string[], next: string[]) =>
    unifiedDiff('f', `${old.join('\n')}\n`, `${next.join('\n')}\n`)
      .split('\n')
      .filter((line) => line.startsWith('@@'))

  it.each<[string | null, string | null, string]>([
    [null, null, ''],
    ['', '', ''],
    [null, '', '--- /dev/null\n+++ b/f\n'],
    ['', null, '--- a/f\n+++ /dev/null\n'],
    [null, 'x', '--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n'],
    [null, 'x\ny\n', '--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+x\n+y\n'],
    ['x\ny\n', null, '--- a/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-x\n-y\n'],
    ['', 'x\n', '--- a/f\n+++ b/f\n@@ -0,0 +1 @@\n+x\n'],
    ['\n', '\n\n', '--- a/f\n+++ b/f\n@@ -1 +1,2 @@\n \n+\n'],
    [
      'a\nb',
      'a\nb\n',
      '--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n',
    ],
    [
      'a\nb\n',
      'c\nb',
      '--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-a\n-b\n+c\n+b\n\\ No newline at end of file\n',
    ],
  ])('from %j to %j', (before, after, expected) => {
    expect(unifiedDiff('f', before, after)).toBe(expected)
  })

  it.each([
    [1, ['@@ -1,4 +1,4 @@']],
    [3, ['@@ -1,6 +1,6 @@']],
    [4, ['@@ -1,7 +1,7 @@']],
    [5, ['@@ -2,7 +2,7 @@']],
    [17, ['@@ -14,7 +14,7 @@']],
    [18, ['@@ -15,6 +15,6 @@']],
    [20, ['@@ -17,4 +17,4 @@']],
  ])('has three lines around a change of line %i', (line, expected) => {
    expect(hunks(numbers(20), numbers(20).with(line - 1, 'x'))).toEqual(expected)
  })

  it.each([
    [6, ['@@ -2,8 +2,8 @@']],
    [11, ['@@ -2,13 +2,13 @@']],
    [12, ['@@ -2,7 +2,7 @@', '@@ -9,7 +9,7 @@']],
    [13, ['@@ -2,7 +2,7 @@', '@@ -10,7 +10,7 @@']],
  ])('of changes in the lines 5 and %i has the hunks %j', (line, expected) => {
    expect(
      hunks(
        numbers(20),
        numbers(20)
          .with(4, 'x')
          .with(line - 1, 'y'),
      ),
    ).toEqual(expected)
  })

  it('counts added and removed lines in later hunks', () => {
    const old = numbers(40)
    const next = [...old.slice(0, 4), 'a', 'b', ...old.slice(4, 19), ...old.slice(22, 39)]
    expect(hunks(old, next)).toEqual(['@@ -2,6 +2,8 @@', '@@ -17,9 +19,6 @@', '@@ -37,4 +36,3 @@'])
  })
})
