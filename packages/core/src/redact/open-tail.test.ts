import { expect, test } from 'vitest'
import { searchForLiterals } from './literals.ts'
import { lengthBeforeOpenSecret } from './open-tail.ts'

const kept = (text: string, hasExtraRules = false) =>
  text.slice(0, lengthBeforeOpenSecret(text, searchForLiterals(['literal-value']), hasExtraRules))

test.each([
  ['', ''],
  ['the end', 'the end'],
  ['a ghp_ab', 'a '],
  ['a Bearer abc', 'a Bearer '],
  ['a Bearer%20abc', 'a Bearer%20'],
  ['a authorization: abc', 'a authorization: '],
  ['a "Authorization": "abc', 'a "Authorization": '],
  ['a token=abc', 'a token='],
  ['token=abc', 'token='],
  ['a token=abc password=d', 'a token=abc password='],
  ['a https://me:pa', 'a https://'],
  ['a https:\\/\\/me:pa', 'a https:\\/\\/'],
  ['a https://me', 'a https://me'],
  ['a eyJab.cd', 'a '],
  ['eyJab.cd', ''],
  ['eyJab cd', 'eyJab cd'],
  [`a eyJ${'x'.repeat(2000)}`, 'a '],
  ['a liter', 'a '],
  ['a li', 'a li'],
])('%j ends before its incomplete secret: %j', (text, expected) => {
  expect(kept(text)).toBe(expected)
})

test('a text without values of variables is kept', () => {
  expect(lengthBeforeOpenSecret('a liter', undefined, false)).toBe(7)
})

test('rules of the user drop the last word', () => {
  expect(kept('see INT-1', true)).toBe('see ')
  expect(kept('see ', true)).toBe('see ')
})

test('the last 512 characters are searched', () => {
  const before = `${'. '.repeat(50)}https`
  const near = `${before}://u:${'p'.repeat(507)}`
  expect(kept(near)).toBe(`${before}://`)
  expect(kept(`${near}p`)).toBe(`${near}p`)
})
