import { describe, expect, test } from 'vitest'
import { readOracle } from './file.ts'
import { judgeByRules, type OraclePolicy } from './oracles.ts'

const strict: OraclePolicy = { mode: 'strict', formatMismatch: 'fail' }

function verdict(rule: object, resultJson: unknown, policy = strict) {
  return judgeByRules(readOracle({ rules: [rule] }, 'o'), { resultJson }, policy)
}

const rule = (op: string, value?: unknown, extra: object = {}) => ({
  field: 'x',
  op,
  value,
  ...extra,
})

describe('judgeByRules', () => {
  test.each<[string, object, unknown, boolean]>([
    ['eq', rule('eq', 'a'), 'a', true],
    ['eq, other', rule('eq', 'a'), 'b', false],
    ['eq, deep and unordered keys', rule('eq', { a: 1, b: 2 }), { b: 2, a: 1 }, true],
    ['eq, absent', rule('eq', 'a'), undefined, false],
    ['eq_ref', { field: 'x', op: 'eq_ref', ref: '/y' }, 'why', true],
    ['eq_ref, other', { field: 'x', op: 'eq_ref', ref: 'y' }, 'not', false],
    ['eq_ref, absent', { field: 'x', op: 'eq_ref', ref: 'z' }, 'why', false],
    ['starts_with', rule('starts_with', 'ab'), 'abc', true],
    ['starts_with, other', rule('starts_with', 'b'), 'abc', false],
    ['contains in text', rule('contains', 'b'), 'abc', true],
    ['contains in a list', rule('contains', 2), [1, 2], true],
    ['contains, other', rule('contains', 3), [1, 2], false],
    ['gte, equal', rule('gte', 2), 2, true],
    ['gte, numeric text', rule('gte', 2), '3.5', true],
    ['gte, less', rule('gte', 2), 1, false],
    ['non_empty', rule('non_empty'), 'a', true],
    ['non_empty, blank', rule('non_empty'), '  ', false],
    ['non_empty, empty list', rule('non_empty'), [], false],
    ['non_empty, zero', rule('non_empty'), 0, true],
    [
      'url_eq_loose',
      rule('url_eq_loose', 'https://Example.com/a/'),
      'http://www.example.com/a#top',
      true,
    ],
    [
      'url_eq_loose, query order',
      rule('url_eq_loose', 'https://e.com/?a=1&b=2'),
      'e.com?b=2&a=1',
      true,
    ],
    ['url_eq_loose, other path', rule('url_eq_loose', 'https://e.com/a'), 'https://e.com/b', false],
    ['set_eq', rule('set_eq', ['a', 'b']), ['b', 'a', 'a'], true],
    ['set_eq, more', rule('set_eq', ['a']), ['a', 'b'], false],
    ['num_eq', rule('num_eq', 3), '3.0', true],
    ['num_eq, tolerance', rule('num_eq', 3, { tolerance: 0.2 }), 3.1, true],
    ['num_eq, other', rule('num_eq', 3), 3.1, false],
    ['contains_phrase', rule('contains_phrase', 'hello, world'), 'Say: Hello World!', true],
    ['contains_phrase, part of a word', rule('contains_phrase', 'art'), 'smart', false],
    ['command_head_eq', rule('command_head_eq', 'git status'), '$ FOO=1 /usr/bin/git log', true],
    ['command_head_eq, other', rule('command_head_eq', 'git'), 'gitk', false],
  ])('decides the rule: %s', (_name, oracle, x, ok) => {
    expect(verdict(oracle, { x, y: 'why' }).ok).toBe(ok)
  })
})

describe('judgeByRules with groups', () => {
  const any = { anyOf: [rule('eq', 'a'), rule('eq', 'b')] }
  test('needs one rule of anyOf and all rules of allOf, also nested', () => {
    expect(verdict(any, { x: 'b' }).ok).toBe(true)
    expect(verdict(any, { x: 'c' }).ok).toBe(false)
    const all = { allOf: [any, rule('starts_with', 'b')] }
    expect(verdict(all, { x: 'b' }).ok).toBe(true)
    expect(verdict(all, { x: 'a' }).ok).toBe(false)
  })

  test('reports the alternative with the smallest distance', () => {
    const near = { anyOf: [rule('eq', 'zzz'), rule('eq', 'HELLO')] }
    expect(verdict(near, { x: 'hello' }).mismatches).toMatchObject([{ class: 'format' }])
  })
})

