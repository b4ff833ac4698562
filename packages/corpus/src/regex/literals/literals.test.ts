import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { lineTexts, patternTexts } from '../../../test/support/patterns.ts'
import { bufferLines } from '../dfa/dfa.ts'
import { literalPlan, textPlan } from './literals.ts'
import type { LiteralPlan } from './literals.ts'
import { parseRegex } from '../parse/parse.ts'
import { compileRegex } from '../regex.ts'
import { prepareSearch } from '../search.ts'

/** A plan in one line: `a & (b | c)`, with `~` before case-insensitive texts. */
function written(plan: LiteralPlan): string {
  if (plan.kind === 'everything') return '*'
  if (plan.kind === 'literal')
    return (plan.ignoreCase ? '~' : '') + Buffer.from(plan.text).toString()
  return `(${plan.of.map(written).join(plan.kind === 'all' ? ' & ' : ' | ')})`
}

function planned(pattern: string): string {
  return written(literalPlan(parseRegex(pattern)))
}

function lowered(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte)))
}

/** Always fast: patterns that are neither regular nor linear count as not matching. */
function isMatch(pattern: string, bytes: Buffer, ignoreCase: boolean): boolean {
  const lines = bufferLines(parseRegex(pattern, { ignoreCase }), '')
  if (lines !== undefined) return (lines(bytes, 1)?.length ?? 0) > 0
  const { isLinear, program } = compileRegex(pattern, { lines: true, ignoreCase })
  return isLinear && prepareSearch(program).lines(bytes, 1).length > 0
}

function satisfies(bytes: Buffer, plan: LiteralPlan): boolean {
  switch (plan.kind) {
    case 'everything':
      return true
    case 'literal':
      return (plan.ignoreCase ? lowered(bytes) : bytes).includes(Buffer.from(plan.text))
    case 'all':
      return plan.of.every((one) => satisfies(bytes, one))
    case 'any':
      return plan.of.some((one) => satisfies(bytes, one))
  }
}

