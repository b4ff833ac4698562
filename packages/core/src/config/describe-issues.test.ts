// The messages for everything that a schema can refuse.
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineConfig, setting } from './definition.ts'
import { describeIssues } from './describe-issues.ts'

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
