import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { compileRegex } from './regex.ts'
import { prepareSearch } from './search.ts'

/** Column of the match in one line; 0 if none. */
function column(pattern: string, line: string, ignoreCase = false): number {
  const { program } = compileRegex(pattern, { lines: true, ignoreCase })
  return prepareSearch(program).lines(Buffer.from(`${line}\n`), 1)[1] ?? 0
}

function problem(pattern: string): string {
  try {
    compileRegex(pattern, { lines: true })
  } catch (error) {
    return (error as Error).message
  }
  return 'none'
}

describe('the pattern language', () => {
  test.each([
    ['(?i)needle', 'a NEEDLE', 3],
    ['(?i:n)eedle', 'Needle', 1],
    ['(?i:n)eedle', 'NEEDLE', 0],
    ['(?i)a(?-i:B)', 'AB', 1],
    ['(?i)a(?-i:B)', 'ab', 0],
    ['(?s)a.b', 'a b', 1],
    ['(?m)^b$', 'b', 1],
    ['(?x) a b # comment', 'ab', 1],
    ['(?ix) A\\ b', 'a B', 1],
    ['(?P<q>[\'"])x(?P=q)', `'x"x"`, 3],
    ['\\Aab\\Z', 'ab', 1],
    ['\\Ab', 'ab', 0],
    ['^$', '', 1],
    ['(?a)\\w', 'é', 0],
    ['\\w+', '- élan', 3],
    ['\\bélan\\b', 'un élan!', 4],
    ['\\bb', 'éb', 0],
    ['\\d', '٣', 1],
    ['\\s', '\u00a0', 1],
    ['[^\\W\\d_]', '1_é', 3],
    ['[\\s\\S]', 'x', 1],
    ['.', '😀', 1],
    ['^.$', '😀', 1],
    ['b', '😀b', 2],
    ['\\-\\_\\"\\\'\\#\\ \\/\\@\\%', `-_"'# /@%`, 1],
    ['[\\-\\_\\]]', ']', 1],
    ['a{,2}b', 'aab', 1],
    ['a{', 'a{', 1],
    ['a{}', 'a{}', 1],
    ['a{x}', 'a{x}', 1],
    ['a{1,x', 'a{1,x', 1],
    ['x{2,}', 'axx', 2],
    ['\\x41\\u00e9\\U0001f600\\101\\07', 'Aé😀A\u0007', 1],
    ['[\\x41-\\x43]', 'zB', 2],
    ['[]a]', ']', 1],
    ['[^]a]', ']b', 2],
    ['[a-]', '-', 1],
    ['a(?#note)*b', 'aab', 1],
    ['(?=b)b', 'ab', 2],
    ['a(?!b)', 'abac', 3],
    ['(?<=a)b', 'bab', 3],
    ['(?<!a)b', 'abb', 3],
    ['(?<=a+)b', 'aab', 3],
    ['(a)(b)\\2\\1', 'xabba', 2],
    ['(?>a+)a', 'aaa', 0],
    ['(?>a|ab)c', 'abc', 0],
    ['a++a', 'aaa', 0],
    ['a?+a', 'a', 0],
    ['a{1,2}+a', 'aaa', 1],
    ['(?>(a+)b)\\1', 'aabaa', 1],
    ['(x)(?>(y)+)z\\2\\1', 'xyyyzyx', 1],
    ['(?:^)*a', 'a', 1],
    ['(?=a)*b', 'b', 1],
  ])('%s on %s matches at column %i', (pattern, line, expected) => {
    expect(column(pattern, line)).toBe(expected)
  })

  test.each([
    ['(a)?b\\1', 'b', 0],
    ['(a)?b\\1', 'aba', 1],
    ['(?:(a)|b)*\\1', 'abab', 1],
    ['(a)?(?(1)b|c)', 'c', 1],
    ['^(a)?(?(1)b|c)$', 'ac', 0],
    ['^(?P<o>\\()?x(?(o)\\))$', '(x)', 1],
    ['^(?P<o>\\()?x(?(o)\\))$', '(x', 0],
    ['(?i)(a)\\1', 'aA', 1],
    ['(?<=a++)b', 'aab', 3],
    ['(a*)+\\1b', 'aab', 1],
    ['(?:(a)|(b)){2}\\1\\2', 'abab', 1],
    ['(?:(?=(a))|b)*?c\\1', 'bca', 0],
  ])('%s on %s matches as in Python, at column %i', (pattern, line, expected) => {
    expect(compileRegex(pattern, { lines: true }).program.engine).toBe('fallback')
    expect(column(pattern, line)).toBe(expected)
  })

  test.each([
    ['k', '\u212a'],
    ['S', '\u017f'],
    ['i', '\u0130'],
    ['\u0131', 'I'],
    ['É', 'é'],
    ['σ', 'ς'],
    ['[à-ö]', 'Ñ'],
    ['[^x]', 'y'],
  ])('%s matches %s when case is ignored', (pattern, line) => {
    expect(column(pattern, line, true)).toBe(1)
  })

  test('case folding never maps one character to several', () => {
    expect(column('ß', 'SS', true)).toBe(0)
    expect(column('[^x]', 'X', true)).toBe(0)
    expect(column('(?a)k', '\u212a', true)).toBe(0)
  })

  test('a match never crosses a line end, and every matching line is found once', () => {
    const { program } = compileRegex('a\\s*b|[^x]$|^\\s|z\\n', { lines: true })
    const found = prepareSearch(program).lines(Buffer.from('a\nb\r\nx\rax b\n\nxz\n zx'), 99)
    expect(found).toEqual([1, 1, 2, 1, 4, 4, 6, 2, 7, 1])
  })

  test('an empty file has no line to match, and a final line end adds none', () => {
    const search = prepareSearch(compileRegex('x*', { lines: true }).program)
    expect(search.lines(Buffer.from(''), 9)).toEqual([])
    expect(search.lines(Buffer.from('\n'), 9)).toEqual([1, 1])
    expect(search.lines(Buffer.from('a\n\nb'), 9)).toEqual([1, 1, 2, 1, 3, 1])
  })

  test('the prefilter by required text does not change the result', () => {
    const lines = ['xfoobar1', 'foo', 'bar foobar', 'foobar😀', 'é foobar7', 'FOOBAR1', '']
    const bytes = Buffer.from(lines.join('\r\n'))
    const found = (pattern: string): number[] =>
      prepareSearch(compileRegex(pattern, { lines: true }).program).lines(bytes, 99)
    expect(found('foobar\\d')).toEqual([1, 2, 5, 3])
    expect(found('.*foobar\\d')).toEqual([1, 1, 5, 1])
    expect(found('^foobar.$')).toEqual([4, 1])
    expect(found('(?<=\\s)foobar(?!\\d)')).toEqual([3, 5])
    expect(found('.*?o+$|.+r$')).toEqual([2, 1, 3, 1])
  })

  test('searching many lines at once finds the same as searching each line alone', () => {
    const piece = fc.constantFrom(
      ...['a', 'b', '.', '\\w', '\\s', '\\b', '^', '$', '[^a]', '(a|b)', '(?:ab)?', 'a*', 'b+?'],
      ...['(?!a)', '(?<=b)', '(?<!a)', '(?>a*)', '\\B', '\\S++', '\\W', '(?i:A)', '\\d', 'é'],
    )
    const patterns = fc.array(piece, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''))
    const line = fc.string({
      unit: fc.constantFrom('a', 'b', 'A', ' ', 'é', '1', '😀'),
      maxLength: 6,
    })
    fc.assert(
      fc.property(patterns, fc.array(line, { maxLength: 6 }), (pattern, lines) => {
        const search = prepareSearch(compileRegex(pattern, { lines: true }).program)
        const whole = search.lines(Buffer.from(lines.map((one) => `${one}\n`).join('')), 99)
        const single = lines.flatMap((one, index) => {
          const at = search.lines(Buffer.from(`${one}\n`), 1)[1]
          return at === undefined ? [] : [index + 1, at]
        })
        expect(whole).toEqual(single)
      }),
      { numRuns: 1500 },
    )
  })
})

