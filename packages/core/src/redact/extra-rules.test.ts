import { describe, expect, test } from 'vitest'
import { ZeeError } from '../errors/errors.ts'
import { createRedactor } from './redact.ts'
import type { ExtraRule } from './redact.ts'

const withRules = (...extraRules: ExtraRule[]) => createRedactor({ extraRules })

describe('a rule of the user', () => {
  test('is reported by its id', () => {
    const redactor = withRules({ id: 'ticket-id', regex: 'INT-[0-9]{4,}' })
    expect(redactor.text('see INT-12345, int-12345')).toEqual({
      text: 'see [REDACTED:TICKET-ID], int-12345',
      applied: ['ticket-id'],
    })
  })

  test('writes its replacement literally', () => {
    const redactor = withRules({ id: 'ticket-id', regex: '(INT)-[0-9]+', replacement: '$1-***' })
    expect(redactor.text('INT-1 INT-2').text).toBe('$1-*** $1-***')
  })

  test('runs once if its replacement matches it', () => {
    const redactor = withRules({ id: 'a-rule', regex: 'foo', replacement: 'foofoo' })
    expect(redactor.text('foo').text).toBe('foofoo')
  })

  test('may start with flags', () => {
    expect(withRules({ id: 'x', regex: '(?i)abc' }).text('ABC').text).toBe('[REDACTED:X]')
    expect(withRules({ id: 'x', regex: String.raw`a\-b|\p{Lu}{3}` }).text('a-b').text).toBe(
      '[REDACTED:X]',
    )
  })

  test('never replaces marks, and empty matches are ignored', () => {
    const redactor = withRules(
      { id: 'everything', regex: 'REDACTED|JWT' },
      { id: 'none', regex: 'q*' },
    )
    const text = 'a [REDACTED:JWT] b'
    expect(redactor.text(text)).toEqual({ text, applied: [] })
  })

  test('runs in linear time', () => {
    const redactor = withRules({ id: 'deep', regex: '(?:a+)+c' })
    expect(redactor.text('a'.repeat(20_000)).applied).toEqual([])
  })
})

describe('extra rules', () => {
  const idForm = 'the id must be like "my-rule" and have at most 64 bytes'
  const wrong: [string, unknown, string][] = [
    [
      'an id that is not a kebab-case id',
      [{ id: 'My Rule', regex: 'x' }],
      `extraRules[0] "My Rule": ${idForm}`,
    ],
    [
      'an id that is too long',
      [{ id: 'a'.repeat(65), regex: 'x' }],
      `extraRules[0] "${'a'.repeat(65)}": ${idForm}`,
    ],
    [
      'an id that is far too long',
      [{ id: 'a'.repeat(81), regex: 'x' }],
      `extraRules[0] "${'a'.repeat(80)}": ${idForm}`,
    ],
    ['no id', [{ id: 'a', regex: 'x' }, { regex: 'x' }], `extraRules[1]: ${idForm}`],
    ['no regex', [{ id: 'a-rule' }], 'a-rule: it has no regex'],
    ['an empty regex', [{ id: 'a-rule', regex: '' }], 'a-rule: it has no regex'],
    [
      'a regex that does not compile',
      [{ id: 'a-rule', regex: '([' }],
      'a-rule: the regex does not compile: unterminated character class',
    ],
    [
      'a look-around',
      [{ id: 'a-rule', regex: 'ab(?=c)' }],
      'a-rule: the regex has a look-around or another special group at character 3; rules run in linear time',
    ],
    [
      'a backreference',
      [{ id: 'a-rule', regex: '(?i)(a)\\1' }],
      'a-rule: the regex has a backreference at character 8; rules run in linear time',
    ],
    [
      'a regex of 4097 bytes',
      [{ id: 'a-rule', regex: 'é'.repeat(2049) }],
      'a-rule: the regex is longer than 4096 bytes',
    ],
    [
      'a replacement of 257 bytes',
      [{ id: 'a-rule', regex: 'x', replacement: 'r'.repeat(257) }],
      'a-rule: the replacement must be text of at most 256 bytes',
    ],
    [
      'a replacement that is not text',
      [{ id: 'a-rule', regex: 'x', replacement: 1 }],
      'a-rule: the replacement must be text of at most 256 bytes',
    ],
    [
      'the same id twice',
      [
        { id: 'a', regex: 'x' },
        { id: 'a', regex: 'y' },
      ],
      'a: another rule has the same id',
    ],
    ['a rule that is not an object', ['x'], 'extraRules[0]: it must be an object'],
    ['a rule that is null', [null], 'extraRules[0]: it must be an object'],
    ['an object instead of a list', { id: 'a' }, 'extraRules: it must be a list of rules'],
    [
      '129 rules',
      Array.from({ length: 129 }, (_, i) => ({ id: `r${i}`, regex: 'x' })),
      'extraRules: there are 129 rules, the maximum is 128',
    ],
  ]
  test.each(wrong)('with %s are refused', (_, extraRules, named) => {
    const make = () => createRedactor({ extraRules: extraRules as ExtraRule[] })
    expect(make).toThrow(new ZeeError('invalid_redaction_rule', `redaction rule ${named}`))
    expect(make).toThrow(expect.objectContaining({ code: 'invalid_redaction_rule' }))
  })

  test('at all limits are accepted', () => {
    const rules = Array.from({ length: 128 }, (_, i) => ({
      id: `r${i}-${'a'.repeat(64 - 2 - String(i).length)}`,
      regex: 'x'.repeat(4096),
      replacement: 'y'.repeat(256),
    }))
    expect(createRedactor({ extraRules: rules }).text('x').applied).toEqual([])
  })
})
