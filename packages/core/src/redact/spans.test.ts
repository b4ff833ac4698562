import { describe, expect, test } from 'vitest'
import { labelOf, redactionMarks, replaceSpans } from './spans.ts'
import type { Span } from './spans.ts'

const one = labelOf('one', 1, false)
const two = labelOf('two', 2, false)
const exact = labelOf('exact', 0, true)
const span = (start: number, end: number, label = one): Span => ({ start, end, label })

function replaced(text: string, ...spans: Span[]): [text: string, applied: string[]] {
  const applied = new Set<string>()
  return [replaceSpans(text, spans, applied), [...applied]]
}

test('a label has the mark of its name', () => {
  expect(labelOf('my_rule-1', 7, true)).toEqual({
    name: 'my_rule-1',
    replacement: '[REDACTED:MY_RULE-1]',
    rank: 7,
    precise: true,
  })
})

describe('overlapping spans', () => {
  test.each<[what: string, spans: Span[], text: string, applied: string[]]>([
    ['none', [], 'abcdefghijkl', []],
    ['one', [span(2, 4)], 'ab[REDACTED:ONE]efghijkl', ['one']],
    [
      'in any order',
      [span(8, 9), span(2, 4, two)],
      'ab[REDACTED:TWO]efgh[REDACTED:ONE]jkl',
      ['two', 'one'],
    ],
    ['that touch', [span(2, 4), span(4, 6)], 'ab[REDACTED:ONE][REDACTED:ONE]ghijkl', ['one']],
    ['that overlap', [span(2, 5), span(4, 6, two)], 'ab[REDACTED:ONE]ghijkl', ['one']],
    ['the longer later', [span(2, 5), span(4, 8, two)], 'ab[REDACTED:TWO]ijkl', ['two']],
    ['of one length', [span(2, 5, two), span(3, 6)], 'ab[REDACTED:TWO]ghijkl', ['two']],
    ['the same range', [span(2, 5, two), span(2, 5)], 'ab[REDACTED:ONE]fghijkl', ['one']],
    ['of one start', [span(2, 4), span(2, 6, two)], 'ab[REDACTED:TWO]ghijkl', ['two']],
    ['inside', [span(1, 9), span(3, 5, two)], 'a[REDACTED:ONE]jkl', ['one']],
    ['precise inside', [span(1, 9), span(3, 5, exact)], 'a[REDACTED:ONE]jkl', ['one', 'exact']],
    [
      'precise before a longer one',
      [span(1, 4, exact), span(3, 9)],
      'a[REDACTED:ONE]jkl',
      ['one', 'exact'],
    ],
    [
      'three, the last beside the first',
      [span(1, 4), span(3, 9, two), span(8, 10)],
      'a[REDACTED:TWO]kl',
      ['two'],
    ],
    [
      'three, the second the longest',
      [span(0, 3), span(2, 7, two), span(5, 9)],
      '[REDACTED:TWO]jkl',
      ['two'],
    ],
  ])('become one: %s', (_what, spans, text, applied) => {
    expect(replaced('abcdefghijkl', ...spans)).toEqual([text, applied])
  })
})

describe('marks in a text', () => {
  test.each<[text: string, marks: [number, number][]]>([
    ['no marks', []],
    ['a [REDACTED:X] b', [[2, 14]]],
    ['⟦secret:a-b:12⟧ b', [[0, 15]]],
    [
      '[REDACTED:A][REDACTED:B]',
      [
        [0, 12],
        [12, 24],
      ],
    ],
    ['[REDACTED:a]', []],
    ['REDACTED:X', []],
  ])('%j have these positions', (text, marks) => {
    expect(redactionMarks(text)).toEqual(marks)
  })

  test.each<[text: string, start: number, end: number, expected: string]>([
    ['abc[REDACTED:X]', 0, 3, '[REDACTED:ONE][REDACTED:X]'],
    ['[REDACTED:X]abc', 12, 15, '[REDACTED:X][REDACTED:ONE]'],
    ['[REDACTED:X]abc[REDACTED:Y]', 12, 15, '[REDACTED:X][REDACTED:ONE][REDACTED:Y]'],
    ['[REDACTED:X]', 0, 12, '[REDACTED:X]'],
    ['[REDACTED:X]', 2, 8, '[REDACTED:X]'],
    ['abcde[REDACTED:X]abcde', 0, 22, 'abcde[REDACTED:X]abcde'],
    ['abcdef[REDACTED:X]abcde', 0, 23, '[REDACTED:ONE][REDACTED:X]abcde'],
    ['abcde[REDACTED:X]abcdef', 0, 23, 'abcde[REDACTED:X][REDACTED:ONE]'],
    [
      'abcdef[REDACTED:X]ghijkl[REDACTED:Y]mnopqr',
      0,
      42,
      '[REDACTED:ONE][REDACTED:X][REDACTED:ONE][REDACTED:Y][REDACTED:ONE]',
    ],
    [
      'a[REDACTED:X]b[REDACTED:Y]c[REDACTED:Z]d',
      26,
      27,
      'a[REDACTED:X]b[REDACTED:Y][REDACTED:ONE][REDACTED:Z]d',
    ],
  ])('%j stay when the range from %i to %i is replaced', (text, start, end, expected) => {
    expect(replaced(text, span(start, end))[0]).toBe(expected)
  })
})

test('a caller may choose the replacement by the rule and the value', () => {
  const applied = new Set<string>()
  const text = replaceSpans('abcdef', [span(1, 3)], applied, (rule, value) => `<${rule} ${value}>`)
  expect(text).toBe('a<one bc>def')
})
