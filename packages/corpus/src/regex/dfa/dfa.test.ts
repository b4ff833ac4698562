import { describe, expect, test } from 'vitest'
import { byEngine, withoutAutomaton } from '../../../test/support/engines.ts'
import { kernelMatcher } from '../../../test/support/kernel-matcher.ts'
import { rangesOf, wordRanges } from '../code-points.ts'
import { parseRegex } from '../parse/parse.ts'
import { bufferLines } from './dfa.ts'

describe('an automaton and every other engine', () => {
  test.each([
    ['^$', 'a\r\n\r\nb\r\rc\n\n', [2, 4, 6]],
    ['x*', 'a\r\nb\rc', [1, 2, 3]],
    ['x*', '', []],
    ['$', '\n', [1]],
    ['\\B', 'a\n\nab', [3]],
    ['\\bfoo$', 'foo\r\n foo\nafoo', [1, 2]],
    ['foo\\b', 'foox\nfoo\n', [2]],
    ['^\\b^foo', ' foo\nfoo', [2]],
    ['a\\n|\\r', 'a\r\na', []],
    ['a|(?:[^\\s]1|a|a)+', '\u00a01', []],
    ['^.$', '😀\n\xe9\n', [1, 2]],
  ])('search for %s in %j and find lines %j', (pattern, text, expected) => {
    const { lines } = byEngine(pattern, Buffer.from(text))
    for (const found of Object.values(lines)) expect(found).toEqual(expected)
  })

  test('treat ill-formed bytes as the characters that decoding produces', () => {
    const texts = [
      [0xe2, 0x82, 0x61],
      [0xe2, 0x82],
      [0xe0, 0x80],
      [0xf0, 0x9f, 0x98, 0xe2, 0x82, 0xac],
    ]
    texts.push([0xed, 0xa0, 0x80], [0xc3, 0x0a, 0xa9], [0xf4, 0x90, 0x80, 0x80], [0xff, 0xfe, 0xfd])
    // The first and last sequences of each length, and those just outside.
    texts.push([0xc1, 0xbf], [0xc2, 0x80], [0xdf, 0xbf], [0xe0, 0x9f, 0xbf], [0xe0, 0xa0, 0x80])
    texts.push([0xe1, 0x80, 0x80], [0xec, 0xbf, 0xbf], [0xed, 0x9f, 0xbf], [0xee, 0x80, 0x80])
    texts.push([0xef, 0xbf, 0xbf], [0xf0, 0x8f, 0xbf, 0xbf], [0xf0, 0x90, 0x80, 0x80])
    texts.push([0xf1, 0x80, 0x80, 0x80], [0xf3, 0xbf, 0xbf, 0xbf], [0xf4, 0x8f, 0xbf, 0xbf])
    texts.push([0xf5, 0x80, 0x80, 0x80])
    // In one text, bytes of one class share what the automaton has learned.
    const lines = texts.map((text) => [...text, 0x0a])
    texts.push(lines.flat(), lines.toReversed().flat())
    for (const bytes of texts.map((one) => Buffer.from(one))) {
      for (const pattern of ['^.$', '^..$', '^...$', '^....$', '\\ufffd$', '^\\ufffd+.$']) {
        const { lines } = byEngine(pattern, bytes)
        for (const found of Object.values(lines)) expect(found, pattern).toEqual(lines.brute)
      }
    }
  })
})

describe('an interleaved search of a long text', () => {
  test.each(['\n', '\r\n', '\r'])('reports each line once (line end %j)', (lineEnd) => {
    const forms = ['best', 'scalar'] as const
    for (let at = 0; at < 120; at++) {
      for (const pattern of ['\\bneedle\\b', '^$', 'needle\\b.*$']) {
        // Over all rounds the middle of the text falls on every byte of a line.
        const lines = Array.from({ length: 120 }, () => 'some words of text')
        lines[0] = 'y'.repeat(at + 1)
        lines[at] = pattern === '^$' ? '' : 'needle in the middle of it'
        const bytes = Buffer.from(`${lines.join(lineEnd)}${lineEnd}`)
        for (const form of forms) {
          expect(kernelMatcher(parseRegex(pattern), form)?.(bytes)).toEqual([at + 1])
        }
      }
    }
  })
})

describe('time and memory of an automaton', () => {
  const run = (pattern: string, text: string): number[] | undefined =>
    bufferLines(parseRegex(pattern), '')?.(Buffer.from(text), Infinity)

  test('patterns that backtrack exponentially elsewhere take one pass', () => {
    const text = `${'a'.repeat(100_000)}b\n`
    expect(run('(a+)+$', text)).toEqual([])
    expect(run('(a|aa)+$', text)).toEqual([])
    expect(run('(x+x+)+y', 'x'.repeat(50_000))).toEqual([])
    expect(run('(?:a{1,20}){1,20}c', text)).toEqual([])
    expect(run('(?i)(a*)*b$', text)).toEqual([1, 1])
  })

  test('a pattern with an exploding number of states gives up within its budget', () => {
    let seed = 1
    const letters = Array.from({ length: 400_000 }, () => {
      seed = (seed * 1103515245 + 12345) % 2147483648
      return seed % 7 < 3 ? 'a' : 'b'
    })
    expect(run('^.*a.{300}c.{300}d', letters.join(''))).toBeUndefined()
  })

  test('a full table is cleared and refilled with the same result', () => {
    const regex = parseRegex('(?:ab|b)*a.{9}c')
    const words = Array.from({ length: 6000 }, (_, at) => (at * 7919) % 1024)
    const text = words.map((one) => one.toString(2).replaceAll('0', 'a').replaceAll('1', 'b'))
    const bytes = Buffer.from(`${text.join('')}c\n${text.join('c\n')}`)
    const pairs = withoutAutomaton('(?:ab|b)*a.{9}c').lines(bytes, Infinity)
    const expected = pairs.filter((_, at) => at % 2 === 0)
    expect(kernelMatcher(regex, 'best', 64 << 10)?.(bytes)).toEqual(expected)
  })

  test.each([
    '(?=a)',
    '(a)\\1',
    '(?>a)',
    'a++',
    '(a)?(?(1)b|c)',
    'a{5000}',
    '(a{100}){100}',
    '(?:){4000000000}',
    '(?:|a){4000000000}',
  ])('%s is left to another engine', (pattern) => {
    expect(bufferLines(parseRegex(pattern), '')).toBeUndefined()
  })
})

describe('code point ranges', () => {
  test('equal the character classes of V8 over all of Unicode', () => {
    const bounds = (ranges: readonly number[], expression: RegExp): void => {
      for (let code = 0, at = 0; code <= 0x10ffff; code++) {
        if (code >= 0xd800 && code <= 0xdfff) continue
        while (at < ranges.length && (ranges[at + 1] as number) < code) at += 2
        const isIn = at < ranges.length && (ranges[at] as number) <= code
        if (isIn !== expression.test(String.fromCodePoint(code))) throw new Error(`${code}`)
      }
    }
    bounds(wordRanges(false), /[\p{L}\p{N}_]/u)
    const digit = { kind: 'class', name: 'd', negated: true, ascii: false } as const
    bounds(rangesOf({ kind: 'set', items: [digit], negated: false, fold: 'none' }), /\P{Nd}/u)
  })
})
