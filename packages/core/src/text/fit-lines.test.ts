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
