// Loading: defaults, files, overrides, origins and unknown keys.
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { configFolder, flat, layered, sectioned } from './config.fixtures.ts'
import { defineConfig, loadConfig, originText } from './config.ts'

const { folder, write, remove } = configFolder()
afterAll(remove)

describe('defaults and files', () => {
  test('a missing file gives the defaults', async () => {
    const config = await loadConfig(flat, [{ path: path.join(folder, 'none.toml') }])
    expect(config.values).toEqual({ model: 'small', max_tokens: 1024, tool_timeout_secs: 30 })
    expect(config.files).toEqual([])
    expect(config.warnings).toEqual([])
    expect(originText(config.origin('model'))).toBe('default')
  })

  test('a missing parent folder counts as a missing file', async () => {
    const file = write('')
    const config = await loadConfig(flat, [{ path: path.join(file, 'below', 'config.toml') }])
    expect(config.values.model).toBe('small')
  })

  test('a partial file merges with the defaults, and each value has its line as origin', async () => {
    const file = write('# mine\n\nmax_tokens = 5\n')
    const config = await loadConfig(flat, [{ path: file }])
    expect(config.values).toEqual({ model: 'small', max_tokens: 5, tool_timeout_secs: 30 })
    expect(config.origin('max_tokens')).toEqual({ kind: 'file', path: file, line: 3 })
    expect(originText(config.origin('max_tokens'))).toBe(`${file}:3`)
    expect(originText(config.origin('model'))).toBe('default')
    expect(config.files).toEqual([file])
  })

  test('an empty file and /dev/null give the defaults', async () => {
    expect((await loadConfig(flat, [{ path: write('') }])).values.model).toBe('small')
    expect((await loadConfig(flat, [{ path: '/dev/null' }])).values.model).toBe('small')
  })

  test('a byte order mark and CRLF line ends are accepted', async () => {
    const file = write('\ufeffmodel = "m"\r\n[x]\r\n# c\r\nmax_tokens = 2\r\n')
    const config = await loadConfig(flat, [{ path: file }])
    expect(config.values.model).toBe('m')
    expect(config.warnings).toEqual([`${file}:2: unknown key x, ignored`])
    const json = write('\ufeff{\r\n"outRoot": "x"\r\n}\r\n')
    expect(originText((await loadConfig(layered, [{ path: json }])).origin('outRoot'))).toBe(
      `${json}:2`,
    )
  })

  test('sections keep the defaults of the keys they leave out', async () => {
    const file = write('[rtr]\nstreaming = false\n[[rtr.fallback]]\nbase_url = "a"\n')
    const config = await loadConfig(sectioned, [{ path: file }])
    expect(config.values.rtr).toEqual({
      socket: '/run/rtr.sock',
      streaming: false,
      fallback: [{ base_url: 'a' }],
    })
    expect(config.values.agent).toEqual({ temperature: 1 })
    expect(originText(config.origin('rtr.fallback'))).toBe(`${file}:3`)
    expect(originText(config.origin(['rtr', 'fallback', 0, 'base_url']))).toBe(`${file}:4`)
    expect(originText(config.origin('rtr.socket'))).toBe('default')
  })

  test('the settings list every key with value and origin and hide secrets', async () => {
    const file = write('[api]\nkey = "sk-123"\n[[rtr.fallback]]\nbase_url="x"\nkey="sk-456"\n')
    const config = await loadConfig(sectioned, [{ path: file }])
    const rows = config.settings()
    expect(rows.map((row) => row.key)).toEqual([
      'api.base_url',
      'api.key',
      'agent.temperature',
      'agent.max_iterations',
      'rtr.socket',
      'rtr.streaming',
      'rtr.fallback',
      'logging.level',
    ])
    expect(rows[1]).toEqual({
      key: 'api.key',
      value: '(hidden)',
      origin: { kind: 'file', path: file, line: 2 },
    })
    expect(JSON.stringify(rows)).not.toContain('sk-')
    expect(config.values.api.key).toBe('sk-123')
  })
})

