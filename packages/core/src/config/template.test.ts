// Properties of the template: it parses, yields the defaults, and every example is valid.
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { configFolder, flat, layered, sectioned } from './config.fixtures.ts'
import { defineConfig, inspectConfig, section, setting, type ConfigDefinition } from './config.ts'
import { configTemplate } from './template.ts'

const { write, remove } = configFolder()
afterAll(remove)

async function read(definition: ConfigDefinition, text: string): Promise<unknown> {
  const sources = [{ path: write(text) }]
  const { config, problems, warnings } = await inspectConfig(definition, sources)
  expect({ problems, warnings }).toEqual({ problems: [], warnings: [] })
  return config?.values
}

async function defaults(definition: ConfigDefinition): Promise<unknown> {
  return (await inspectConfig(definition, [])).config?.values
}

test('a flat template has the defaults as values and optional keys commented out', () => {
  expect(configTemplate(flat)).toBe(`# flat configuration
# Remove the # in front of a key to set it.

# Model that answers.
model = "small"

# Longest answer.
max_tokens = 1024

# 0 means no limit.
tool_timeout_secs = 30

# Text sent first.
# system_prompt = "Be brief."

# Another server.
# base_url = "http://localhost:8080"
`)
})

test('sections, floats and arrays of tables have their usual form', () => {
  const text = configTemplate(sectioned)
  expect(text).toContain('# The model server.\n[api]\n\n# Where the model is.\nbase_url = ')
  expect(text).toContain('temperature = 1.0\n')
  expect(text).toContain('# max_iterations = 5\n')
  expect(text).toContain(
    '# Servers to try next.\n# [[rtr.fallback]]\n# base_url = "http://localhost:1"\n#\n# [[rtr.fallback]]',
  )
})

test('a JSON template contains the defaults only', () => {
  expect(configTemplate(layered)).toBe('{\n  "schemaVersion": 1,\n  "outRoot": ".out"\n}\n')
})

test('a template parses to the defaults', async () => {
  for (const definition of [flat, sectioned, layered] as ConfigDefinition[]) {
    expect(await read(definition, configTemplate(definition))).toEqual(await defaults(definition))
  }
})

test('a template with every key uncommented parses', async () => {
  const on = (text: string): string => text.replace(/^# (?=\[|[\w-]+ = )/gm, '')
  expect(await read(flat, on(configTemplate(flat)))).toMatchObject({ system_prompt: 'Be brief.' })
  expect(await read(sectioned, on(configTemplate(sectioned)))).toMatchObject({
    agent: { max_iterations: 5 },
    rtr: { fallback: [{ base_url: 'http://localhost:1' }, { base_url: 'http://localhost:2' }] },
  })
})

test('tables with user-chosen names are shown with their example or their default', async () => {
  const server = z.object({ url: z.string() })
  const definition = defineConfig({
    ...flat,
    schema: z.object({
      servers: setting(z._default(z.record(z.string(), server), {}), {
        description: 'By name.',
        example: { local: { url: 'x' } },
      }),
      rules: setting(z._default(z.array(server), [{ url: 'y' }]), { description: 'In order.' }),
      bare: setting(z.optional(z.record(z.string(), server)), { description: 'No example.' }),
      last: setting(z._default(z.int(), 1), { description: 'After the tables above.' }),
    }),
  })
  const text = configTemplate(definition)
  expect(text).toContain('# By name.\n# [servers.local]\n# url = "x"\n')
  expect(text).toContain('# In order.\n[[rules]]\nurl = "y"\n')
  expect(text.indexOf('last = 1')).toBeLessThan(text.indexOf('[[rules]]'))
  expect(await read(definition, text)).toEqual(await defaults(definition))
})

test('any defaults and descriptions survive the round trip through a template', async () => {
  const scalar = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary' }),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
    fc.boolean(),
    fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 3 }),
  )
  const key = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 })
  const setup = fc.record({ value: scalar, description: fc.string(), commented: fc.boolean() })
  const keys = fc.dictionary(key, setup, { maxKeys: 4, noNullPrototype: true })
  const build = (
    from: Record<string, { value: unknown; description: string; commented: boolean }>,
  ) =>
    Object.fromEntries(
      Object.entries(from).map(([name, { value, ...meta }]) => [
        name,
        setting(z._default(typeOf(value), value), meta),
      ]),
    )
  await fc.assert(
    fc.asyncProperty(keys, keys, key, async (top, inner, name) => {
      fc.pre(![name, ...Object.keys(top), ...Object.keys(inner)].includes('__proto__'))
      const schema = z.object({
        ...build(top),
        [name]: section(build(inner), { description: 'x' }),
      })
      const definition = defineConfig({ ...flat, schema })
      expect(await read(definition, configTemplate(definition))).toEqual(await defaults(definition))
    }),
    { numRuns: 300 },
  )
})

function typeOf(value: unknown): z.ZodMiniType {
  if (Array.isArray(value)) return z.array(z.string())
  if (typeof value === 'number') return Number.isSafeInteger(value) ? z.int() : z.number()
  return typeof value === 'string' ? z.string() : z.boolean()
}
