// Warnings, problems and origins of whole configurations, by exact values.
import { afterAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { ZeeError } from '../errors/errors.ts'
import { configFolder, flat, layered, sectioned } from './config.fixtures.ts'
import {
  defineConfig,
  inspectConfig,
  loadConfig,
  originText,
  setting,
  type ConfigDefinition,
  type ConfigOverride,
  type ConfigSource,
} from './config.ts'

const { folder, write, remove } = configFolder()
afterAll(remove)

async function warningsOf(definition: ConfigDefinition, text: string): Promise<string[]> {
  const file = write(text)
  const { warnings } = await loadConfig(definition, [{ path: file }])
  return warnings.map((warning) => warning.replace(file, 'F'))
}

describe('warnings about unknown keys', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `k${at} = ${at}`)
  const each = (count: number) =>
    Array.from({ length: count }, (_, at) => `F:${at + 1}: unknown key k${at}, ignored`)

  it.each([
    [20, each(20)],
    [21, [...each(20), 'F: 1 more unknown keys']],
    [22, [...each(20), 'F: 2 more unknown keys']],
  ])('of %i keys', async (count, expected) => {
    expect(await warningsOf(flat, lines(count).join('\n'))).toEqual(expected)
  })

  it('name an environment variable or a flag by its place', async () => {
    const overrides: ConfigOverride[] = [
      { key: 'modle', value: 'x', from: { environment: 'MODLE' } },
      { key: 'modle', value: 'x', from: { flag: '--modle' } },
    ]
    const strict: ConfigDefinition = { ...flat, unknownKeys: 'error' }
    const { problems, config } = await inspectConfig(strict, [], overrides)
    const text = 'unknown key modle (did you mean model?)'
    expect(config).toBeUndefined()
    expect(problems).toEqual([
      {
        code: 'config_invalid',
        message: `environment variable MODLE: ${text}`,
        path: undefined,
        line: undefined,
        key: 'modle',
      },
      {
        code: 'usage',
        message: `--modle: ${text}`,
        path: undefined,
        line: undefined,
        key: 'modle',
      },
    ])
  })
})

describe('unknown keys as errors', () => {
  const strict: ConfigDefinition = { ...sectioned, unknownKeys: 'error' }

  it('are problems with their lines, sorted with the others', async () => {
    const file = write('a = 1\n[logging]\nlevel = 5\nb = 1\n')
    const { problems, warnings } = await inspectConfig(strict, [{ path: file }])
    const common = { code: 'config_invalid', path: file }
    expect(warnings).toEqual([])
    expect(problems).toEqual([
      { ...common, message: `${file}:1: unknown key a`, line: 1, key: 'a' },
      {
        ...common,
        message: `${file}:3: logging.level must be one of "DEBUG", "INFO", "WARNING" (got 5)`,
        line: 3,
        key: 'logging.level',
      },
      { ...common, message: `${file}:4: unknown key logging.b`, line: 4, key: 'logging.b' },
    ])
  })

  it('come from a strict table with the policy to ignore them, too', async () => {
    const definition = defineConfig({
      ...layered,
      schema: z.strictObject({ a: z.optional(z.int()) }),
    })
    const file = write('{"a": 1,\n"b": 2}')
    await expect(loadConfig(definition, [{ path: file }])).rejects.toMatchObject({
      message: `${file}:2: unknown key b`,
    })
  })
})

describe('a config with problems', () => {
  it.each([
    ['[api]\nkey = 1', 'F:2: api.key must be text (got a number)'],
    [
      '[api]\nkey = 1\nbase_url = 2',
      'F:2: api.key must be text (got a number) (and 1 more problem)',
    ],
    [
      '[api]\nkey = 1\nbase_url = 2\n[rtr]\nstreaming = 3',
      'F:2: api.key must be text (got a number) (and 2 more problems)',
    ],
  ])('%j is refused with the first and the number of others', async (text, expected) => {
    const file = write(text)
    const error: unknown = await loadConfig(sectioned, [{ path: file }]).catch((e: unknown) => e)
    expect(error).toBeInstanceOf(ZeeError)
    expect(error).toMatchObject({ code: 'config_invalid', message: expected.replace('F', file) })
  })

  it('from a flag is a usage error, from a file not', async () => {
    const from = { flag: '--tokens' }
    const loading = loadConfig(flat, [], [{ key: 'max_tokens', value: -1, from }])
    await expect(loading).rejects.toMatchObject({
      code: 'usage',
      exitCode: 2,
      message: '--tokens: max_tokens must be a whole number from 0 to 4294967295 (got -1)',
    })
    const file = write('max_tokens = -1')
    await expect(loadConfig(flat, [{ path: file }])).rejects.toMatchObject({
      code: 'config_invalid',
      exitCode: 1,
    })
  })

  it('keeps the error of the system as the cause', async () => {
    const sources: ConfigSource[] = [{ path: folder }]
    await expect(loadConfig(flat, sources)).rejects.toMatchObject({
      code: 'config_unreadable',
      message: `Failed to read config from ${folder}: it is a folder`,
    })
    const missing = { path: `${folder}/none`, required: true }
    await expect(loadConfig(layered, [missing])).rejects.toMatchObject({
      code: 'config_unreadable',
      message: `cannot read ${folder}/none: no such file or folder`,
      cause: { code: 'ENOENT' },
    })
  })

  it('has a whole number with a decimal point in a list or a section', async () => {
    const definition = defineConfig({
      ...sectioned,
      schema: z.object({
        list: z.optional(z.array(z.int())),
        box: z.optional(z.object({ n: z.int(), f: z.number() })),
        either: z.optional(z.union([z.string(), z.int()])),
      }),
    })
    const file = write('list = [1, 2.0]\neither = 4.0\n[box]\nn = 3.0\nf = 3.0\nunknown = 1.0\n')
    const { problems } = await inspectConfig(definition, [{ path: file }])
    const words = 'must be a whole number, without a decimal point'
    expect(problems.map(({ message, line, key }) => [message, line, key])).toEqual([
      [`${file}:1: list[1] ${words}`, 1, 'list[1]'],
      [`${file}:4: box.n ${words}`, 4, 'box.n'],
    ])
  })

  it('that only the whole has is found after the merge', async () => {
    const definition = defineConfig({
      ...layered,
      schema: z.object({
        list: z.optional(z.array(z.object({ id: z.string() }))),
        box: z.optional(z.object({ size: z.int(), name: z.string() })),
      }),
    })
    const one = write('{"box": {"size": 1}}')
    const two = write('{"box": {"name": "x"}}')
    const three = write('{"box": {}, "list": [{}]}')
    const both = await loadConfig(definition, [{ path: one }, { path: two }])
    expect(both.values).toEqual({ box: { size: 1, name: 'x' } })
    const { problems } = await inspectConfig(definition, [{ path: one }, { path: three }])
    expect(problems.map(({ message }) => message)).toEqual([
      `${three}:1: list[0].id is missing; it must be text`,
    ])
    const half = await inspectConfig(definition, [{ path: one }])
    expect(half.problems).toEqual([
      {
        code: 'config_invalid',
        message: `${one}:1: box.name is missing; it must be text`,
        path: one,
        line: 1,
        key: 'box.name',
      },
    ])
    const none = await inspectConfig(
      defineConfig({ ...layered, schema: z.object({ a: z.int() }) }),
      [],
    )
    expect(none).toEqual({
      problems: [
        { code: 'config_invalid', message: 'a is missing; it must be a whole number', key: 'a' },
      ],
      warnings: [],
    })
  })
})