describe('literalPlan', () => {
  test.each([
    ['foo', 'foo'],
    ['func \\(\\w+ \\*\\w+\\) Reconcile', '(func ( & ) Reconcile)'],
    ['err(or)? :?= \\w+\\.Get\\(', '((err =  | err :=  | error =  | error := ) & .Get()'],
    ['[Tt]odo', '~todo'],
    ['[Tt]o[dx]o', '(~todo | ~toxo)'],
    ['todo.*fixme|fixme.*todo', '(fixme & todo)'],
    ['todo.*x|fixme.*y', '(todo | fixme)'],
    ['foo|bar', '(foo | bar)'],
    ['foo|.', '*'],
    ['(?:abcd|abce)x*abc', '(abcd | abce)'],
    ['abc.*(?:abcd|xabc)', '(abcd | xabc)'],
    ['(?:abcd|xyz)x*abc', '((abcd | xyz) & abc)'],
    ['(?:abc|xyz).(?:abc|xyz)', '(abc | xyz)'],
    ['(?:abc|xyz).(?:abc|xyzw)', '((abc | xyz) & (abc | xyzw))'],
    ['(?i:abc).abcd', '(~abc & abcd)'],
    ['abc.abc', 'abc'],
    ['ab', '*'],
    ['é1', 'é1'],
    ['a{3}', 'aaa'],
    ['(abc)+', 'abc'],
    ['(abc){2,}d', '(abcabc & abcd)'],
    ['(abc)*d', '*'],
    ['(?=abc)x', '*'],
    ['foo(?!bar)bar', 'foobar'],
    ['\\bfoo\\b', 'foo'],
    ['(x)?foo\\1bar', '(foo & bar)'],
    ['(foo)x\\1bar', '(foox & bar)'],
    ['(?:foo)?+bar', 'bar'],
    ['foo\\ufffdbar', '(foo & bar)'],
    ['[0-9]{4}-[0-9]{2}', '*'],
    ['(a)(?(1)bcd|xyz)', '(abcd | axyz)'],
  ])('plans %s as %s', (pattern, expected) => {
    expect(planned(pattern)).toBe(expected)
  })

  test.each([
    ['(?i)Foo', '~foo'],
    ['(?i)km/h', '(~km/h | ~\u212am/h)'],
    ['(?ia)km/h', '~km/h'],
    ['(?i)ſ00', '(~s00 | ſ00)'],
    ['(?i)éa', '(~Éa | ~éa)'],
    ['(?i)x0(?-i:Y)', '~x0y'],
  ])('plans the case-insensitive %s as %s', (pattern, expected) => {
    expect(planned(pattern)).toBe(expected)
  })

  test('keeps up to 32 texts that a part matches whole', () => {
    const texts = Array.from({ length: 33 }, (_, at) => `${at + 10}`)
    const planOf = (parts: string[]): string => planned(`q(?:${parts.join('|')})z`)
    const joined = texts.slice(1).map((text) => `q${text}z`)
    expect(planOf(texts.slice(1))).toBe(`(${joined.join(' | ')})`)
    expect(planOf(texts)).toBe('*')
  })

  test('returns a small plan for every pattern', () => {
    const size = (plan: LiteralPlan): number =>
      plan.kind === 'all' || plan.kind === 'any'
        ? plan.of.reduce((sum, one) => sum + size(one), 0)
        : 1
    const patterns = ['(?i)' + 'kiss'.repeat(40), 'x'.repeat(100_000), '(a|b)'.repeat(500)]
    patterns.push('[ab]{500}', 'foo.'.repeat(3000), `(${'abc|xyz|'.repeat(2000)}def)`)
    for (const pattern of patterns) {
      expect(size(literalPlan(parseRegex(pattern)))).toBeLessThan(1000)
    }
    expect(planned('x'.repeat(100_000))).toMatch(/x{32}/)
    expect(planned('(?:){4000000000}abc')).toBe('abc')
    expect(planned('(?:|a){4000000000}abc')).toBe('abc')
    expect(planned('a{4000000000}')).toMatch(/a{32}/)
    expect(planned('(?:'.repeat(900) + 'abc' + ')'.repeat(900))).toBe('abc')
  })

  test('returns a plan that every matching line satisfies', () => {
    const samples = fc.record({ pattern: patternTexts, line: lineTexts, ignoreCase: fc.boolean() })
    fc.assert(
      fc.property(samples, ({ pattern, line, ignoreCase }) => {
        const bytes = Buffer.from(line)
        if (!isMatch(pattern, bytes, ignoreCase)) return
        const plan = literalPlan(parseRegex(pattern, { ignoreCase }))
        expect(satisfies(bytes, plan), written(plan)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('textPlan', () => {
  test('returns the text, or the texts whose lower case it may be', () => {
    expect(written(textPlan('Foo é', false))).toBe('Foo é')
    expect(written(textPlan('fo', false))).toBe('*')
    expect(written(textPlan('FOO bar', true))).toBe('~foo bar')
    expect(written(textPlan('Mk0', true))).toBe('(~mk0 | ~m\u212a0)')
    expect(written(textPlan('fooÉbar', true))).toBe('(~foo & ~bar)')
  })

  test('returns a plan that every line with the text satisfies, in any case', () => {
    const chars = fc.constantFrom(...'kKiIsSaAéÉσςΣß\u212a\u0130\u0131\u017f\u0307x1')
    const text = fc.string({ unit: chars, minLength: 1, maxLength: 6 })
    const lines = fc.string({ unit: chars, maxLength: 30 })
    fc.assert(
      fc.property(text, lines, (needle, line) => {
        if (!line.toLowerCase().includes(needle.toLowerCase())) return
        expect(satisfies(Buffer.from(line), textPlan(needle, true))).toBe(true)
      }),
      { numRuns: 3000 },
    )
  })

  test('knows every character beyond ASCII whose lower case contains an ASCII letter', () => {
    const found: string[] = []
    for (let code = 0x80; code <= 0x10ffff; code++) {
      const char = String.fromCodePoint(code)
      if (/[\0-\x7f]/.test(char.toLowerCase())) found.push(char)
    }
    expect(found).toEqual(['\u0130', '\u212a'])
  })
})
