// The JSON Schema and the Markdown table of a definition.
import { expect, test } from 'vitest'
import { flat, layered, sectioned } from './config.fixtures.ts'
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
  expect(configTable(layered)).toContain('| `redaction.extraRules[].id` | text that matches')
  expect(configTable(sectioned)).toContain(
    '| `logging.level` | one of "DEBUG", "INFO", "WARNING" | `"INFO"` | How much is said. |',
  )
})
