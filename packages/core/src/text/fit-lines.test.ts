import { expect, it } from 'vitest'
import { fitLines } from './fit-lines.ts'

const terminal = { isTTY: true, columns: 20 }

it('a long line continues at the next word, indented more than its start', () => {
  expect(fitLines(['  one two three four five', 'short'], terminal)).toEqual([
    '  one two three four',
    '    five',
    'short',
  ])
})

it('a line with a word that is wider than the terminal stays whole', () => {
  const line = 'output: /a/path/that/is/longer/than/the/terminal'
  expect(fitLines([line], terminal)).toEqual([line])
})

it('a pipe gets lines as they are', () => {
  const line = 'one two three four five six seven'
  expect(fitLines([line], { isTTY: false, columns: 20 })).toEqual([line])
})

it.each<[what: string, line: string, lines: string[]]>([
  ['of the width of the terminal', 'one two three four  ', ['one two three four  ']],
  ['with a word of 18 columns', `one ${'b'.repeat(18)} c`, ['one', `  ${'b'.repeat(18)}`, '  c']],
  ['with a word of 19 columns', `one ${'b'.repeat(19)} c`, [`one ${'b'.repeat(19)} c`]],
])('a line %s is wrapped or stays', (_what, line, lines) => {
  expect(fitLines([line], terminal)).toEqual(lines)
})

it('a terminal of unknown width has 80 columns', () => {
  const line = `${'a'.repeat(40)} ${'b'.repeat(39)}`
  expect(fitLines([line], { isTTY: true, columns: 0 })).toEqual([line])
  expect(fitLines([`${line}b`], { isTTY: true, columns: 0 })).toEqual([
    'a'.repeat(40),
    `  ${'b'.repeat(40)}`,
  ])
})