describe('precedence', () => {
  test('flag beats environment beats project beats global beats default', async () => {
    const global = write('{"outRoot": "global", "runtime": {"strategyChain": ["a"]}}', 'g.json')
    const project = write('{"outRoot": "project"}', 'p.json')
    const sources = [{ path: global }, { path: project }]
    const env = { key: 'outRoot', value: 'env', from: { environment: 'OUT_ROOT' } }
    const flag = { key: 'outRoot', value: 'flag', from: { flag: '--out-root' } }
    const read = async (...overrides: (typeof env | typeof flag)[]): Promise<string[]> => {
      const config = await loadConfig(layered, sources, overrides)
      expect(config.values.runtime).toEqual({ strategyChain: ['a'] })
      return [config.values.outRoot, originText(config.origin('outRoot'))]
    }
    expect(await read(env, flag)).toEqual(['flag', 'flag --out-root'])
    expect(await read(env)).toEqual(['env', 'environment OUT_ROOT'])
    expect(await read()).toEqual(['project', `${project}:1`])
    expect((await loadConfig(layered, [{ path: global }])).values.outRoot).toBe('global')
  })

  test('an override without a value counts as unset', async () => {
    const from = { flag: '--out-root' }
    const config = await loadConfig(layered, [], [{ key: 'outRoot', value: undefined, from }])
    expect(config.values.outRoot).toBe('.out')
  })

  test('a list comes from the source of highest precedence, and its items have their lines', async () => {
    const rules = (id: string): string =>
      `{"redaction": {"extraRules": [\n{"id": "${id}", "regex": "x"}]}}`
    const global = write(rules('one'), 'g.json')
    const project = write(rules('two'), 'p.json')
    const config = await loadConfig(layered, [{ path: global }, { path: project }])
    expect(config.values.redaction?.extraRules).toEqual([{ id: 'two', regex: 'x' }])
    const origin = config.origin(['redaction', 'extraRules', 0])
    expect(originText(origin)).toBe(`${project}:2`)
  })

  test('an invalid value is an error even if a file of higher precedence overrides it', async () => {
    const global = write('{"outRoot": 5}', 'g.json')
    const project = write('{"outRoot": "project"}', 'p.json')
    const loading = loadConfig(layered, [{ path: global }, { path: project }])
    await expect(loading).rejects.toMatchObject({
      code: 'config_invalid',
      message: `${global}:1: outRoot must be text that is not empty (got 5)`,
    })
  })

  test('an invalid value from the environment or a flag names its origin', async () => {
    const value = 'lots'
    const key = 'max_tokens'
    await expect(
      loadConfig(flat, [], [{ key, value, from: { environment: 'TOKENS' } }]),
    ).rejects.toMatchObject({
      code: 'config_invalid',
      message:
        'environment variable TOKENS: max_tokens must be a whole number from 0 to 4294967295 (got "lots")',
    })
    await expect(
      loadConfig(flat, [], [{ key, value, from: { flag: '--tokens' } }]),
    ).rejects.toMatchObject({ code: 'usage', exitCode: 2 })
  })

  test('a required key may come from any source and is reported if no source has it', async () => {
    const definition = defineConfig({
      ...layered,
      schema: z.object({ name: z.string(), box: z.optional(z.object({ size: z.int() })) }),
    })
    const global = write('{"box": {}}', 'g.json')
    const project = write('{"name": "x",\n"box": {"size": 3}}', 'p.json')
    const config = await loadConfig(definition, [{ path: global }, { path: project }])
    expect(config.values).toEqual({ name: 'x', box: { size: 3 } })
    await expect(loadConfig(definition, [])).rejects.toMatchObject({
      message: 'name is missing; it must be text',
    })
    const half = write('{"name": "x",\n"box": {}}', 'h.json')
    await expect(loadConfig(definition, [{ path: half }])).rejects.toMatchObject({
      message: `${half}:2: box.size is missing; it must be a whole number`,
    })
  })

  test('a rule over several keys is checked on the merged config, not on one file', async () => {
    const definition = defineConfig({
      ...layered,
      schema: z
        .object({ low: z._default(z.int(), 0), high: z._default(z.int(), 10) })
        .check(z.refine((all) => all.low <= all.high, 'must have low below high')),
    })
    const global = write('{"low": 20}', 'g.json')
    const project = write('{"high": 30}', 'p.json')
    const both = await loadConfig(definition, [{ path: global }, { path: project }])
    expect(both.values).toEqual({ low: 20, high: 30 })
    await expect(loadConfig(definition, [{ path: global }])).rejects.toMatchObject({
      message: `${global}: the file must have low below high (got an object)`,
    })
  })
})

