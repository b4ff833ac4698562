import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileLinear } from './linear-regex.ts'

function matches(source: string, flags: string, text: string): (readonly [number, number])[] {
  const search = compileLinear(source, flags)
  if (typeof search !== 'function') throw new Error(search.what)
  return [...search(text)]
}

function ofV8(source: string, flags: string, text: string): (readonly [number, number])[] {
  const found = [...text.matchAll(new RegExp(source, `g${flags}`))]
  return found
    .filter(([whole]) => whole !== '')
    .map(({ index, 0: whole }) => [index, index + whole.length])
}

describe('the linear-time search', () => {
  test.each([
    ['INT-[0-9]{4,}', '', 'see INT-12345, INT-123 and INT-99999'],
    ['(?:a|ab)(?:c|bcd)(d*)', '', 'abcd abcdd acd'],
    ['^\\w+$', 'm', 'one\ntwo three\nfour'],
    ['\\bcat\\b|\\Bcat', 'i', 'Cat concat cats CAT'],
    ['a{2,3}?', '', 'aaaaaaa'],
    ['(?<year>\\d{4})-\\d\\d', '', 'from 2026-11 to 1999-01'],
    ['\\p{Lu}{2}', 'u', 'ÄÖ ab ÜX'],
    ['[^\\n]+', '', 'a\nb'],
    ['x*', '', 'axxbx'],
    ['.', 'su', 'a\n😀'],
    ['[\\]a]+', '', 'x]a]x'],
  ])('finds what V8 finds with /%s/%s', (source, flags, text) => {
    expect(matches(source, flags, text)).toEqual(ofV8(source, flags, text))
  })

  test('agrees with V8 on random expressions and texts', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '\\b', '^', '$', 'c')
    const suffix = fc.constantFrom('', '', '', '*', '+', '?', '{1,2}', '*?', '+?', '??', '{2}')
    const expression = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        // V8 refuses to repeat an assertion.
        fc.tuple(atom, suffix).map(([a, s]) => (/^(?:\\b|\^|\$)$/.test(a) ? a : a + s)),
        fc.tuple(tie('node'), tie('node')).map(([a, b]) => a + b),
        fc.tuple(tie('node'), tie('node')).map(([a, b]) => `(?:${a}|${b})`),
        fc.tuple(tie('node'), suffix).map(([a, s]) => `(${a})${s}`),
      ),
    })).node
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', '\n'), maxLength: 12 })
    fc.assert(
      fc.property(expression, text, fc.constantFrom('', 'm', 'i', 's'), (source, input, flags) => {
        // V8 gives up an iteration of a loop that matched nothing, which changes priorities.
        fc.pre(!/\)[*+{?]/.test(source))
        expect(matches(source, flags, input)).toEqual(ofV8(source, flags, input))
      }),
      { numRuns: 3000 },
    )
  })

  test('takes linear time where V8 backtracks', () => {
    expect(matches('(?:a+)+b', '', 'a'.repeat(20_000))).toEqual([])
    expect(matches('(?:a|b)*c', '', 'ab'.repeat(100_000))).toEqual([])
  })

  test.each([
    ['a(?=b)', 1, 'look-around'],
    ['x(?<!y)', 1, 'look-around'],
    ['(a)\\1', 3, 'backreference'],
    ['(?:a{1000}){1000}', 0, 'repetitions'],
  ])('refuses /%s/ with its position', (source, index, what) => {
    const refused = compileLinear(source, '')
    expect(refused).toMatchObject({ index })
    expect((refused as { what: string }).what).toContain(what)
  })
})