describe('mismatches of judgeByRules', () => {
  test.each<[string, object, unknown, string]>([
    ['another form', rule('eq', 'Hello World'), 'hello  world', 'format'],
    ['a number as text', rule('eq', 3), '3', 'format'],
    ['another type', rule('eq', 'a'), { a: 1 }, 'type'],
    ['nothing there', rule('eq', 'a'), undefined, 'type'],
    ['no number', rule('gte', 1), 'many', 'type'],
    ['something else', rule('eq', 'a'), 'b', 'semantic'],
  ])('classify: %s', (_name, oracle, x, kind) => {
    expect(verdict(oracle, { x }).mismatches).toMatchObject([{ class: kind, field: 'x' }])
  })

  test('of format fail, warn or pass according to the policy', () => {
    const oracle = rule('eq', 'a', { normalizers: ['trim'] })
    const at = (mode: OraclePolicy['mode'], formatMismatch: OraclePolicy['formatMismatch']) =>
      verdict(oracle, { x: ' A ' }, { mode, formatMismatch })
    expect(at('strict', 'fail').ok).toBe(false)
    expect(at('normalized', 'fail').ok).toBe(false)
    expect(at('semantic', 'fail').ok).toBe(true)
    expect(at('strict', 'warn')).toMatchObject({ ok: true, warnings: [{ class: 'format' }] })
    expect(at('strict', 'ignore')).toEqual({ ok: true, mismatches: [], warnings: [] })
    const spaced = verdict(oracle, { x: ' a ' }, { mode: 'normalized', formatMismatch: 'fail' })
    expect(spaced.ok).toBe(true)
  })

  test('never contain the expected value', () => {
    const { mismatches } = verdict(rule('eq', 'the-secret-answer'), { x: 'guess' })
    expect(JSON.stringify(mismatches)).not.toMatch(/secret|guess/)
  })
})

test.each<[string[], unknown, unknown]>([
  [['trim', 'lower'], ' AbC ', 'abc'],
  [['strip_trailing_slash'], 'https://e.com/', 'https://e.com'],
  [['css_px_to_number'], '12.5px', 12.5],
  [['csv_to_array'], 'a, b,c', ['a', 'b', 'c']],
  [['shell_prompt_strip'], 'me@host:~$ ls -l', 'ls -l'],
])('judgeByRules applies the normalizers %j', (normalizers, x, value) => {
  const policy: OraclePolicy = { mode: 'normalized', formatMismatch: 'fail' }
  expect(verdict(rule('eq', value, { normalizers }), { x }, policy).ok).toBe(true)
})

test.each<[string, unknown]>([
  ['no rules', {}],
  ['an empty list', { rules: [] }],
  ['an unknown op', { rules: [rule('like', 'a')] }],
  ['an unknown key', { rules: [{ ...rule('eq', 'a'), extra: 1 }] }],
  ['no value', { rules: [rule('eq')] }],
  ['no ref', { rules: [{ field: 'x', op: 'eq_ref' }] }],
  ['an unknown normalizer', { rules: [rule('eq', 'a', { normalizers: ['x'] })] }],
  ['a group that is not alone', { rules: [{ anyOf: [rule('eq', 1)], op: 'eq' }] }],
  ['a list', []],
])('readOracle refuses an oracle with %s', (_name, value) => {
  expect(() => readOracle(value, 'oracle.json')).toThrow(/^oracle\.json/)
})

test('judgeByRules parses a text result that contains JSON', () => {
  const oracle = readOracle({ rules: [rule('eq', 1)] }, 'o')
  expect(judgeByRules(oracle, { result: '{"x":1}' }, strict).ok).toBe(true)
  const whole = readOracle({ rules: [{ field: '', op: 'eq', value: '1' }] }, 'o')
  expect(judgeByRules(whole, { result: '1' }, strict).ok).toBe(true)
})