describe('a malformed pattern is rejected with a message and a position', () => {
  test.each([
    ['(', 'missing ), unterminated subpattern at position 0'],
    ['a(b', 'missing ), unterminated subpattern at position 1'],
    [')', 'unbalanced parenthesis at position 0'],
    ['*a', 'nothing to repeat at position 0'],
    ['{,3}', 'nothing to repeat at position 0'],
    ['a|*', 'nothing to repeat at position 2'],
    ['^*', 'nothing to repeat at position 1'],
    ['a**', 'multiple repeat at position 2'],
    ['a{2}{3}', 'multiple repeat at position 4'],
    ['a{3,2}', 'min repeat greater than max repeat at position 2'],
    ['a{4294967295}', 'the repetition number is too large'],
    ['[a', 'unterminated character set at position 0'],
    ['x[]', 'unterminated character set at position 1'],
    ['[z-a]', 'bad character range z-a at position 1'],
    ['[a-\\d]', 'bad character range a-\\d at position 1'],
    ['\\', 'bad escape (end of pattern) at position 0'],
    ['\\q', 'bad escape \\q at position 0'],
    ['\\p{L}', 'bad escape \\p at position 0'],
    ['\\x4', 'incomplete escape \\x4 at position 0'],
    ['\\400', 'octal escape value \\400 outside of range 0-0o377 at position 0'],
    ['\\N{DASH}', "undefined character name 'DASH' at position 0"],
    ['\\1', 'invalid group reference 1 at position 1'],
    ['(a\\1)', 'cannot refer to an open group at position 2'],
    ['(?P=x)', "unknown group name 'x' at position 4"],
    ['(?P<1>a)', "bad character in group name '1' at position 4"],
    ['(?P<a>x)(?P<a>y)', "redefinition of group name 'a' as group 2; was group 1 at position 12"],
    ['(?P<a', 'missing >, unterminated name at position 4'],
    ['(?P>x)', 'unknown extension ?P> at position 1'],
    ['(?<n>x)', 'unknown extension ?<n at position 1'],
    ['(?z)', 'unknown extension ?z at position 1'],
    ['(?iz)', 'unknown flag at position 3'],
    ['(?i', 'missing -, : or ) at position 3'],
    ['(?i-i:a)', 'bad inline flags: flag turned on and off at position 5'],
    ['a(?i)', 'global flags not at the start of the expression at position 1'],
    ['(?L)', "bad inline flags: cannot use 'L' flag with a str pattern at position 3"],
    ['(?#x', 'missing ), unterminated comment at position 0'],
    ['(?(1)a|b|c)', 'conditional backref with more than two branches at position 8'],
    ['(?(2)a)(b)', 'invalid group reference 2 at position 3'],
    [
      '(?<=(a)\\1)',
      'cannot refer to group defined in the same lookbehind subpattern at position 9',
    ],
    ['😀(', 'missing ), unterminated subpattern at position 1'],
    ['a\n(', 'missing ), unterminated subpattern at position 2 (line 2, column 1)'],
  ])('%s: %s', (pattern, words) => {
    expect(problem(pattern)).toBe(words)
  })

  test('a pattern that is too long or too deeply nested is an error, not a crash', () => {
    expect(problem('('.repeat(200_000))).toBe('regex nests too deeply')
    expect(problem('x'.repeat(2_000_000))).toMatch(/^regex is too long/)
  })
})

