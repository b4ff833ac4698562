// Config files as data, or the reason why they cannot be read.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { isFailure, readConfigFile } from './source.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'zee-source-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = path.join(folder, 'file')

async function read(content: string | Uint8Array, format: 'toml' | 'json') {
  writeFileSync(file, content)
  return readConfigFile(file, format)
}

/** What the file has, without the form of the parser's objects. */
async function contents(content: string, format: 'toml' | 'json') {
  const found = await read(content, format)
  if (isFailure(found)) throw new Error(found.reason)
  const { data, floats, repeated, bytes } = found
  expect(found.path).toBe(file)
  expect(bytes.toString()).toBe(content)
  const lines = Object.fromEntries(found.positions())
  return { data: JSON.parse(JSON.stringify(data)) as unknown, floats: [...floats], repeated, lines }
}

describe('a file', () => {
  it('in TOML has numbers, the keys of floats without a fraction, and lines', async () => {
    const text =
      'a = 1\nb = 2.0\nc = 2.5\nd = [1, 3.0, [4.0]]\n[e]\nf = 5.0\ng = { h = 6.0, i = 7 }\n'
    expect(await contents(text, 'toml')).toEqual({
      data: { a: 1, b: 2, c: 2.5, d: [1, 3, [4]], e: { f: 5, g: { h: 6, i: 7 } } },
      floats: ['["b"]', '["d",1]', '["d",2,0]', '["e","f"]', '["e","g","h"]'],
      repeated: [],
      lines: {
        ...{ '["a"]': 1, '["b"]': 2, '["c"]': 3 },
        ...{ '["d"]': 4, '["d",0]': 4, '["d",1]': 4, '["d",2]': 4, '["d",2,0]': 4 },
        ...{ '["e"]': 5, '["e","f"]': 6, '["e","g"]': 7, '["e","g","h"]': 7, '["e","g","i"]': 7 },
      },
    })
  })

  it('in JSON has no floats, and the keys that occur twice', async () => {
    expect(await contents('{"a": 1.0,\n"a": 2}', 'json')).toEqual({
      data: { a: 2 },
      floats: [],
      repeated: [{ path: ['a'], line: 2 }],
      lines: { '["a"]': 2 },
    })
  })

  it('may have up to 1 MiB', async () => {
    const text = '#'.padEnd(1024 * 1024)
    const whole = await read(text, 'toml')
    expect(isFailure(whole) ? whole : whole.bytes.toString()).toBe(text)
    expect(await read(`${text} `, 'toml')).toEqual({
      kind: 'unreadable',
      reason: 'it is larger than 1 MiB',
      cause: undefined,
    })
  })

  it('is read whole although it is larger than one read', async () => {
    const text = Array.from({ length: 8000 }, (_, index) => `k${index} = ${index}\n`).join('')
    const found = await read(text, 'toml')
    expect(isFailure(found) ? found : Object.keys(found.data).length).toBe(8000)
    expect(isFailure(found) ? found : found.data.k7999).toBe(7999)
  })
})

describe('a file that cannot be read', () => {
  it.each([
    ['missing', 'no such file or folder', 'none', 'ENOENT'],
    ['missing', 'a part of the path is not a folder', 'file/none', 'ENOTDIR'],
    ['unreadable', 'the name is too long', 'x'.repeat(300), 'ENAMETOOLONG'],
  ])('is %s: %s', async (kind, reason, name, code) => {
    writeFileSync(file, '')
    const found = await readConfigFile(path.join(folder, name), 'json')
    expect(found).toEqual({ kind, reason, cause: expect.objectContaining({ code }) })
  })

  it('is a folder, or neither a file nor a device', async () => {
    mkdirSync(path.join(folder, 'd'))
    const cause = undefined
    expect(await readConfigFile(path.join(folder, 'd'), 'toml')).toEqual({
      kind: 'unreadable',
      reason: 'it is a folder',
      cause,
    })
    expect(await readConfigFile('/dev/null', 'toml')).toMatchObject({ data: {} })
  })

  it('is not UTF-8', async () => {
    for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80]]) {
      expect(await read(Uint8Array.from(bytes), 'toml')).toEqual({
        kind: 'invalid',
        reason: 'it is not UTF-8 text',
        cause: expect.any(TypeError),
      })
    }
  })

  it.each<[string, string, number, number]>([
    ['a = b', 'this is not a value (text needs quotes)', 1, 5],
    ['a = 1\n[b]\nc = 1\n[b]', 'this key or section is already defined further up', 4, 2],
    ['a = 1\na = 2', 'this key or section is already defined further up', 2, 1],
    ['a = { b = 1, b = 2 }', 'this key is already defined further up', 1, 14],
    ['a', 'a key without "=" and a value', 1, 1],
    ['a = 1 b = 2', 'unexpected text after the value', 1, 7],
    ['a = "x', 'this text is not closed', 1, 5],
    [`a = ${'['.repeat(300)}`, 'it is nested too deeply', 1, 205],
    ['a = 1__0', 'illegal underscore', 1, 7],
  ])('is TOML with a fault: %j: %s', async (text, reason, line, column) => {
    expect(await read(text, 'toml')).toEqual({ kind: 'invalid', reason, line, column })
  })

  it('is TOML with more than 200 parts of a name', async () => {
    const name = (dots: number) => `${'a.'.repeat(dots)}a = 1`
    expect(isFailure(await read(name(200), 'toml'))).toBe(false)
    expect(await read(name(201), 'toml')).toEqual({
      kind: 'invalid',
      reason: 'it is nested too deeply',
    })
  })

  it.each<[string, string, number, number]>([
    ['', 'the file is empty', 1, 1],
    ['\n\n', 'the file is empty', 3, 1],
    ['{\n"a" 1}', '":" is expected here', 2, 5],
    ['{"a": 1} x', 'unexpected text after the end', 1, 10],
    ['x', 'a value is expected here', 1, 1],
    ['{"a":\n', 'a value is expected here', 2, 1],
  ])('is JSON with a fault: %j: %s', async (text, reason, line, column) => {
    expect(await read(text, 'json')).toEqual({ kind: 'invalid', reason, line, column })
  })

  it.each(['[]', '1', 'null', '"{}"'])('is JSON without an object: %s', async (text) => {
    expect(await read(text, 'json')).toEqual({
      kind: 'invalid',
      reason: 'it must contain an object, such as {}',
    })
  })
})
