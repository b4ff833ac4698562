import { describe, expect, test } from 'vitest'
import { labelOf } from '../spans.ts'
import { findTokens, isGenerated, openToken } from './tokens.ts'
import { startsWord } from './words.ts'

function keysIn(text: string): string[] {
  return [...findTokens(text)].map(({ start, end }) => text.slice(start, end))
}

const slack = 'xoxb-1234abcd'
const npm = `npm_${'aB3'.repeat(12)}`
const hex = 'a1b2c3d4'.repeat(4)

describe('the scan of a text', () => {
  test.each(Array.from({ length: 28 }, (_, index) => index))(
    'finds a key of 13 characters at position %i',
    (index) => {
      const text = `${'. '.repeat(14).slice(0, index)}${slack}`
      expect(keysIn(text)).toEqual([slack])
      expect(keysIn(`${text} a`)).toEqual([slack])
    },
  )

  test('finds keys of one run without a gap', () => {
    expect(keysIn(`e2b_${hex}${npm}`)).toEqual([`e2b_${hex}`, npm])
  })

  test.each([...'/:@[`{é\u0080'])('ends a key before %s', (character) => {
    expect(keysIn(`${npm}${character}a`)).toEqual([npm])
    expect(keysIn(`${character}${npm}`)).toEqual([npm])
  })

  test('labels a key by its rule, before all other rules', () => {
    const [span] = findTokens(npm)
    expect(span).toEqual({ start: 0, end: 40, label: labelOf('npm_token', 0, true) })
  })
})

describe('the prefix of a key', () => {
  const key = `LTAI${'aB3d'.repeat(4)}`

  test.each([
    ['a', 18, true],
    ['a', 19, false],
  ])('without a hyphen does not follow base64: %s and %i more', (letter, count, isFound) => {
    const before = `${letter.repeat(count)}/`
    expect(keysIn(before + key)).toEqual(isFound ? [key] : [])
    expect(keysIn(` ${before}${key}`)).toEqual(isFound ? [key] : [])
  })

  test.each([
    [`x${key}`, []],
    [`x.${key}`, [key]],
    [`${'+'.repeat(19)}a/${key}`, []],
  ])('without a hyphen starts a word: %s', (text, keys) => {
    expect(keysIn(text)).toEqual(keys)
  })
})

describe('the body of a key', () => {
  test('is a name if its first 64 characters are words', () => {
    const words = 'abc-'.repeat(16)
    expect(keysIn(`sk-${words}1`)).toEqual([])
    expect(keysIn(`sk-${words.slice(1)}1`)).toEqual([`sk-${words.slice(1)}1`])
  })

  test('is generated if a digit is among the 64 characters after its least length', () => {
    const early = `hf_${'a'.repeat(28 + 63)}1`
    const late = `hf_${'a'.repeat(28 + 64)}1`
    expect(keysIn(early)).toEqual([early])
    expect(keysIn(late)).toEqual([])
  })
})

describe('an incomplete key at the end of a text', () => {
  test.each([
    ['a SG.abc', 2],
    ['a xSG.abc', undefined],
    ['a sk-ab', 2],
    ['a SK', 2],
    ['a xsk-ab', undefined],
    ['a xghp_ab', 3],
    ['see pat', undefined],
    [`a pat${'x'.repeat(9)}`, undefined],
    [`a pat${'x'.repeat(10)}`, 2],
    ['ghp_abc', 0],
    ['ghp_abc ', undefined],
    [`ghp_${'z'.repeat(252)}`, 0],
    [` ghp_${'z'.repeat(252)}`, 1],
    [` ghp_${'z'.repeat(253)}`, undefined],
    ['a -----BEGIN RSA', 2],
    ['a -----BEGI', undefined],
    ['', undefined],
  ])('%j starts at %s', (text, start) => {
    expect(openToken(text)).toBe(start)
  })
})

test.each([
  ['a1', true],
  ['1a', true],
  ['11', false],
  ['1', false],
  ['ab', false],
  ['0a', true],
  ['9a', true],
  ['/a', false],
  [':a', false],
  ['1z', true],
  ['1`', false],
  ['1{', false],
  ['1A', true],
  ['1Z', true],
  ['1@', false],
  ['1[', false],
  ['aBcDeF', true],
  ['aBcDef', false],
  ['BcDeF', false],
  ['ABCDEFGH', false],
  ['aBcDeFghijkl', true],
  ['aBcDeFghijklm', false],
  ['zYzYzYaaaaaa', true],
  ['zZzZzZaaaaaa', true],
  ['zAzAzAaaaaaa', true],
  ['', false],
])('%s looks generated: %s', (text, expected) => {
  expect(isGenerated(text, 0, text.length)).toBe(expected)
})

test('only the given part of a text decides whether it looks generated', () => {
  expect(isGenerated('a1', 0, 1)).toBe(false)
  expect(isGenerated('1ab', 1, 3)).toBe(false)
  expect(isGenerated('1ab1', 1, 4)).toBe(true)
})

test.each([
  ['', 0, true],
  ['a ', 2, true],
  ['a', 1, false],
  ['\\n', 2, true],
  ['\\a', 2, false],
  ['\\u000A', 6, true],
  ['\\x0a', 4, true],
  ['\\X0a', 4, true],
  ['%3D', 3, true],
  ['\u001b[31m', 5, true],
  ['\\x1B[0;31m', 10, true],
  ['[31m', 4, false],
  ['a'.repeat(23), 23, false],
  ['a'.repeat(24), 24, true],
  [` ${'a'.repeat(24)}`, 25, true],
])('after %j a word starts at %i: %s', (text, index, expected) => {
  expect(startsWord(`${text}sk`, index)).toBe(expected)
})
