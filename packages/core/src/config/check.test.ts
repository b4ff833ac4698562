// Every kind of invalid config file, and its message.
import { execFileSync } from 'node:child_process'
import { chmodSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { ZeeError } from '../errors/errors.ts'
import { configFolder, flat, layered, sectioned } from './config.fixtures.ts'
import {
  defineConfig,
  inspectConfig,
  loadConfig,
  setting,
  type ConfigDefinition,
} from './config.ts'

const { folder, write, remove } = configFolder()
afterAll(remove)

async function failure(definition: ConfigDefinition, file: string): Promise<ZeeError> {
  const outcome = await loadConfig(definition, [{ path: file }]).catch((error: unknown) => error)
  expect(outcome).toBeInstanceOf(ZeeError)
  const error = outcome as ZeeError
  expect(error.message).not.toMatch(/\n|Invalid input/)
  return error
}

/** The error message for a file with `text`, with the file's path as `F`. */
async function complaint(definition: ConfigDefinition, text: string): Promise<string> {
  const file = write(text)
  const error = await failure(definition, file)
  expect(error.code).toBe('config_invalid')
  return error.message.replaceAll(file, 'F')
}

describe('an invalid config', () => {
  const u32 = 'a whole number from 0 to 4294967295'
  test.each([
    ['max_tokens = "lots"', `line 1: max_tokens must be ${u32} (got "lots")`],
    ['\n\nmax_tokens = -1', `line 3: max_tokens must be ${u32} (got -1)`],
    ['max_tokens = 4294967296', `line 1: max_tokens must be ${u32} (got 4294967296)`],
    [
      'max_tokens = 99999999999999999999',
      `line 1: max_tokens must be ${u32} (got 100000000000000000000)`,
    ],
    ['max_tokens = 1.5', `line 1: max_tokens must be ${u32} (got 1.5)`],
    ['max_tokens = nan', `line 1: max_tokens must be ${u32} (got NaN)`],
    ['max_tokens = 5.0', 'line 1: max_tokens must be a whole number, without a decimal point'],
    ['model = 5', 'line 1: model must be text (got 5)'],
    ['model = 1979-05-27', 'line 1: model must be text (got a date)'],
    ['[model]\na = 1', 'line 1: model must be text (got a section)'],
    ['[[model]]\na = 1', 'line 1: model must be text (got a list)'],
    ['base_url = "nope"', 'line 1: base_url must be a URL (got "nope")'],
  ])('names line, key and value in a flat file: %j', async (text, expected) => {
    expect(await complaint(flat, text)).toBe(`Failed to parse config from F: ${expected}`)
  })

  test.each([
    ['agent = 5', 'F:1: agent must be a section (got 5)'],
    ['api = 5', 'F:1: api must be a section (got a number)'],
    [
      '[agent]\nmax_iterations = 0',
      'F:2: agent.max_iterations must be a whole number above 0 (got 0)',
    ],
    ['agent.temperature = 3', 'F:1: agent.temperature must be a number from 0 to 2 (got 3)'],
    ['[rtr]\nstreaming = "yes"', 'F:2: rtr.streaming must be true or false (got "yes")'],
    ['[rtr]\nfallback = "x"', 'F:2: rtr.fallback must be a list of sections (got text, not shown)'],
    ['[rtr]\nfallback = [1]', 'F:2: rtr.fallback[0] must be a section (got a number)'],
    [
      '[[rtr.fallback]]\nbase_url = "x"\n\n[[rtr.fallback]]\nkey = "k"',
      'F:4: rtr.fallback[1].base_url is missing; it must be text',
    ],
    [
      '[logging]\nlevel = "LOUD"',
      'F:2: logging.level must be one of "DEBUG", "INFO", "WARNING" (got "LOUD")',
    ],
    [
      '[rtr]\nstreaming = 1\n[agent]\ntemperature = true\n[logging]\nlevel = 1',
      'F:2: rtr.streaming must be true or false (got 1) (and 2 more problems)',
    ],
  ])('names line, key and value in a file with sections: %j', async (text, expected) => {
    expect(await complaint(sectioned, text)).toBe(expected)
  })

  test.each([
    ['{"schemaVersion": 2}', 'F:1: schemaVersion must be 1 (got 2)'],
    ['{"outRoot": ""}', 'F:1: outRoot must be text that is not empty (got "")'],
    ['{"outRoot": null}', 'F:1: outRoot must be text that is not empty (got null)'],
    ['{"redaction": []}', 'F:1: redaction must be an object (got an empty list)'],
    [
      '{"redaction": {"extraRules": [\n{"id": "A B", "regex": "x"}]}}',
      'F:2: redaction.extraRules[0].id must be a kebab-case id (got "A B")',
    ],
    [
      `{"redaction": {"extraRules": [{"id": "a", "regex": "${'x'.repeat(5000)}"}]}}`,
      `F:1: redaction.extraRules[0].regex must be text of at most 4096 characters (got "${'x'.repeat(59)}…")`,
    ],
    [
      `{"redaction": {"extraRules": ${JSON.stringify(Array.from({ length: 129 }, () => ({ id: 'a', regex: 'b' })))}}}`,
      'F:1: redaction.extraRules must be a list of at most 128 objects (got a list)',
    ],
    ['[]', 'F: it must contain an object, such as {}'],
    ['', 'F:1:1: the file is empty'],
    ['{"outRoot": "a",}', 'F:1:17: a key in double quotes is expected here'],
    ['{\n  "outRoot" "a"}', 'F:2:13: ":" is expected here'],
    ['{"outRoot": \'a\'}', 'F:1:13: a value is expected here'],
    ['{"a": 1} x', 'F:1:10: unexpected text after the end'],
    ['{"a": "x', 'F:1:7: this text is not closed'],
    ['{"a": "\\q"}', 'F:1:8: this escape is unknown'],
    ['{"a": [1 2]}', 'F:1:10: "," or "]" is expected here'],
    ['['.repeat(100_000), 'F:1:202: it is nested too deeply'],
  ])('names line, key and value in JSON, case %#', async (text, expected) => {
    expect(await complaint(layered, text)).toBe(expected)
  })

  test.each([
    ['model = claude', 'line 1, column 9: this is not a value (text needs quotes)'],
    [
      'model = "a"\nmodel = "b"',
      'line 2, column 1: this key or section is already defined further up',
    ],
    ['[a]\n[a]', 'line 2, column 2: this key or section is already defined further up'],
    ['model', 'line 1, column 1: a key without "=" and a value'],
    ['model = "a" x', 'line 1, column 13: unexpected text after the value'],
    ['model = "a', 'line 1, column 9: this text is not closed'],
    [`a = ${'['.repeat(100_000)}`, 'line 1, column 205: it is nested too deeply'],
    [`${'a.'.repeat(300_000)}a = 1`, 'it is nested too deeply'],
  ])('names line and column of a syntax error, case %#', async (text, expected) => {
    expect(await complaint(flat, text)).toBe(`Failed to parse config from F: ${expected}`)
  })

  test('never shows a secret', async () => {
    const secret = 'sk-secret'
    const texts = [
      `api = "${secret}"`,
      `[api]\nkey = ["${secret}"]`,
      `[api]\nkey = { a = "${secret}" }`,
      `[api]\nkey = "${secret}`,
      `[api]\nkey = "${secret}" x`,
      `[api]\nkey = ${secret}`,
      `[api]\nbase_url = "x"\nkey = "${secret}"\nkey = "${secret}"`,
      `[[rtr.fallback]]\nkey = "${secret}"`,
      `rtr.fallback = ["${secret}"]`,
    ]
    const said: string[] = []
    for (const text of texts) said.push(await complaint(sectioned, text))
    expect(said).toEqual([
      'F:1: api must be a section (got text, not shown)',
      'F:2: api.key must be text (got a list)',
      'F:2: api.key must be text (got a section)',
      'F:2:7: this text is not closed',
      'F:2:19: unexpected text after the value',
      'F:2:7: this is not a value (text needs quotes)',
      'F:4:1: this key or section is already defined further up',
      'F:1: rtr.fallback[0].base_url is missing; it must be text',
      'F:1: rtr.fallback[0] must be a section (got text, not shown)',
    ])
    const json = defineConfig({
      ...layered,
      schema: z.object({ key: setting(z.optional(z.int()), { description: '', secret: true }) }),
    })
    expect(await complaint(json, `{"key": "${secret}"}`)).toBe(
      'F:1: key must be a whole number (got text, not shown)',
    )
    expect(await complaint(json, `{"key": "${secret}" 5}`)).not.toContain('secret')
  })

  test('returns every problem as data to a doctor command', async () => {
    const file = write('{"outRoot": 1,\n"schemaVersion": 3}')
    const other = path.join(folder, 'missing.json')
    const found = await inspectConfig(layered, [{ path: file }, { path: other, required: true }])
    expect(found.config).toBeUndefined()
    expect(found.problems.map(({ code, path, line, key }) => ({ code, path, line, key }))).toEqual([
      { code: 'config_unreadable', path: other, line: undefined, key: undefined },
      { code: 'config_invalid', path: file, line: 1, key: 'outRoot' },
      { code: 'config_invalid', path: file, line: 2, key: 'schemaVersion' },
    ])
  })
})

describe('a config file is refused', () => {
  async function unreadable(file: string): Promise<string> {
    const error = await failure(layered, file)
    expect(error.code).toBe('config_unreadable')
    const own = await failure(flat, file)
    expect(own.message).toMatch(/^Failed to read config from /)
    return error.message.replace(file, 'F')
  }

  test('if it is required and missing', async () => {
    const file = path.join(folder, 'absent.json')
    await expect(loadConfig(layered, [{ path: file, required: true }])).rejects.toMatchObject({
      code: 'config_unreadable',
      message: `cannot read ${file}: no such file or folder`,
    })
  })

  test('if it is a folder', async () => {
    expect(await unreadable(folder)).toBe('cannot read F: it is a folder')
  })

  test('without read permission', async () => {
    const file = write('{}')
    chmodSync(file, 0)
    const isRoot = process.geteuid?.() === 0
    // Root can read every file, so switch to another user.
    if (isRoot) process.seteuid?.(65_534)
    try {
      expect(await unreadable(file)).toBe('cannot read F: permission denied')
    } finally {
      if (isRoot) process.seteuid?.(0)
    }
  })

  test('if it is a FIFO, without blocking', async () => {
    const file = path.join(folder, 'pipe')
    execFileSync('bash', ['-c', 'mkfifo "$1"', 'test', file])
    expect(await unreadable(file)).toBe('cannot read F: it is not a regular file')
  })

  test('if it is a cycle of links', async () => {
    const file = path.join(folder, 'loop')
    symlinkSync(file, file)
    expect(await unreadable(file)).toBe('cannot read F: too many levels of symbolic links')
  })

  test('if it has 100 MB or never ends', async () => {
    const file = write('')
    truncateSync(file, 100 * 1024 * 1024)
    expect(await unreadable(file)).toBe('cannot read F: it is larger than 1 MiB')
    expect(await unreadable('/dev/zero')).toBe('cannot read F: it is larger than 1 MiB')
  })

  test('above 1 MiB, but not at exactly 1 MiB', async () => {
    const config = await loadConfig(flat, [{ path: write('#'.padEnd(1024 * 1024)) }])
    expect(config.values.model).toBe('small')
  })

  test('if it is not UTF-8', async () => {
    const error = await failure(layered, write(Buffer.from('{"outRoot": "\xff"}', 'latin1')))
    expect(error.message).toMatch(/: it is not UTF-8 text$/)
    const utf16 = await failure(flat, write(Buffer.from('\ufeffmodel = "x"', 'utf16le')))
    expect(utf16.code).toBe('config_invalid')
  })
})

test('loading any text returns a config or config_invalid problems of one line', async () => {
  const file = write('')
  const marks = [
    '[',
    ']',
    '{',
    '}',
    '"',
    "'",
    '"""',
    "'''",
    '=',
    '.',
    ',',
    '#',
    '\n',
    '\r\n',
    '\\',
    ':',
  ]
  const words = [
    'model',
    'api',
    'key',
    'rtr',
    'fallback',
    'max_tokens',
    '__proto__',
    '1',
    '1.0',
    'true',
  ]
  const soup = fc
    .array(fc.oneof(fc.constantFrom(...marks, ...words, ' '), fc.string({ maxLength: 3 })), {
      maxLength: 30,
    })
    .map((parts) => parts.join(''))
  const definitions: ConfigDefinition[] = [flat, sectioned, layered]
  await fc.assert(
    fc.asyncProperty(soup, fc.constantFrom(...definitions), async (text, definition) => {
      writeFileSync(file, text)
      const { config, problems } = await inspectConfig(definition, [{ path: file }])
      expect(config === undefined).toBe(problems.length > 0)
      for (const { code, message } of problems) {
        expect(code).toBe('config_invalid')
        expect(message).not.toMatch(/[\n\r]|Invalid input|undefined|\[object/)
      }
    }),
    { numRuns: 1500 },
  )
})