describe('a file that its caller restricts', () => {
  it('has the data that is left, and a warning for each ignored key', async () => {
    const low = write('model = "low"\n')
    const high = write('model = "high"\nmax_tokens = 3\n')
    const seen: unknown[] = []
    const config = await loadConfig(flat, [
      { path: low },
      {
        path: high,
        restrict: async ({ path, bytes, data, below }) => {
          seen.push([
            path,
            Buffer.from(bytes).toString(),
            { ...data },
            below.map((each) => ({ ...each })),
          ])
          const reason = 'not\ntrusted'
          return {
            data: { max_tokens: 3 },
            ignored: [
              { key: ['model'], reason },
              { key: ['none'], reason },
            ],
          }
        },
      },
    ])
    expect(seen).toEqual([
      [
        high,
        'model = "high"\nmax_tokens = 3\n',
        { model: 'high', max_tokens: 3 },
        [{ model: 'low' }],
      ],
    ])
    expect(config.values).toMatchObject({ model: 'low', max_tokens: 3 })
    expect(config.files).toEqual([low, high])
    expect(config.warnings).toEqual([
      `${high}:1: model is ignored: not trusted`,
      `${high}: none is ignored: not trusted`,
    ])
  })
})

describe('the settings of a loaded config', () => {
  it('have every key with its value and origin', async () => {
    const file = write('[api]\nkey = ""\n[agent]\nmax_iterations = 4\n')
    const from = { environment: 'LEVEL' }
    const overrides = [{ key: 'logging.level', value: 'DEBUG', from }]
    const config = await loadConfig(sectioned, [{ path: file }], overrides)
    const none = { kind: 'default' }
    const inFile = (line: number) => ({ kind: 'file', path: file, line })
    expect(config.settings()).toEqual([
      { key: 'api.base_url', value: 'https://example.org/v1', origin: none },
      { key: 'api.key', value: '', origin: inFile(2) },
      { key: 'agent.temperature', value: 1, origin: none },
      { key: 'agent.max_iterations', value: 4, origin: inFile(4) },
      { key: 'rtr.socket', value: '/run/rtr.sock', origin: none },
      { key: 'rtr.streaming', value: true, origin: none },
      { key: 'rtr.fallback', value: [], origin: none },
      { key: 'logging.level', value: 'DEBUG', origin: { kind: 'environment', name: 'LEVEL' } },
    ])
    expect(config.origin(['logging', 'level'])).toEqual({ kind: 'environment', name: 'LEVEL' })
    expect(config.origin('rtr.fallback')).toEqual(none)
    expect(config.origin(['rtr', 'fallback', 0])).toEqual(none)
  })

  it('have no value for a key inside a table that is not set', async () => {
    const definition = defineConfig({
      ...flat,
      schema: z.object({
        box: setting(z.optional(z.object({ a: z.int() })), { description: '' }),
      }),
    })
    expect((await loadConfig(definition, [])).settings()).toEqual([
      { key: 'box.a', value: undefined, origin: { kind: 'default' } },
    ])
  })
})

it.each([
  [{ kind: 'default' } as const, 'default'],
  [{ kind: 'file', path: '/f' } as const, '/f'],
  [{ kind: 'file', path: '/f', line: 7 } as const, '/f:7'],
  [{ kind: 'environment', name: 'X' } as const, 'environment X'],
  [{ kind: 'flag', name: '--x' } as const, 'flag --x'],
])('the origin %j as text is %s', (origin, text) => {
  expect(originText(origin)).toBe(text)
})