describe('static analysis of a pattern', () => {
  test.each([
    ['foo', true],
    ['foo|ba[rz]', true],
    ['foo\\w*', true],
    ['[a-f0-9]{40}', true],
    ['(ab)?c{1,3}$', true],
    ['a.*b', false],
    ['\\w+x', false],
    ['(a+)+$', false],
    ['(?:a{1,20}){1,20}', false],
    ['(?=a)b', false],
  ])('%s is linear: %s', (pattern, expected) => {
    expect(compileRegex(pattern, { lines: true }).isLinear).toBe(expected)
  })

  test.each([
    ['func \\(\\w+ \\*\\w+\\) Reconcile', ') Reconcile'],
    ['foo[.]bar', 'foo.bar'],
    ['(?i)foo-12', '-12'],
    ['a|b', undefined],
    ['(?:abc)+d', 'abc'],
    ['(?:abc)*d', 'd'],
    ['\\bfoo\\b(?=bar)', 'foo'],
    ['\\ufffdx', 'x'],
    ['\\nabc\\ndefg', 'defg'],
  ])('every match of %s contains %s', (pattern, text) => {
    expect(compileRegex(pattern, { lines: true }).required).toBe(text)
  })
})

describe('a single text, such as a path', () => {
  const has = (pattern: string, text: string): boolean =>
    prepareSearch(compileRegex(pattern, { lines: false }).program).test(text)

  test('is searched anywhere, with line feeds as ordinary characters', () => {
    expect(has('b/c', 'a/b/c')).toBe(true)
    expect(has('^b', 'a\nb')).toBe(false)
    expect(has('(?m)^b', 'a\nb')).toBe(true)
    expect(has('a$', 'a\n')).toBe(true)
    expect(has('a\\Z', 'a\n')).toBe(false)
    expect(has('a.b', 'a\nb')).toBe(false)
    expect(has('(?s)a.b', 'a\nb')).toBe(true)
    expect(has('\\udcff', 'x\udcff')).toBe(true)
  })
})
