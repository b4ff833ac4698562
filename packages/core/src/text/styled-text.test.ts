import { expect, it } from 'vitest'
import { styledWidth, wrapStyled } from './styled-text.ts'

/** `{1}` stands for the sequence `ESC [ 1 m`. */
const styled = (text: string) => text.replace(/\{([0-9;]*)\}/g, '\u001b[$1m')
const rowsOf = (...parameters: Parameters<typeof wrapStyled>) =>
  wrapStyled(...parameters).map((row) => row.replace(/\u001b\[([0-9;]*)m/g, '{$1}'))

it('styles take no columns', () => {
  expect(styledWidth(styled('{1}ab{0} {38;5;1}c{}'))).toBe(4)
})

it.each<[text: string, width: number, rows: string[]]>([
  ['one two three', 7, ['one two', 'three']],
  ['one two three', 6, ['one', 'two', 'three']],
  ['one two three', 8, ['one two', 'three']],
  ['one  two', 3, ['one', 'two']],
  ['one\ttwo', 20, ['one\ttwo']],
  ['  one', 10, ['  one']],
  ['one  ', 10, ['one']],
  ['', 10, ['']],
  ['abcdef', 3, ['abc', 'def']],
  ['a abcdef', 4, ['a', 'abcd', 'ef']],
  ['abcdefg hi', 3, ['abc', 'def', 'g', 'hi']],
  ['中中', 1, ['中', '中']],
  ['中中a', 3, ['中', '中a']],
])('%j wraps at %i columns', (text, width, rows) => {
  expect(rowsOf(text, width)).toEqual(rows)
})

it('the first row and the other rows have their own indents', () => {
  const indents = { first: '- ', rest: '    ' }
  expect(rowsOf('one two three four', 9, indents)).toEqual(['- one two', '    three', '    four'])
})

it('a row holds at least one character if the indent leaves no room', () => {
  const indents = { first: '   ', rest: '   ' }
  expect(rowsOf('ab', 2, indents)).toEqual(['   a', '   b'])
  expect(rowsOf(styled('a{0}'), 2, indents)).toEqual(['   a{0}'])
})

it.each<[text: string, rows: string[]]>([
  ['{1}one two three{22}', ['{1}one two{22}', '{1}three{22}']],
  ['{2}one two three{22}', ['{2}one two{22}', '{2}three{22}']],
  ['{3}one two three{23}', ['{3}one two{23}', '{3}three{23}']],
  ['{4}one two three{24}', ['{4}one two{24}', '{4}three{24}']],
  ['{31}one two three{39}', ['{31}one two{39}', '{31}three{39}']],
  ['{1}one two{22} three four', ['{1}one two{22}', 'three', 'four']],
  ['{3}one two{23} three four', ['{3}one two{23}', 'three', 'four']],
  ['{4}one two{24} three four', ['{4}one two{24}', 'three', 'four']],
  ['{31}one two{39} three four', ['{31}one two{39}', 'three', 'four']],
  ['{1}{31}one{0} two three', ['{1}{31}one{0} two', 'three']],
  ['{1}{31}one{} two three', ['{1}{31}one{} two', 'three']],
  ['{1}{31}one two three', ['{1}{31}one two{39}{22}', '{1}{31}three{39}{22}']],
  ['{1}{31}one{22} two three', ['{1}{31}one{22} two{39}', '{31}three{39}']],
  ['{31}one{22} two three', ['{31}one{22} two{39}', '{31}three{39}']],
  ['one two {1} three', ['one two', '{1}three{22}']],
  ['abcdefg {1} three', ['abcdefg', '{1}three{22}']],
])('a row closes the open styles, and the next one opens them again: %s', (text, rows) => {
  expect(rowsOf(styled(text), 7)).toEqual(rows)
})