describe('unknown keys', () => {
  test('cause a warning with the closest key', async () => {
    const file = write('modle = "x"\n[api]\nsocket = 1\n[rtr]\nsocket = "a"\n[nope.a]\nb = 1\n')
    expect((await loadConfig(flat, [{ path: file }])).warnings).toEqual([
      `${file}:1: unknown key modle (did you mean model?), ignored`,
      `${file}:2: unknown key api, ignored`,
      `${file}:4: unknown key rtr, ignored`,
      `${file}:6: unknown key nope, ignored`,
    ])
    expect((await loadConfig(sectioned, [{ path: file }])).warnings).toEqual([
      `${file}:1: unknown key modle, ignored`,
      `${file}:3: unknown key api.socket (did you mean rtr.socket?), ignored`,
      `${file}:6: unknown key nope, ignored`,
    ])
  })

  test('are found inside a list of tables', async () => {
    const file = write('[[rtr.fallback]]\nbase_url = "a"\n[[rtr.fallback]]\nbase_url="b"\nurl=1\n')
    expect((await loadConfig(sectioned, [{ path: file }])).warnings).toEqual([
      `${file}:5: unknown key rtr.fallback[1].url, ignored`,
    ])
  })

  test('cause no warning if the definition ignores them', async () => {
    const file = write('{"other": {"a": [1]}}')
    expect((await loadConfig(layered, [{ path: file }])).warnings).toEqual([])
  })

  test('cause at most 20 warnings and a count of the rest', async () => {
    const lines = Array.from({ length: 1000 }, (_, index) => `k${index} = ${index}`)
    const { warnings } = await loadConfig(flat, [{ path: write(lines.join('\n')) }])
    expect(warnings).toHaveLength(21)
    expect(warnings.at(-1)).toMatch(/980 more unknown keys$/)
  })

  test('with terminal codes or long names cause one short line', async () => {
    const file = write(`"\\u001b[31mred" = 1\n"${'n'.repeat(5000)}" = 2\n`)
    const { warnings } = await loadConfig(flat, [{ path: file }])
    for (const warning of warnings) {
      expect(warning.length).toBeLessThan(file.length + 150)
      // oxlint-disable-next-line no-control-regex
      expect(warning).not.toMatch(/[\u0000-\u001f]/)
    }
  })

  test('that name the prototype do not change it', async () => {
    const toml = [
      '__proto__.polluted = 1',
      'constructor = 2',
      '[toString]\nvalueOf = 1',
      '["__proto__".x]\ny = 1',
    ]
    for (const text of toml) {
      const { values, warnings } = await loadConfig(flat, [{ path: write(text) }])
      expect(values).toEqual({ model: 'small', max_tokens: 1024, tool_timeout_secs: 30 })
      expect(warnings).toHaveLength(1)
    }
    const json = write('{"__proto__": {"outRoot": "bad"}, "constructor": {"prototype": {"x": 1}}}')
    const { values } = await loadConfig(layered, [{ path: json }])
    expect(values.outRoot).toBe('.out')
    const names = defineConfig({
      ...layered,
      schema: z.object({ by: z.record(z.string(), z.int()) }),
    })
    const record = write('{"by": {"__proto__": 1, "constructor": 2, "a": 3}}')
    const { by } = (await loadConfig(names, [{ path: record }])).values
    expect(Object.entries(by)).toEqual([
      ['constructor', 2],
      ['a', 3],
    ])
    expect(({} as Record<string, unknown>).x).toBeUndefined()
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test('and duplicate keys in JSON cause a warning, and the last value is used', async () => {
    const file = write('{"outRoot": "a",\n"outRoot": "b"}')
    const { values, warnings } = await loadConfig(layered, [{ path: file }])
    expect(values.outRoot).toBe('b')
    expect(warnings).toEqual([`${file}:2: outRoot is set twice; the last value is used`])
  })
})
