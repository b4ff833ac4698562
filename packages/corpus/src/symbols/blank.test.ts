import { describe, expect, test } from 'vitest'
import * as blank from './blank.ts'
import type { Handler } from './blank.ts'

/** The blanked text with dots for spaces, and the offset after it. */
function run(text: string, at: number, handler: Handler): [text: string, end: number] {
  const bytes = Buffer.from(text)
  const end = handler(bytes, at)
  return [bytes.toString().replaceAll(' ', '.'), end]
}

const nested: Handler = (bytes, at) =>
  blank.blockComment(bytes, at, { open: '/*', close: '*/', nests: true })
const flat: Handler = (bytes, at) =>
  blank.blockComment(bytes, at, { open: '=b', close: '=e', nests: false })
const long: Handler = (bytes, at) =>
  blank.longString(bytes, at, { open: "'''", close: "'''", escapes: true })
const raw: Handler = (bytes, at) =>
  blank.longString(bytes, at, { open: '"', close: '"#', escapes: false })

describe('a handler blanks', () => {
  test.each<[name: string, text: string, at: number, clean: string, end: number, handler: Handler]>(
    [
      ['a line comment', 'a//b\nc', 1, 'a...\nc', 4, blank.lineComment],
      ['a last line comment', '#b', 0, '..', 2, blank.lineComment],
      ['a slash comment', 'a//b\nc', 1, 'a...\nc', 4, blank.slashComments(false)],
      ['a star comment', 'a/*b\nc*/d', 1, 'a...\n...d', 8, blank.slashComments(false)],
      ['a star comment of stars', '/***/a', 0, '.....a', 5, blank.slashComments(false)],
      ['no closed star comment', '/*/a*/b', 0, '......b', 6, blank.slashComments(false)],
      ['an open star comment', '/*a\nb', 0, '...\n.', 5, blank.slashComments(false)],
      ['only flat star comments', '/*/*a*/b*/', 0, '.......b*/', 7, blank.slashComments(false)],
      ['nested comments', '/*/*a*/b*/c', 0, '..........c', 10, blank.slashComments(true)],
      ['no single slash', 'a/b', 1, 'a/b', 2, blank.slashComments(true)],
      ['what a fallback handles', 'a/b', 1, 'a/b', 9, blank.slashComments(true, () => 9)],
      ['two nested comments', '/*/**//**/a*/b', 0, '.............b', 13, nested],
      ['a nested comment that stays open', '/*/*a*/b', 0, '........', 8, nested],
      ['the first of two comments', '/*a*/b/*c*/', 0, '.....b/*c*/', 5, nested],
      ['a comment with words', 'a=b=b=ec', 1, 'a......c', 7, flat],
      ['an open comment with words', '=bc\nd', 0, '...\n.', 5, flat],
      ['a string on one line', 'a"b\\"c"d', 1, 'a"...."d', 7, blank.lineString],
      ['an empty string', '""a', 0, '""a', 2, blank.lineString],
      ['a string over an escaped line end', '"a\\\nb"c', 0, '"..\n."c', 6, blank.lineString],
      ['no quote without a partner', '"a\nb"', 0, '"a\nb"', 1, blank.lineString],
      ['a long string', "'''a\n'b'''c", 0, "'''.\n..'''c", 10, long],
      ['a long string with an escape', "'''\\''''''a", 0, "'''..'''''a", 8, long],
      ['an open long string', "'''a\\", 0, "'''..", 5, long],
      ['a raw string', '"a\\"b"#c', 0, '"...."#c', 7, raw],
      ['a character', "'a'b", 0, "'.'b", 3, blank.charLiteral],
      ['an escaped character', "'\\''b", 0, "'..'b", 4, blank.charLiteral],
      ['a character of two bytes', "'é'b", 0, "'..'b", 4, blank.charLiteral],
      ['a character of three bytes', "'€'b", 0, "'...'b", 5, blank.charLiteral],
      ['a character of four bytes', "'😀'b", 0, "'....'b", 6, blank.charLiteral],
      ['no lifetime', "'ab'", 0, "'ab'", 1, blank.charLiteral],
      ['no line end', "'\n'", 0, "'\n'", 1, blank.charLiteral],
      ['a triple string', '"""a"b\n"""c', 0, '"""...\n"""c', 10, blank.tripleOrLine(true)],
      ['a raw triple string', '"""a\\"""b', 0, '""".."""b', 8, blank.tripleOrLine(false)],
      ['a simple string', '"a"b', 0, '"."b', 3, blank.tripleOrLine(true)],
    ],
  )('%s', (_, text, at, clean, end, handler) => {
    blank.createBlanker({})(Buffer.from(''))
    expect(run(text, at, handler)).toEqual([clean, end])
  })
})

describe('a blanker', () => {
  const clean = (text: string | Buffer, lexicon: blank.Lexicon = {}): string => {
    const bytes = Buffer.from(text)
    blank.createBlanker(lexicon)(bytes)
    return bytes.toString('latin1')
  }

  test.each([
    ['\ufeffa', '   a'],
    ['a\ufeff', 'a\xef\xbb\xbf'],
    ['a\r\nb\rc\n\r\r', 'a \nb\nc\n\n\n'],
    ['a\r', 'a\n'],
    ['\r\n\r\n', ' \n \n'],
    ['', ''],
    ['a\nb', 'a\nb'],
  ])('makes %j ready to scan', (text, expected) => {
    expect(clean(text)).toBe(expected)
  })

  test('continues at the offset that a handler returns, and at least one byte later', () => {
    const visited: number[] = []
    const handler: Handler = (_, at) => {
      visited.push(at)
      return at === 1 ? 4 : 0
    }
    clean('xaaaaa', { a: handler })
    expect(visited).toEqual([1, 4, 5])
  })

  test('forgets the quotes of the file before', () => {
    const lexicon = { '"': blank.lineString }
    expect(clean('"\\"\\"\\"\\"\\"', lexicon)).toBe('"\\"\\"\\"\\"\\"')
    expect(clean('"a"', lexicon)).toBe('" "')
  })
})

test.each<[text: string, at: number, start: string, isThere: boolean]>([
  ['abc', 0, 'ab', true],
  ['abc', 1, 'bc', true],
  ['abc', 1, 'bcd', false],
  ['abc', 0, 'b', false],
  ['abc', 0, 'ac', false],
  ['abc', 0, '', true],
])('startsWith of %j at %i: %j is %s', (text, at, start, isThere) => {
  expect(blank.startsWith(Buffer.from(text), at, start)).toBe(isThere)
})

test.each([
  ['a\nb', 0, 1],
  ['a\nb', 1, 1],
  ['a\nb', 2, 3],
  ['', 0, 0],
])('the end of the line in %j from %i is %i', (text, at, end) => {
  expect(blank.lineEnd(Buffer.from(text), at)).toBe(end)
})
