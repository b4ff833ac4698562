// The structure of a schema: keys, defaults, metadata and secrets.
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { section, setting } from './config.ts'
import {
  hideSecrets,
  holdsSecret,
  isSecretAt,
  isTable,
  shapeAt,
  shapeOf,
  type Shape,
} from './shape.ts'

const secret = { description: 'hidden', secret: true }
const text = (description: string) => setting(z.string(), { description })

/** The shape without its schemas. */
function plain(shape: Shape): unknown {
  const { schema: _schema, ...rest } = shape
  if (rest.kind === 'table') {
    return {
      ...rest,
      keys: Object.fromEntries([...rest.keys].map(([key, inner]) => [key, plain(inner)])),
    }
  }
  if (rest.kind === 'leaf') return { ...rest, options: rest.options.map(plain) }
  return { ...rest, item: plain(rest.item) }
}

const bare = { meta: { description: '' }, optional: false, hasDefault: false, default: undefined }
const leaf = { ...bare, kind: 'leaf', isInteger: false, options: [] }

describe('the shape of a schema', () => {
  it.each<[string, z.ZodMiniType, object]>([
    ['text', z.string(), leaf],
    ['a number', z.number(), leaf],
    ['a whole number', z.int(), { ...leaf, isInteger: true }],
    ['a number of 32 bits', z.uint32(), { ...leaf, isInteger: true }],
    ['a float of 32 bits', z.float32(), leaf],
    ['a number with a bound', z.number().check(z.minimum(1)), leaf],
    ['a whole number with a bound', z.int().check(z.minimum(1)), { ...leaf, isInteger: true }],
    [
      'a number with a rule for its format',
      z.number().check(z.int()),
      { ...leaf, isInteger: true },
    ],
    ['optional text', z.optional(z.string()), { ...leaf, optional: true }],
    ['nullable text', z.nullable(z.string()), leaf],
    ['a default', z._default(z.string(), 'x'), { ...leaf, hasDefault: true, default: 'x' }],
    [
      'the outer of two defaults',
      z._default(z._default(z.int(), 1), 2),
      { ...leaf, isInteger: true, hasDefault: true, default: 2 },
    ],
    [
      'a value before a default',
      z.prefault(z.string(), 'y'),
      { ...leaf, hasDefault: true, default: 'y' },
    ],
    [
      'the input of a conversion',
      z.pipe(z.int(), z.transform(String)),
      { ...leaf, isInteger: true },
    ],
    ['a list', z.array(z.int()), { ...bare, kind: 'list', item: { ...leaf, isInteger: true } }],
    [
      'a record',
      z.record(z.string(), z.int()),
      { ...bare, kind: 'record', item: { ...leaf, isInteger: true } },
    ],
    [
      'a union',
      z.union([z.int(), z.string()]),
      { ...leaf, options: [{ ...leaf, isInteger: true }, leaf] },
    ],
    [
      'a table',
      z.object({ a: z.string() }),
      { ...bare, kind: 'table', keys: { a: leaf }, others: 'plain' },
    ],
    ['a strict table', z.strictObject({}), { ...bare, kind: 'table', keys: {}, others: 'strict' }],
    ['an open table', z.looseObject({}), { ...bare, kind: 'table', keys: {}, others: 'open' }],
    [
      'a table with a rule for others',
      z.catchall(z.object({}), z.int()),
      { ...bare, kind: 'table', keys: {}, others: 'open' },
    ],
  ])('of %s', (_name, schema, expected) => {
    expect(plain(shapeOf(schema))).toEqual(expected)
    expect(shapeOf(schema).schema).toBe(schema)
  })

  it('has the metadata of the outer schema before that of the inner one', () => {
    const inner = setting(z.string(), { description: 'inner', example: 'x', secret: true })
    const outer = setting(z.optional(inner), { description: 'outer', commented: true })
    expect(shapeOf(outer).meta).toEqual({
      description: 'outer',
      example: 'x',
      secret: true,
      commented: true,
    })
    const silent = setting(z.optional(inner), { description: '', example: 'y' })
    expect(shapeOf(silent).meta).toEqual({ description: 'inner', example: 'y', secret: true })
  })

  it('of a section has a default, so that its keys have theirs', () => {
    const schema = section({ a: text('A.') }, { description: 'All.' })
    expect(plain(shapeOf(schema))).toEqual({
      ...bare,
      meta: { description: 'All.' },
      hasDefault: true,
      default: {},
      kind: 'table',
      keys: { a: { ...leaf, meta: { description: 'A.' } } },
      others: 'plain',
    })
  })
})

