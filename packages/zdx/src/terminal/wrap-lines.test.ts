import { expect, it } from 'vitest'
import { wrapLines } from './wrap-lines.ts'

const text = 'some words that are longer than a row\n  key  more words that are long'

it('wraps lines at spaces below their start on a terminal', () => {
  expect(wrapLines({ isTTY: true, columns: 25 }, text).split('\n')).toEqual([
    'some words that are',
    '  longer than a row',
    '  key  more words that',
    '    are long',
  ])
})

it('leaves a line with a word that fits into no row to the terminal, and a pipe alone', () => {
  const path = `see ${'/folder'.repeat(5)} for more`
  expect(wrapLines({ isTTY: true, columns: 25 }, path)).toBe(path)
  expect(wrapLines({ columns: 25 }, text)).toBe(text)
})
