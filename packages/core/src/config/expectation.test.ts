// What a setting must be, in words, for every kind of JSON Schema node.
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { expectation, nodeAt, schemaNode, type SchemaNode } from './expectation.ts'

const max = Number.MAX_SAFE_INTEGER

describe('the words for a node', () => {
  it.each<[SchemaNode, string]>([
    [{ const: 'x' }, '"x"'],
    [{ const: null }, 'null'],
    [{ const: 1, enum: [1, 2] }, '1'],
    [{ enum: ['a'] }, '"a"'],
    [{ enum: ['a', 2, null] }, 'one of "a", 2, null'],
    [{ enum: [1], anyOf: [{ type: 'string' }] }, '1'],
    [{ anyOf: [{ type: 'string' }, { type: 'boolean' }] }, 'text or true or false'],
    [{ anyOf: [{ type: 'string' }, { type: 'string' }] }, 'text'],
    [{ anyOf: [true, { type: 'null' }] as SchemaNode[] }, 'a value or null'],
    [{ oneOf: [{ type: 'integer' }, { type: 'null' }] }, 'a whole number or null'],
    [{ type: 'boolean' }, 'true or false'],
    [{ type: 'null' }, 'null'],
    [{}, 'a valid value'],
    [{ type: 'number' }, 'a number'],
    [{ type: 'integer' }, 'a whole number'],
    [{ type: 'integer', multipleOf: 5 }, 'a whole number in steps of 5'],
    [{ type: 'number', minimum: 0, multipleOf: 0.5 }, 'a number of at least 0 in steps of 0.5'],
  ])('%j is %s', (node, words) => {
    expect(expectation(node, 'json')).toBe(words)
  })

  it.each<[Partial<SchemaNode>, string, string]>([
    [{ minimum: 1, maximum: 5 }, 'from 1 to 5', 'from 1 to 5'],
    [{ minimum: 0 }, 'of at least 0', 'of at least 0'],
    [{ minimum: 1 }, 'above 0', 'of at least 1'],
    [{ minimum: 2 }, 'of at least 2', 'of at least 2'],
    [{ maximum: 7 }, 'of at most 7', 'of at most 7'],
    [{ exclusiveMinimum: 0 }, 'above 0', 'above 0'],
    [{ exclusiveMinimum: 3 }, 'of at least 4', 'above 3'],
    [{ exclusiveMaximum: 9 }, 'of at most 8', 'below 9'],
    [{ exclusiveMinimum: 3, exclusiveMaximum: 9 }, 'from 4 to 8', 'above 3 and below 9'],
    [{ exclusiveMinimum: 3, maximum: 9 }, 'from 4 to 9', 'above 3 and of at most 9'],
    [{ minimum: 3, exclusiveMaximum: 9 }, 'from 3 to 8', 'of at least 3 and below 9'],
    [{ minimum: -max, maximum: max }, '', ''],
    [
      { minimum: 1 - max, maximum: max - 1 },
      `from ${1 - max} to ${max - 1}`,
      `from ${1 - max} to ${max - 1}`,
    ],
    [{ minimum: 4, exclusiveMinimum: 9 }, 'of at least 4', 'of at least 4'],
    [{ maximum: 4, exclusiveMaximum: 2 }, 'of at most 4', 'of at most 4'],
    [{ minimum: 1, maximum: max }, 'above 0', 'of at least 1'],
  ])('the range %j of a whole number is %j and of a number is %j', (range, whole, any) => {
    const words = (type: 'integer' | 'number') => expectation({ type, ...range }, 'toml')
    expect(words('integer')).toBe(`a whole number ${whole}`.trim())
    expect(words('number')).toBe(`a number ${any}`.trim())
  })

  it.each<[Partial<SchemaNode>, string]>([
    [{}, 'text'],
    [{ minLength: 0 }, 'text'],
    [{ minLength: 1 }, 'text that is not empty'],
    [{ minLength: 2 }, 'text of at least 2 characters'],
    [{ maxLength: 9 }, 'text of at most 9 characters'],
    [{ minLength: 0, maxLength: 9 }, 'text of at most 9 characters'],
    [{ minLength: 1, maxLength: 9 }, 'text of 1 to 9 characters'],
    [{ pattern: '^a$', minLength: 1 }, 'text that matches ^a$'],
    [{ format: 'uri', pattern: '^a$' }, 'a URL'],
    [{ format: 'email' }, 'an e-mail address'],
    [{ format: 'uuid' }, 'a UUID'],
    [{ format: 'date-time' }, 'a date and time'],
    [{ format: 'date' }, 'a date'],
    [{ format: 'time' }, 'a time of day'],
    [{ format: 'ipv4' }, 'an IPv4 address'],
    [{ format: 'ipv6' }, 'an IPv6 address'],
    [{ format: 'other', minLength: 1 }, 'text that is not empty'],
  ])('text with %j is %s', (rules, words) => {
    expect(expectation({ type: 'string', ...rules }, 'json')).toBe(words)
  })

  it.each<[Partial<SchemaNode>, string]>([
    [{}, 'a list of values'],
    [{ items: { type: 'string' } }, 'a list of text'],
    [{ items: { type: 'string', format: 'uri' } }, 'a list of URLs'],
    [{ items: { type: 'string', format: 'email' } }, 'a list of text'],
    [{ items: { type: 'integer' } }, 'a list of whole numbers'],
    [{ items: { type: 'number' } }, 'a list of numbers'],
    [{ items: { type: 'boolean' } }, 'a list of values'],
    [{ items: { enum: ['a', 1] } }, 'a list of "a", 1'],
    [{ items: true }, 'a list of values'],
    [{ items: [{ type: 'string' }] }, 'a list of values'],
    [{ minItems: 0 }, 'a list of values'],
    [{ minItems: 1 }, 'a list of at least 1 values'],
    [{ maxItems: 0 }, 'a list of at most 0 values'],
    [{ minItems: 1, maxItems: 3 }, 'a list of at least 1 and at most 3 values'],
  ])('a list with %j is %s', (rules, words) => {
    expect(expectation({ type: 'array', ...rules }, 'json')).toBe(words)
  })

  it('names tables as the format does', () => {
    const table: SchemaNode = { type: 'object' }
    const tables: SchemaNode = { type: 'array', items: { type: 'object' } }
    expect([expectation(table, 'toml'), expectation(tables, 'toml')]).toEqual([
      'a section',
      'a list of sections',
    ])
    expect([expectation(table, 'json'), expectation(tables, 'json')]).toEqual([
      'an object',
      'a list of objects',
    ])
  })
})

