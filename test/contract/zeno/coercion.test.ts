// Argument coercion: integers are lenient, booleans and lists are strict, null means the default.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client, Json, Sandbox } from './sandbox.ts'
import { createSandbox } from './sandbox.ts'

let box: Sandbox
let client: Client
beforeAll(() => {
  box = createSandbox({
    'a.py': 'x1\nx2\nx3\nx4\nx5\n',
    'b.ts': 'x\n',
    'c.py': 'x\n',
    '.hidden': 'x\n',
  })
  client = box.server()
})
afterAll(() => box.remove())

const files = async (args: Json) => (await client.ok('list_files', args)).files
const all = ['a.py', 'b.ts', 'c.py']

describe('integer arguments', () => {
  it.each([
    [2, 2],
    ['2', 2],
    [' 2 ', 2],
    [2.9, 2],
    [true, 1],
    [false, 0],
    ['1_0', 3],
    [null, 3],
    [1e9, 3],
  ])('list_files with max %j returns %i paths', async (max, count) => {
    const result = await client.ok('list_files', { max })
    expect(result.files).toHaveLength(count)
    expect(result.truncated).toBe(count < 3)
  })

  it.each(['x', '', '2.5', {}, [], [1], 'NaN', '0x10'])(
    'list_files rejects max %j',
    async (max) => {
      expect(await client.fails('list_files', { max })).toContain('max')
    },
  )

  const numbers: [string, string, Json][] = [
    ['list_files', 'max', {}],
    ['list_files', 'max_files', {}],
    ['read_file', 'max_lines', { path: 'a.py' }],
    ['peek', 'head_lines', { path: 'a.py' }],
    ['peek', 'tail_lines', { path: 'a.py' }],
    ['grep', 'max_hits', { pattern: 'x' }],
    ['grep', 'max_files', { pattern: 'x' }],
    ['grep', 'max_bytes', { pattern: 'x' }],
    ['grep', 'context', { pattern: 'x' }],
    ['extract_symbols', 'max_symbols', { path: 'a.py' }],
  ]
  it.each(numbers)('%s rejects a negative %s', async (op, name, args) => {
    expect(await client.fails(op, { ...args, [name]: -1 })).toContain(name)
    await client.ok(op, { ...args, [name]: null })
    expect(await client.fails(op, { ...args, [name]: 'x' })).toContain(name)
  })

  it('a limit of 0 returns an empty, truncated result', async () => {
    expect(await client.ok('list_files', { max: 0 })).toMatchObject({ files: [], truncated: true })
    expect(await client.ok('grep', { pattern: 'x', max_hits: 0 })).toMatchObject({
      hits: [],
      truncated: true,
    })
    expect(await client.ok('read_file', { path: 'a.py', max_lines: 0 })).toMatchObject({
      text: '',
      truncated: true,
    })
    expect(await client.ok('extract_symbols', { path: 'a.py', max_symbols: 0 })).toMatchObject({
      symbols: [],
      truncated: true,
    })
  })

  it('read_file treats start_line and end_line below 1 as 1', async () => {
    const args = { path: 'a.py', start_line: -5, end_line: 0 }
    expect(await client.ok('read_file', args)).toMatchObject({
      start_line: 1,
      end_line: 1,
      text: 'x1',
    })
  })
})

describe('boolean arguments', () => {
  it.each(['false', 'true', 1, 0, 'yes', [], {}])('reject %j', async (value) => {
    expect(await client.fails('list_files', { include_hidden: value })).toContain('include_hidden')
    expect(await client.fails('grep', { pattern: 'x', regex: value })).toContain('regex')
    expect(await client.fails('grep', { pattern: 'x', case_sensitive: value })).toContain(
      'case_sensitive',
    )
  })

  it('treat null as the default', async () => {
    expect(await files({ include_hidden: null })).toEqual(all)
    expect((await client.ok('grep', { pattern: 'X', case_sensitive: null })).hits).toEqual([])
  })
})

describe('list arguments', () => {
  it('accept a single string as a list of one', async () => {
    const { hits } = await client.ok('grep', { pattern: 'x', paths: '*.ts' })
    expect(hits).toMatchObject([{ path: 'b.ts' }])
    expect(await files({ exclude_globs: '*.ts' })).toEqual(['a.py', 'c.py'])
    expect(await files({ exclude_dirs: 'abc' })).toEqual(all)
  })

  it.each([5, true, {}, [1], ['a', null]])('reject %j', async (value) => {
    expect(await client.fails('grep', { pattern: 'x', paths: value })).toContain('paths')
    expect(await client.fails('list_files', { exclude_globs: value })).toContain('exclude_globs')
  })

  it('treat null and [] as absent', async () => {
    expect(await files({ exclude_globs: null, exclude_dirs: [] })).toEqual(all)
    expect((await client.ok('grep', { pattern: 'x', paths: [] })).hits).toHaveLength(7)
  })
})

describe('string arguments', () => {
  it.each(['read_file', 'peek', 'extract_symbols', 'stat'])(
    '%s without a path answers "missing path"',
    async (op) => {
      expect(await client.fails(op, {})).toBe('missing path')
      expect(await client.fails(op, { path: '' })).toBe('missing path')
      expect(await client.fails(op, { path: null })).toBe('missing path')
      expect(await client.fails(op, { path: 5 })).toContain('path')
    },
  )

  it('grep without a pattern answers "missing pattern"', async () => {
    expect(await client.fails('grep', {})).toBe('missing pattern')
    expect(await client.fails('grep', { pattern: '' })).toBe('missing pattern')
    expect(await client.fails('grep', { pattern: ['x'] })).toContain('pattern')
  })

  it('list_files rejects a glob that is not a string and ignores an empty one', async () => {
    expect(await client.fails('list_files', { glob: 5 })).toContain('glob')
    expect(await files({ glob: '' })).toEqual(all)
    expect(await files({ glob: null })).toEqual(all)
  })
})
