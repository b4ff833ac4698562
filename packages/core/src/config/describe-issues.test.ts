// The messages for everything that a schema can refuse.
import { describe, expect, it, test } from 'vitest'
import * as z from 'zod/mini'
import { defineConfig, setting } from './definition.ts'
import { describeIssues, type Issue } from './describe-issues.ts'

function words(type: z.ZodMiniType, value: unknown, format: 'toml' | 'json' = 'json'): string[] {
  const schema = z.object({ k: type })
  const definition = defineConfig({
    program: 'p',
    title: 't',
    format,
    schema,
    unknownKeys: 'warn',
  })
  const data = { k: value }
  const checked = schema.safeParse(data, { error: () => '' })
  const texts = describeIssues(definition, data, checked.error?.issues ?? []).map(
    ({ text }) => text,
  )
  expect(texts.join()).not.toMatch(/Invalid input|undefined|\[object|\n/)
  return texts
}

const entry = z.object({ t: z.literal('a'), v: z.int() })

describe('the message about an invalid value', () => {
  test.each<[string, z.ZodMiniType, unknown, string]>([
    ['text', z.string(), 5, 'k must be text (got 5)'],
    ['missing', z.string(), undefined, 'k is missing; it must be text'],
    ['null', z.string(), null, 'k must be text (got null)'],
    ['number', z.number(), 'x', 'k must be a number (got "x")'],
    ['infinite', z.number(), Infinity, 'k must be a number (got Infinity)'],
    ['whole', z.int(), 1.5, 'k must be a whole number (got 1.5)'],
    ['above', z.int().check(z.positive()), 0, 'k must be a whole number above 0 (got 0)'],
    ['at least', z.int().check(z.minimum(5)), 0, 'k must be a whole number of at least 5 (got 0)'],
    ['at most', z.number().check(z.maximum(2)), 3, 'k must be a number of at most 2 (got 3)'],
    [
      'open',
      z.number().check(z.gt(0), z.lt(1)),
      1,
      'k must be a number above 0 and below 1 (got 1)',
    ],
    [
      'from to',
      z.int().check(z.gt(0), z.lt(10)),
      99,
      'k must be a whole number from 1 to 9 (got 99)',
    ],
    ['steps', z.int().check(z.multipleOf(8)), 3, 'k must be a whole number in steps of 8 (got 3)'],
    ['boolean', z.boolean(), 'yes', 'k must be true or false (got "yes")'],
    ['enum', z.enum(['a', 'b']), 'c', 'k must be one of "a", "b" (got "c")'],
    ['literal', z.literal('x'), 'y', 'k must be "x" (got "y")'],
    ['literals', z.literal([1, 2]), 3, 'k must be one of 1, 2 (got 3)'],
    [
      'not empty',
      z.string().check(z.minLength(1)),
      '',
      'k must be text that is not empty (got "")',
    ],
    [
      'long',
      z.string().check(z.minLength(2), z.maxLength(3)),
      '',
      'k must be text of 2 to 3 characters (got "")',
    ],
    [
      'pattern',
      z.string().check(z.regex(/^a+$/)),
      'b',
      'k must be text that matches ^a+$ (got "b")',
    ],
    ['url', z.url(), 'b', 'k must be a URL (got "b")'],
    ['email', z.email(), 'b', 'k must be an e-mail address (got "b")'],
    ['list', z.array(z.string()), 'b', 'k must be a list of text (got "b")'],
    ['list of enum', z.array(z.enum(['a', 'b'])), 'b', 'k must be a list of "a", "b" (got "b")'],
    ['item', z.array(z.int()), [1, 'x'], 'k[1] must be a whole number (got "x")'],
    [
      'length',
      z.array(z.int()).check(z.minLength(1)),
      [],
      'k must be a list of at least 1 whole numbers (got an empty list)',
    ],
    ['object', z.object({}), 'b', 'k must be an object (got "b")'],
    ['record', z.record(z.string(), z.int()), { a: 'x' }, 'k.a must be a whole number (got "x")'],
    [
      'record key',
      z.record(z.string().check(z.maxLength(1)), z.int()),
      { ab: 1 },
      'k.ab is not an allowed name',
    ],
    ['strict', z.strictObject({}), { a: 1 }, 'unknown key k.a'],
    ['union', z.union([z.string(), z.int()]), true, 'k must be text or a whole number (got true)'],
    [
      'union inside',
      z.union([z.string(), entry]),
      { t: 'a', v: 'x' },
      'k.v must be a whole number (got "x")',
    ],
    ['variant', z.discriminatedUnion('t', [entry]), { t: 'z' }, 'k.t must be "a" (got "z")'],
    [
      'custom',
      z.string().check(z.refine(() => false, 'must be a folder')),
      'x',
      'k must be a folder (got "x")',
    ],
    ['custom mute', z.string().check(z.refine(() => false)), 'x', 'k must be text (got "x")'],
    ['own error', z.string({ error: 'must be a name' }), 5, 'k must be a name (got 5)'],
    ['custom type', z.custom(() => false), 5, 'k must be a valid value (got 5)'],
    ['date', z.string(), new Date(0), 'k must be text (got a date)'],
    ['nullable', z.nullable(z.int()), 'x', 'k must be a whole number or null (got "x")'],
    ['never', z.never(), 'x', 'k must be a valid value (got "x")'],
    ['tuple', z.tuple([z.int()]), ['x'], 'k[0] must be a whole number (got "x")'],
  ])('describes the case: %s', (_, type, value, expected) => {
    expect(words(type, value)).toEqual([expected])
  })

  test('says section for TOML and object for JSON', () => {
    expect(words(z.object({}), 1, 'toml')).toEqual(['k must be a section (got 1)'])
    expect(words(z.string(), {}, 'toml')).toEqual(['k must be text (got a section)'])
  })

  test('is one line for text with line breaks and control codes', () => {
    expect(words(z.int(), 'a\nb\u001b[31m')).toEqual([
      'k must be a whole number (got "a\\nb\\u001b[31m")',
    ])
  })

  test('hides secrets inside alternatives', () => {
    const key = setting(z.string().check(z.maxLength(1)), { description: '', secret: true })
    const either = z.union([z.int(), z.object({ key })])
    expect(words(either, { key: 'secret' }).join()).not.toContain('"secret"')
    expect(words(either, 'secret').join()).not.toContain('"secret"')
  })
})

describe('the message about an issue that the schema does not describe', () => {
  const definition = { schema: z.object({ k: z.string() }), format: 'toml' as const }

  function text(issue: object, data: unknown = {}): string {
    const whole = { path: ['x'], message: '', input: undefined, ...issue } as unknown as Issue
    return describeIssues(definition, data, [whole])
      .map((each) => each.text)
      .join()
  }

  it.each<[object, string]>([
    [{ code: 'invalid_type', expected: 'string' }, 'text'],
    [{ code: 'invalid_type', expected: 'int' }, 'a whole number'],
    [{ code: 'invalid_type', expected: 'number' }, 'a number'],
    [{ code: 'invalid_type', expected: 'boolean' }, 'true or false'],
    [{ code: 'invalid_type', expected: 'array' }, 'a list'],
    [{ code: 'invalid_type', expected: 'object' }, 'a table of keys'],
    [{ code: 'invalid_type', expected: 'record' }, 'a table of keys'],
    [{ code: 'invalid_type', expected: 'map' }, 'a valid value'],
    [{ code: 'invalid_value', values: ['a', 1, undefined] }, 'one of "a", 1, undefined'],
    [{ code: 'too_small', minimum: 3 }, 'at least 3'],
    [{ code: 'too_big', maximum: 4 }, 'at most 4'],
    [{ code: 'not_multiple_of', divisor: 5 }, 'in steps of 5'],
    [{ code: 'custom' }, 'a valid value'],
  ])('%j is %s', (issue, words) => {
    expect(text(issue)).toBe(`x is missing; it must be ${words}`)
    expect(text(issue, { x: 7 })).toBe(`x must be ${words} (got 7)`)
  })

  it.each<[(string | number | symbol)[], unknown, string]>([
    [[], 5, 'the file must be a section (got 5)'],
    [['k'], { k: 5 }, 'k must be text (got 5)'],
    [['x', 1], { x: [1, 2] }, 'x[1] must be a valid value (got 2)'],
    [['x', 2], { x: [1, 2] }, 'x[2] is missing; it must be a valid value'],
    [['x', 'y'], { x: 'text' }, 'x.y is missing; it must be a valid value'],
    [['x', 'y'], { x: null }, 'x.y is missing; it must be a valid value'],
    [['x', 'length'], { x: 5 }, 'x.length is missing; it must be a valid value'],
    [['toString'], {}, 'toString is missing; it must be a valid value'],
    [[Symbol('s')], { 'Symbol(s)': 6 }, '"Symbol(s)" must be a valid value (got 6)'],
  ])('at %j reads the value there', (path, data, expected) => {
    expect(text({ code: 'custom', path }, data)).toBe(expected)
  })

  it.each<[unknown, string]>([
    [undefined, 'nothing'],
    [[], 'an empty list'],
    [[1], 'a list'],
    [{}, 'a section'],
    [new Date(0), 'a date'],
    [null, 'null'],
    [true, 'true'],
    [1.5, '1.5'],
    ['x'.repeat(60), `"${'x'.repeat(60)}"`],
    ['x'.repeat(61), `"${'x'.repeat(59)}…"`],
    ['a"b', String.raw`"a\"b"`],
  ])('with own words shows %j', (value, shown) => {
    expect(text({ code: 'custom', message: 'must be fine' }, { x: value })).toBe(
      `x must be fine (got ${shown})`,
    )
  })

  it('names a name that is not allowed, and each unknown key', () => {
    expect(text({ code: 'invalid_key' })).toBe('x is not an allowed name')
    const issue = { code: 'unrecognized_keys', keys: ['a', 'b c'], path: ['x'], message: '' }
    expect(describeIssues(definition, {}, [issue as unknown as Issue])).toEqual([
      { path: ['x', 'a'], text: 'unknown key x.a' },
      { path: ['x', 'b c'], text: 'unknown key x."b c"' },
    ])
  })

  it('uses the names that the caller gives', () => {
    const issue = { code: 'custom', path: ['x', 1], message: '' } as unknown as Issue
    const named = describeIssues(definition, {}, [issue], (path) => `<${path.join('/')}>`)
    expect(named).toEqual([{ path: ['x', 1], text: '<x/1> is missing; it must be a valid value' }])
  })
})

describe('the message about a secret', () => {
  const key = setting(z.string().check(z.maxLength(1)), { description: '', secret: true })

  it.each<[unknown, string]>([
    ['secret', 'text, not shown'],
    [5, 'a number'],
    [true, 'a boolean'],
    [null, 'null'],
    [[1], 'a list'],
    [{ a: 1 }, 'an object'],
  ])('shows the kind of %j: %s', (value, shown) => {
    expect(words(key, value)).toEqual([`k must be text of at most 1 characters (got ${shown})`])
  })

  it('inside alternatives shows the kind of the value', () => {
    const either = z.union([z.int(), z.object({ key })])
    expect(words(either, { key: 'secret' })).toEqual([
      'k.key must be text of at most 1 characters (got text, not shown)',
    ])
    expect(words(either, 'secret')).toEqual([
      'k must be a whole number or an object (got text, not shown)',
    ])
  })
})

describe('the message about alternatives', () => {
  const one = z.object({ a: z.int(), b: z.int(), c: z.int() })
  const two = z.object({ a: z.int(), d: z.int() })

  it.each<[unknown, string[]]>([
    [{ a: 1 }, ['k.d is missing; it must be a whole number']],
    [{ a: 1, b: 2 }, ['k.c is missing; it must be a whole number']],
    [{ a: 'x', b: 2, c: 3 }, ['k.a must be a whole number (got "x")']],
    [
      {},
      ['k.a is missing; it must be a whole number', 'k.d is missing; it must be a whole number'],
    ],
    [5, ['k must be an object (got 5)']],
  ])('for %j names what the closest one lacks', (value, texts) => {
    expect(words(z.union([one, two]), value)).toEqual(texts)
  })

  it('may be that of alternatives inside alternatives', () => {
    const inner = z.object({ v: z.union([z.int(), z.object({ w: z.int() })]) })
    expect(words(z.union([z.string(), inner]), { v: { w: 'x' } })).toEqual([
      'k.v.w must be a whole number (got "x")',
    ])
  })
})
