// The JSON Schema and the Markdown table of a definition.
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { flat, layered, sectioned } from './config.fixtures.ts'
import { defineConfig, setting } from './definition.ts'
import { configJsonSchema, configTable } from './docs.ts'

test('the JSON Schema has descriptions, defaults and examples in the order of the keys', () => {
  const schema = configJsonSchema(sectioned)
  expect(Object.keys(schema)).toEqual(['$schema', 'title', 'type', 'properties'])
  expect(schema).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'sectioned configuration',
    type: 'object',
    properties: {
      api: {
        description: 'The model server.',
        properties: {
          key: { type: 'string', default: '', description: 'API key.', writeOnly: true },
        },
      },
      agent: { properties: { max_iterations: { type: 'integer', examples: [5] } } },
      logging: { properties: { level: { enum: ['DEBUG', 'INFO', 'WARNING'], default: 'INFO' } } },
    },
  })
  const text = JSON.stringify(schema)
  expect(text).not.toMatch(/"(secret|commented|example)"/)
  expect(JSON.stringify(configJsonSchema(sectioned))).toBe(text)
})

test('the JSON Schema accepts unknown keys, as the programs do', () => {
  expect(JSON.stringify(configJsonSchema(layered))).not.toContain('additionalProperties')
})

test('the Markdown table has a row for every key', () => {
  expect(configTable(flat)).toBe(`| key | type | default | meaning |
| --- | --- | --- | --- |
| \`model\` | text | \`"small"\` | Model that answers. |
| \`max_tokens\` | whole number from 0 to 4294967295 | \`1024\` | Longest answer. |
| \`tool_timeout_secs\` | whole number from 0 to 4294967295 | \`30\` | 0 means no limit. |
| \`system_prompt\` | text | none | Text sent first. |
| \`base_url\` | URL | none | Another server. |
`)
  expect(configTable(layered)).toBe(`| key | type | default | meaning |
| --- | --- | --- | --- |
| \`schemaVersion\` | 1 | \`1\` | Version of this file. |
| \`outRoot\` | text that is not empty | \`".out"\` | Where everything is written. |
| \`redaction.extraRules\` | list of at most 128 objects | \`[]\` | Own rules. |
| \`redaction.extraRules[].id\` | text that matches ^[a-z-]+$ | required | Name. |
| \`redaction.extraRules[].regex\` | text of at most 4096 characters | required | What. |
| \`runtime.strategyChain\` | list of text | none |  |
`)
  expect(configTable(sectioned)).toBe(`| key | type | default | meaning |
| --- | --- | --- | --- |
| \`api.base_url\` | text | \`"https://example.org/v1"\` | Where the model is. |
| \`api.key\` | text | \`""\` | API key. |
| \`agent.temperature\` | number from 0 to 2 | \`1\` | From 0 to 2. |
| \`agent.max_iterations\` | whole number above 0 | none | Shown to the model. |
| \`rtr.socket\` | text | \`"/run/rtr.sock"\` | Where it listens. |
| \`rtr.streaming\` | true or false | \`true\` | Pieces as they come. |
| \`rtr.fallback\` | list of sections | \`[]\` | Servers to try next. |
| \`rtr.fallback[].base_url\` | text | required | Where. |
| \`rtr.fallback[].key\` | text | none | Key. |
| \`logging.level\` | one of "DEBUG", "INFO", "WARNING" | \`"INFO"\` | How much is said. |
`)
})

test('the Markdown table escapes bars, joins lines, and describes tables with chosen names', () => {
  const server = z.object({ url: setting(z.string(), { description: 'One\n  two | three.' }) })
  const definition = defineConfig({
    ...flat,
    schema: z.object({
      by: setting(z.record(z.string(), server), { description: 'By name.' }),
      names: setting(z.record(z.string(), z.int()), { description: 'Numbers.' }),
      mode: setting(z._default(z.enum(['a|b', 'c']), 'a|b'), { description: '' }),
      item: setting(z.optional(z.array(z.string())), { description: 'I.' }),
    }),
  })
  expect(configTable(definition).split('\n').slice(2)).toEqual([
    '| `by` | section | required | By name. |',
    '| `by.<name>.url` | text | required | One two \\| three. |',
    '| `names` | section | required | Numbers. |',
    '| `mode` | one of "a\\|b", "c" | `"a\\|b"` |  |',
    '| `item` | list of text | none | I. |',
    '',
  ])
})

test('the JSON Schema has examples and secrets as its own rules', () => {
  const shared = z.object({ a: z.string() })
  const definition = defineConfig({
    ...flat,
    schema: z.object({
      key: setting(z.optional(z.string()), { description: 'K.', example: 'x', secret: true }),
      open: setting(z.optional(z.string()), { description: 'O.', secret: false, commented: true }),
      own: setting(
        z.custom(() => true),
        { description: 'C.' },
      ),
      one: shared,
      two: shared,
    }),
  })
  const table = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
  expect(configJsonSchema(definition)).toEqual({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'flat configuration',
    type: 'object',
    properties: {
      key: { description: 'K.', type: 'string', examples: ['x'], writeOnly: true },
      open: { description: 'O.', type: 'string' },
      own: { description: 'C.' },
      one: table,
      two: table,
    },
    required: ['own', 'one', 'two'],
  })
})
