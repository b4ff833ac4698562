import { describe, expect, test } from 'vitest'
import { sha256 } from '../hash.ts'
import { contextLine, cutHit, lineHit, textChars } from './hit.ts'
import type { HitForm, LineHit } from './hit.ts'

/** A hit, from the lines of the text and the characters of the line. */
function expectedHit(
  lines: readonly string[],
  line: number,
  match: number,
  form: HitForm,
): LineHit {
  const text = lines[line - 1] as string
  const chars = [...text]
  const { maxLineChars: max, context, hash, rev } = form
  const from = Math.max(0, Math.min(match - Math.floor(max / 4), chars.length - max))
  const part = {
    text: chars.slice(from, from + max).join(''),
    text_truncated: true as const,
    column: match + 1,
    text_column: from + 1,
  }
  const around = lines
    .map((each, at) => ({ line: at + 1, each: [...each] }))
    .filter((each) => Math.abs(each.line - line) <= context)
    .map(({ line: at, each }) =>
      each.length <= max
        ? { line: at, text: each.join('') }
        : { line: at, text: each.slice(0, max).join(''), text_truncated: true as const },
    )
  return {
    path: 'p',
    line,
    ...(chars.length <= max ? { text } : part),
    ...(hash ? { sha256: sha256(text) } : {}),
    ...(rev === undefined ? {} : { cite: `${rev}:p:${line}` }),
    ...(context > 0 ? { context: around } : {}),
  }
}

const samples = [
  'plain text with a needle inside of it',
  'needle first',
  'at the end there is a needle',
  'needle',
  'é漢😀 needle 漢漢😀😀é',
  '😀😀😀😀😀😀😀😀needle',
  '',
]

describe.each(['\n', '\r\n', '\r'])('a hit in lines that end with %j', (end) => {
  const bytes = Buffer.from(samples.join(end) + end)
  const starts = samples.map((_, at) =>
    Buffer.byteLength(samples.slice(0, at).join(end) + (at > 0 ? end : '')),
  )
  const forms: HitForm[] = [1, 2, 3, 4, 5, 7, 8, 11, 12, 13, 20, 27, 28, 29, 36, 37, 38].flatMap(
    (maxLineChars) => [
      { maxLineChars, context: 0, hash: false },
      { maxLineChars, context: 0, hash: true },
      { maxLineChars, context: 0, hash: false, rev: 'abc' },
      { maxLineChars, context: 1, hash: false },
      { maxLineChars, context: 2, hash: true, rev: 'abc' },
      { maxLineChars, context: 99, hash: false },
    ],
  )
  test.each(samples.map((text, at) => ({ text, at })))(
    'has the text, cut around the match: $text',
    ({ text, at }) => {
      const start = starts[at] as number
      const found = { line: at + 1, start, end: start + Buffer.byteLength(text) }
      const offset = text.indexOf('needle')
      const match = [...text.slice(0, Math.max(0, offset))].length
      const matchOffset = start + Buffer.byteLength(text.slice(0, Math.max(0, offset)))
      for (const form of forms) {
        const expected = expectedHit(samples, at + 1, match, form)
        expect(lineHit('p', bytes, { ...found, matchOffset }, form)).toEqual(expected)
        expect(lineHit('p', bytes, { ...found, column: match + 1 }, form)).toEqual(expected)
        const first = expectedHit(samples, at + 1, 0, form)
        expect(lineHit('p', bytes, found, form)).toEqual(first)
      }
    },
  )
})

test('a text without a last line end has the same context', () => {
  const bytes = Buffer.from('a\nb\nc')
  const form = { maxLineChars: 9, context: 1, hash: false }
  expect(lineHit('p', bytes, { line: 3, start: 4, end: 5 }, form).context).toEqual([
    { line: 2, text: 'b' },
    { line: 3, text: 'c' },
  ])
  expect(lineHit('p', bytes, { line: 1, start: 0, end: 1 }, form).context).toEqual([
    { line: 1, text: 'a' },
    { line: 2, text: 'b' },
  ])
})

test('the context comes from the caller where the bytes are a part of a file', () => {
  const form = { maxLineChars: 9, context: 1, hash: false }
  const around = [{ line: 7, text: 'x' }]
  const hit = lineHit('p', Buffer.from('a'), { line: 8, start: 0, end: 1 }, form, () => around)
  expect(hit).toEqual({ path: 'p', line: 8, text: 'a', context: around })
})

test('a line that is not well-formed UTF-8 is cut by its replaced characters', () => {
  const bytes = Buffer.concat([Buffer.from([0xff]), Buffer.from('abcdefghij')])
  const form = { maxLineChars: 4, context: 0, hash: false }
  const found = { line: 1, start: 0, end: bytes.length, matchOffset: 5 }
  expect(lineHit('p', bytes, found, form)).toEqual({
    ...{ path: 'p', line: 1, text: 'defg', text_truncated: true, column: 6, text_column: 5 },
  })
})

test.each([
  ['abc', 3, { line: 7, text: 'abc' }],
  ['abc', 2, { line: 7, text: 'ab', text_truncated: true }],
  ['😀é', 2, { line: 7, text: '😀é' }],
  ['😀é', 1, { line: 7, text: '😀', text_truncated: true }],
  ['', 0, { line: 7, text: '' }],
])('a line of context %j is cut to %i characters', (text, max, expected) => {
  expect(contextLine(7, text, max)).toEqual(expected)
})

const hit: LineHit = { path: 'p', line: 2, text: '😀bc' }
const context = [
  { line: 1, text: 'one' },
  { line: 2, text: '' },
  { line: 3, text: '😀' },
]

test('the characters of a hit are those of its text and of its context', () => {
  expect(textChars(hit)).toBe(3)
  expect(textChars({ ...hit, context })).toBe(7)
})

test.each([
  [9, hit],
  [3, hit],
  [2, { ...hit, text: '😀b', text_truncated: true }],
  [0, { ...hit, text: '', text_truncated: true }],
])('a hit is cut to %i characters', (chars, expected) => {
  expect(cutHit(hit, chars)).toEqual(expected)
})

test.each([
  [7, [context[0], context[2]]],
  [6, [context[0]]],
  [5, [{ line: 1, text: 'on', text_truncated: true }]],
  [3, []],
])('a hit with context is cut to %i characters: its text first', (chars, rest) => {
  expect(cutHit({ ...hit, context }, chars)).toEqual({ ...hit, context: rest })
})
