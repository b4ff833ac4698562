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

test('a template of sections has every key with its comment', () => {
  expect(configTemplate(sectioned)).toBe(`# sectioned configuration
# Remove the # in front of a key to set it.

# The model server.
[api]

# Where the model is.
base_url = "https://example.org/v1"

# API key.
key = ""

# The loop.
[agent]

# From 0 to 2.
temperature = 1.0

# Shown to the model.
# max_iterations = 5

# The router.
[rtr]

# Where it listens.
socket = "/run/rtr.sock"

# Pieces as they come.
streaming = true

# Servers to try next.
# [[rtr.fallback]]
# base_url = "http://localhost:1"
#
# [[rtr.fallback]]
# base_url = "http://localhost:2"

# Messages on stderr.
[logging]

# How much is said.
level = "INFO"
`)
})

test('a key without default and example has a plain value that it accepts', () => {
  const plain = (schema: z.ZodMiniType, more = {}) =>
    setting(schema, { description: 'D.', ...more })
  const server = z.object({ url: z.string() })
  const definition = defineConfig({
    ...flat,
    title: 'two\n\nlines',
    schema: z.object({
      any: plain(z.string()),
      filled: plain(z.string().check(z.minLength(1))),
      zero: plain(z.int()),
      one: plain(z.int().check(z.positive())),
      float: plain(z.number()),
      above: plain(z.number().check(z.positive())),
      off: plain(z.boolean()),
      none: plain(z.enum(['other'])),
      list: plain(z.array(z.string())),
      off2: plain(z._default(z.int(), 7), { commented: true }),
      on: plain(z._default(z.int(), 8), { commented: false }),
      silent: setting(z._default(z.array(z.int()), [1, 2]), { description: '' }),
      lines: setting(z._default(z.boolean(), false), { description: 'One\r\n\u001btwo' }),
      mixed: plain(z._default(z.array(z.union([z.int(), server])), [1])),
      open: plain(z.optional(z.object({ inner: plain(z._default(z.string(), 'x')) }))),
      tables: plain(z.optional(z.array(server))),
      record: plain(z.optional(z.record(z.string(), server))),
      either: plain(z._default(z.union([z.string(), server]), { url: 'u' })),
      choices: plain(z._default(z.union([z.string(), z.array(server)]), [{ url: 'v' }])),
    }),
  })
  expect(configTemplate(definition)).toBe(`# two
#
# lines
# Remove the # in front of a key to set it.

# D.
# any = ""

# D.
# filled = "text"

# D.
# zero = 0

# D.
# one = 1

# D.
# float = 0.0

# D.
# above = 1.0

# D.
# off = false

# D.
# none = ""

# D.
# list = []

# D.
# off2 = 7

# D.
on = 8

silent = [ 1, 2 ]

# One
# two
lines = false

# D.
mixed = [ 1 ]

# D.
# [open]

# D.
# inner = "x"

# D.
# [[tables]]

# D.
# [record]

# D.
[either]
url = "u"

# D.
[[choices]]
url = "v"
`)
})

test('a JSON template leaves out what is commented out, also in tables', () => {
  const on = { description: '' }
  const definition = defineConfig({
    ...layered,
    schema: z.object({
      a: setting(z._default(z.int(), 1), on),
      b: setting(z._default(z.int(), 2), { ...on, commented: true }),
      c: section({ d: setting(z._default(z.int(), 3), on), e: z.optional(z.int()) }, on),
      f: section({ g: z.optional(z.int()) }, on),
      h: section({ i: setting(z._default(z.int(), 4), on) }, { ...on, commented: true }),
    }),
  })
  expect(JSON.parse(configTemplate(definition))).toEqual({ a: 1, c: { d: 3 } })
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
