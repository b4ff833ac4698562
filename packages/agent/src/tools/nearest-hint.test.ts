import { describe, expect, it } from 'vitest'
import { nearestHint } from './nearest-hint.ts'

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `const value${index} = compute(${index})`)

describe('the nearest hint', () => {
  it('names the line that differs only in spaces and case', () => {
    const text = 'one\n\tTwo  words\nthree\n'
    expect(nearestHint(text, 'two words')).toBe(
      'The nearest text begins at line 2; line 2 differs: ' +
        `the file has "\\tTwo  words", 'old' has "two words".`,
    )
  })

  it('names no line if none shares a word', () => {
    expect(nearestHint('alpha\nbeta\n', 'gamma')).toContain('No line resembles it')
  })

  it('searches a long file completely and a very long file in part', () => {
    const lines = numbered(90_000)
    const piece = ['const value80000 = compute( 80000 )', 'nothing like it', 'at all'].join('\n')
    expect(nearestHint(lines.join('\n'), piece)).toContain('line 80001;')
    const beyond = [...numbered(100_000).fill(''), 'needle here'].join('\n')
    expect(nearestHint(beyond, 'needle there')).toContain('No line resembles it')
  })

  it('shows only the start of a long line', () => {
    const hint = nearestHint(`needle ${'x'.repeat(1_000_000)}`, 'needle y')
    expect(hint).toContain('line 1 differs')
    expect(hint.length).toBeLessThan(500)
  })

  /** The number of the line at which the nearest text begins. */
  const nearest = (lines: readonly string[], piece: string) =>
    Number(/begins at line (\d+);/.exec(nearestHint(lines.join('\n'), piece))?.[1] ?? 0)

  it.each<[kind: string, lines: string[], piece: string, line: number]>([
    ['a line that holds the piece before one with its words', ['b a', 'x a b y'], 'a b', 2],
    ['a line within the piece before one with its words', ['cc bb aa', 'bb'], 'aa bb cc', 2],
    ['an equal line before one that holds the piece', ['x aa y', 'AA'], 'aa', 2],
    ['most words of the piece', ['aa xx yy', 'aa xx bb'], 'aa bb cc', 2],
    ['the first of equal lines', ['xx', 'aa bb', 'aa cc'], 'aa dd', 2],
    ['most lines of the piece', ['aa', 'xx', 'aa', 'bb'], 'aa\nbb', 3],
    ['no words of one letter', ['a x', 'bb x'], 'a bb y', 2],
    ['no empty lines', ['', 'aa xx'], '\naa yy', 1],
    ['words beside marks', ['foo', 'x = call(aa);'], 'call[aa]', 2],
    ['no line for marks alone', ['x', 'y'], '+++', 0],
  ])('prefers %s', (_, lines, piece, line) => {
    expect(nearest(lines, piece)).toBe(line)
  })

  it.each<[text: string, piece: string, line: number, here: string, old: string]>([
    // The piece may begin and end within a line.
    ['x one\ntwo\nthree x', 'one\ntw0\nthree', 2, 'two', 'tw0'],
    ['one x\ntwo\nthree', 'one\ntwo\nthree', 1, 'one x', 'one'],
    ['one\ntwo\nx three', 'one\ntwo\nthree', 3, 'x three', 'three'],
    ['one\ntwo x\nthree', 'one\ntwo\nthree', 2, 'two x', 'two'],
    ['one\ntwo', 'one\ntwo\nthree', 3, '', 'three'],
    ['x one y', 'one', 1, 'x one y', 'one'],
  ])('of %j for %j names line %i', (text, piece, line, here, old) => {
    expect(nearestHint(text, piece)).toBe(
      `The nearest text begins at line 1; line ${line} differs: ` +
        `the file has "${here}", 'old' has "${old}".`,
    )
  })

  it('compares 100,000 lines, and 1,000 characters of each', () => {
    const lines = (count: number) => [...Array.from({ length: count - 1 }, () => ''), 'needle here']
    expect(nearest(lines(100_000), 'needle there')).toBe(100_000)
    expect(nearest(lines(100_001), 'needle there')).toBe(0)
    const long = (spaces: number) => [`xx${' '.repeat(spaces)}needle`]
    expect(nearest(long(992), 'yy needle')).toBe(1)
    expect(nearest(long(993), 'yy needle')).toBe(0)
  })

  it('compares a million pairs of lines', () => {
    // With 1,000 lines, 1,000 lines of the piece are compared.
    const lines = Array.from({ length: 1000 }, () => '')
    lines[999] = 'needle'
    const piece = (at: number) => `${'\n'.repeat(at)}needle`
    expect(nearest(lines, piece(999))).toBe(1)
    expect(nearest(lines, piece(1000))).toBe(0)
  })

  it('shows 200 bytes of a line', () => {
    const shown = (length: number) =>
      /the file has "(x*)"/.exec(nearestHint('x'.repeat(length), 'X'))?.[1]?.length
    expect([199, 200, 201].map(shown)).toEqual([199, 200, 200])
  })
})