describe('the node of a key', () => {
  const text: SchemaNode = { type: 'string' }
  const whole: SchemaNode = { type: 'integer' }
  const root: SchemaNode = {
    type: 'object',
    properties: {
      name: text,
      list: { type: 'array', items: whole },
      pair: { type: 'array', prefixItems: [text, whole], items: { type: 'null' } },
      old: { type: 'array', items: [text] },
      by: { type: 'object', properties: { own: whole }, additionalProperties: text },
      either: {
        anyOf: [whole, { properties: { a: text } }],
        oneOf: [{ properties: { b: whole } }],
      },
      any: true,
      closed: { type: 'object', additionalProperties: false },
    },
  }
  it.each<[(string | number)[], SchemaNode | undefined]>([
    [[], root],
    [['name'], text],
    [['name', 'x'], undefined],
    [['list', 7], whole],
    [['list', 'x'], undefined],
    [['pair', 0], text],
    [['pair', 1], whole],
    [['pair', 2], { type: 'null' }],
    [['old', 0], undefined],
    [['by', 'own'], whole],
    [['by', 'other'], text],
    [['by', 'constructor'], text],
    [['either', 'a'], text],
    [['either', 'b'], whole],
    [['either', 'c'], undefined],
    [['any'], undefined],
    [['any', 'x'], undefined],
    [['closed', 'x'], undefined],
    [['constructor'], undefined],
    [['missing', 'x'], undefined],
  ])('at %j is %j', (path, node) => {
    expect(nodeAt(root, path)).toEqual(node)
  })

  it('is missing without a schema', () => {
    expect(nodeAt(undefined, [])).toBeUndefined()
    expect(nodeAt(undefined, ['a'])).toBeUndefined()
  })

  it('is that of the input, with inline copies of a schema that occurs twice', () => {
    const inner = z.object({ a: z.string() })
    const schema = z.object({
      one: inner,
      two: z._default(inner, { a: '' }),
      own: z.custom(() => true),
    })
    const { $schema, ...node } = schemaNode(schema)
    const expected = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
    expect($schema).toBe('https://json-schema.org/draft/2020-12/schema')
    expect(node).toEqual({
      type: 'object',
      properties: { one: expected, two: { default: { a: '' }, ...expected }, own: {} },
      required: ['one', 'own'],
    })
  })
})