describe('the shape of a key', () => {
  const own = text('own')
  const item = z.object({ id: text('id') })
  const schema = z.object({
    own,
    list: z.array(item),
    by: z.record(z.string(), item),
    either: z.union([z.string(), item, z.object({ other: text('other') })]),
  })
  it.each<[(string | number)[], string | undefined]>([
    [['own'], 'own'],
    [['list', 3, 'id'], 'id'],
    [['by', 'name', 'id'], 'id'],
    [['either', 'id'], 'id'],
    [['either', 'other'], 'other'],
    [['either', 'none'], undefined],
    [['own', 'x'], undefined],
    [['list', 0, 'none'], undefined],
    [['none'], undefined],
    [['none', 'x'], undefined],
    [['constructor'], undefined],
  ])('at %j has the description %j', (path, description) => {
    expect(shapeAt(shapeOf(schema), path)?.meta.description).toBe(description)
  })

  it('at no path is the whole', () => {
    expect(shapeAt(shapeOf(schema), [])).toBe(shapeOf(schema))
  })
})

describe('a secret', () => {
  const key = setting(z.string(), secret)
  const open = z.object({ name: z.string() })
  const deep = z.object({ name: z.string(), key })
  const whole = setting(z.object({ a: z.string() }), secret)
  const schema = z.object({
    key,
    open,
    deep,
    whole,
    list: z.array(deep),
    names: z.array(open),
    by: z.record(z.string(), deep),
    either: z.union([z.int(), deep]),
    plain: z.union([z.int(), open]),
  })
  const shape = shapeOf(schema)

  it.each([
    ['key', true],
    ['open', false],
    ['deep', true],
    ['whole', true],
    ['list', true],
    ['names', false],
    ['by', true],
    ['either', true],
    ['plain', false],
  ])('in %s: %s', (name, expected) => {
    expect(holdsSecret(shapeAt(shape, [name]) as Shape)).toBe(expected)
    expect(isSecretAt(shape, [name])).toBe(expected)
  })

  it.each<[(string | number)[], boolean]>([
    [[], true],
    [['deep', 'name'], false],
    [['deep', 'key'], true],
    [['whole', 'a'], true],
    [['whole', 'unknown', 'x'], true],
    [['list', 0, 'name'], false],
    [['list', 0, 'key'], true],
    [['either', 'key'], true],
    [['either', 'name'], false],
    [['unknown'], false],
    [['open', 'unknown'], false],
  ])('is at %j: %s', (path, expected) => {
    expect(isSecretAt(shape, path)).toBe(expected)
  })

  it('is replaced in a value, which keeps its form', () => {
    const rule = { name: 'n', key: 'k' }
    const value = {
      key: 'k',
      open: { name: 'n', more: 1 },
      deep: rule,
      whole: { a: 'x' },
      list: [rule, rule],
      names: [{ name: 'm' }],
      by: { one: rule },
      either: rule,
      plain: { name: 'n' },
    }
    const hidden = { name: 'n', key: '(hidden)' }
    expect(hideSecrets(shape, value)).toEqual({
      key: '(hidden)',
      open: { name: 'n', more: 1 },
      deep: hidden,
      whole: '(hidden)',
      list: [hidden, hidden],
      names: [{ name: 'm' }],
      by: { one: hidden },
      either: '(hidden)',
      plain: { name: 'n' },
    })
  })

  it.each([
    ['key', undefined, undefined],
    ['key', '', ''],
    ['key', 0, '(hidden)'],
    ['key', null, '(hidden)'],
    ['either', undefined, undefined],
    ['either', '', ''],
    ['either', 5, '(hidden)'],
    ['list', 'no list', 'no list'],
    ['deep', 'no table', 'no table'],
    ['by', [1], [1]],
  ])('in %s: %j is shown as %j', (name, value, shown) => {
    expect(hideSecrets(shapeAt(shape, [name]) as Shape, value)).toEqual(shown)
  })
})

it.each([
  [{}, true],
  [Object.create(null), true],
  [[], false],
  [null, false],
  [new Date(0), false],
  ['', false],
  [undefined, false],
])('%j is a table: %s', (value, expected) => {
  expect(isTable(value)).toBe(expected)
})
