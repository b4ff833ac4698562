import { expect, it } from 'vitest'
import { context } from '../../../test/decoding.ts'
import { encodeGemini } from './encode.ts'
import { geminiSchema, isPlainSchema } from './schema.ts'

const text = { type: 'string' }

it.each([
  [text, true],
  [{ type: 'string', format: 'date', description: 'd', default: 'x', examples: ['y'] }, true],
  [{ type: 'string', $schema: 's', $id: 'i', $comment: 'c', deprecated: true }, true],
  [{ type: ['string', 'null'] }, true],
  [{ type: ['null', 'integer'] }, true],
  [{ type: ['string', 'integer'] }, false],
  [{ type: ['string', 'null', 'integer'] }, false],
  [{ type: ['null'] }, false],
  [{ type: 'unknown' }, false],
  [{}, false],
  [{ description: 'd' }, false],
  [{ enum: ['a', 'b'] }, true],
  [{ enum: [] }, false],
  [{ enum: [1] }, false],
  [{ type: 'string', enum: [1] }, false],
  [{ anyOf: [text] }, true],
  [{ anyOf: [text, {}] }, false],
  [{ type: 'string', const: 'x' }, false],
  [{ type: 'object', properties: { a: text }, required: ['a'] }, true],
  [{ type: 'object', properties: { a: text }, additionalProperties: false }, true],
  [{ type: 'object', properties: { a: text }, additionalProperties: text }, false],
  [{ type: 'object', properties: { a: {} } }, false],
  [{ type: 'object', properties: {} }, false],
  [{ type: 'object' }, false],
  [{ type: 'array', items: text }, true],
  [{ type: 'array', items: {} }, false],
  [{ type: 'array' }, false],
  ['string', false],
])('isPlainSchema(%j) is %s', (schema, expected) => {
  expect(isPlainSchema(schema)).toBe(expected)
})

it.each(['$ref', 'allOf', 'anyOf', 'oneOf'])('a schema with %s keeps its JSON Schema', (key) => {
  const schema = { type: 'object', [key]: [{ const: 1 }], $schema: 'dialect' }
  const tools = [{ name: 'f', description: 'd', schema }]
  const body = encodeGemini(
    { model: 'm', system: '', messages: [], tools, maxTokens: 1 },
    context('gemini'),
  )
  expect(body.tools?.[0]?.functionDeclarations).toEqual([
    {
      name: 'f',
      description: 'd',
      parametersJsonSchema: { type: 'object', [key]: [{ const: 1 }] },
    },
  ])
})

it.each([
  ...['minItems', 'maxItems', 'minimum', 'maximum', 'minLength', 'maxLength'].map((key) => ({
    [key]: 3,
  })),
  ...['string', 'number', 'integer', 'boolean', 'null'].map((type) => ({ type })),
  ...['date-time', 'enum', 'int32', 'int64', 'float', 'double'].map((format) => ({ format })),
  { anyOf: [{ type: 'string' }] },
])('geminiSchema keeps %j', (schema) => {
  expect(geminiSchema(schema)).toEqual(schema)
})

it.each<[object, object]>([
  [{ type: ['string', 'null'] }, { type: 'string', nullable: true }],
  [{ type: ['string', 'integer'] }, {}],
  [{ type: ['string', 'integer', 'null'] }, { nullable: true }],
  [{ type: ['null'] }, { type: 'null' }],
  [{ type: 'text' }, {}],
  [{ type: [] }, {}],
  [{ const: 'x' }, { type: 'string', enum: ['x'] }],
  [{ const: 1 }, {}],
  [
    { const: 'x', enum: ['y'] },
    { type: 'string', enum: ['x'] },
  ],
  [{ enum: ['a', 1] }, {}],
  [{ enum: [] }, {}],
  [
    { title: 't', description: 'd', pattern: 'p', format: 'uri' },
    { title: 't', description: 'd', pattern: 'p' },
  ],
  [{ title: 1, minimum: '1' }, {}],
  [{ required: [] }, {}],
  [{ required: ['a', 1] }, { required: ['a'] }],
  [{ items: 'x' }, {}],
  [{ items: { type: 'string' } }, { items: { type: 'string' } }],
  [{ properties: { a: 'x', b: { type: 'null' } } }, { properties: { a: {}, b: { type: 'null' } } }],
  [{ anyOf: [], oneOf: ['x'] }, {}],
  [
    { anyOf: [{ type: 'string' }], oneOf: [{ type: 'integer' }, 'x'] },
    { anyOf: [{ type: 'string' }, { type: 'integer' }] },
  ],
])('geminiSchema reduces %j to %j', (schema, expected) => {
  expect(geminiSchema(schema as Record<string, unknown>)).toEqual(expected)
})
