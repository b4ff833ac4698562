// Several roots in one server: names, order, the argument `roots`, limits, and files of roots.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client, createSandbox } from './sandbox.ts'
import type { Json, Sandbox } from './sandbox.ts'

let box: Sandbox
let server: Client
beforeAll(() => {
  box = createSandbox()
  box.put({ 'src/x.ts': 'one needle\ntwo\nneedle three\n', 'b.txt': 'alpha\n' }, in_('zulu'))
  box.put({ 'y.py': 'needle b\n', 'z.py': 'def needle():\n  pass\n' }, in_('app'))
  server = new Client(['serve', '--root', in_('zulu'), '--root', in_('app')], box.base)
})
afterAll(async () => {
  await server.kill()
  await box.remove()
})

function in_(...parts: string[]): string {
  return path.join(box.base, ...parts)
}

async function pathsOf(args: Json): Promise<string[]> {
  const { hits } = await server.ok('grep', args)
  return (hits as { path: string }[]).map((hit) => hit.path)
}

describe('a server of several roots', () => {
  it('names every path and answers in root order', async () => {
    expect((await server.ok('list_files')).files).toEqual([
      ...['zulu:b.txt', 'zulu:src/x.ts', 'app:y.py', 'app:z.py'],
    ])
    expect(await pathsOf({ pattern: 'needle' })).toEqual([
      ...['zulu:src/x.ts', 'zulu:src/x.ts', 'app:y.py', 'app:z.py'],
    ])
    const text = await server.ok('grep', { pattern: 'needle', format: 'text' })
    expect(text.text).toBe(
      'zulu:src/x.ts\n1: one needle\n3: needle three\n\napp:y.py\n1: needle b\n\n' +
        'app:z.py\n1: def needle():\n',
    )
  })

  it('takes `roots` in every operation', async () => {
    const roots = ['app']
    expect((await server.ok('list_files', { roots })).files).toEqual(['app:y.py', 'app:z.py'])
    expect(await pathsOf({ pattern: 'needle', roots: 'app' })).toEqual(['app:y.py', 'app:z.py'])
    expect(await server.ok('read_file', { path: 'y.py', roots })).toMatchObject({
      path: 'app:y.py',
    })
    expect(await server.ok('summary', { roots })).toMatchObject({ files: 2, roots })
    expect(await server.ok('locate', { text: 'three', roots })).toMatchObject({ results: [] })
    expect(await server.ok('references', { name: 'needle', roots })).toMatchObject({
      references: [
        { path: 'app:y.py', line: 1 },
        { path: 'app:z.py', line: 1, kind: 'definition' },
      ],
    })
    expect(await server.ok('symbols', { name: 'needle', roots: ['zulu'] })).toMatchObject({
      symbols: [],
    })
    const { chunks } = await server.ok('chunks', { roots })
    expect(chunks).toMatchObject([{ parts: [{ path: 'app:y.py' }, { path: 'app:z.py' }] }])
    for (const op of ['list_files', 'summary', 'chunks']) {
      expect(await server.fails(op, { roots: ['nope'] })).toBe('unknown root: nope')
    }
  })

  it('reads, peeks and stats by name:path, and keeps the order of the request', async () => {
    expect(await server.ok('read_file', { path: 'zulu:src/x.ts', start_line: 3 })).toMatchObject({
      ...{ path: 'zulu:src/x.ts', text: 'needle three' },
    })
    expect(await server.ok('peek', { path: 'app:y.py' })).toMatchObject({ path: 'app:y.py' })
    expect(await server.ok('extract_symbols', { path: 'app:z.py' })).toMatchObject({
      ...{ path: 'app:z.py', symbols: [{ name: 'needle' }] },
    })
    const { items } = await server.ok('stat', { paths: ['app:y.py', 'zulu:b.txt', 'app:z.py'] })
    expect((items as { path: string }[]).map((item) => item.path)).toEqual([
      ...['app:y.py', 'zulu:b.txt', 'app:z.py'],
    ])
    const reads = [{ path: 'app:y.py' }, { path: 'nope:y' }, { path: 'zulu:b.txt' }]
    expect(await server.ok('read_many', { reads })).toMatchObject({
      results: [
        { ok: true, result: { path: 'app:y.py' } },
        { ok: false, error: { message: 'unknown root: nope' } },
        { ok: true, result: { path: 'zulu:b.txt', text: 'alpha' } },
      ],
    })
  })

  it('says which root is unknown or missing, and stays inside each root', async () => {
    expect(await server.fails('read_file', { path: 'y.py' })).toBe(
      'missing root: write name:path, such as zulu:y.py',
    )
    expect(await server.fails('read_file', { path: 'app:../zulu/b.txt' })).toBe('path outside root')
    expect(await server.fails('read_file', { path: 'none:y.py' })).toBe('unknown root: none')
  })

  it('applies globs that name a root to that root, and others to all', async () => {
    expect((await server.ok('list_files', { glob: 'app:*.py' })).files).toEqual([
      ...['app:y.py', 'app:z.py'],
    ])
    expect(await pathsOf({ pattern: 'needle', paths: ['zulu:src/**', 'app:z.py'] })).toEqual([
      ...['zulu:src/x.ts', 'zulu:src/x.ts', 'app:z.py'],
    ])
    expect(await pathsOf({ pattern: 'needle', paths: '*.py', exclude_globs: ['app:y*'] })).toEqual([
      'app:z.py',
    ])
  })

  it('limits the answer of all roots together and continues it with a cursor', async () => {
    expect(await server.ok('list_files', { max: 3 })).toMatchObject({ truncated: true })
    expect(await server.ok('list_files', { max: 4 })).toMatchObject({ truncated: false })
    expect(await server.ok('grep', { pattern: 'needle', max_hits: 3 })).toMatchObject({
      ...{ truncated: true, hits: [{ line: 1 }, { line: 3 }, { path: 'app:y.py' }] },
    })
    expect(
      await server.ok('grep', { pattern: 'needle', mode: 'count', max_hits: 1 }),
    ).toMatchObject({ count: 4 })
    for (const [op, list, args] of [
      ['grep', 'hits', { pattern: 'needle', max_chars: 60 }],
      ['list_files', 'files', { max_chars: 20 }],
      ['references', 'references', { name: 'needle', max: 1 }],
      ['stat', 'items', { paths: ['app:y.py', 'zulu:b.txt'], max_chars: 10 }],
    ] as const) {
      const all = (await server.ok(op, { ...args, max_chars: 100_000, max: undefined }))[list]
      const pages: unknown[] = []
      let cursor: unknown
      do {
        const page = await server.ok(op, { ...args, cursor } as Json)
        pages.push(...(page[list] as unknown[]))
        cursor = page.next_cursor
      } while (cursor !== undefined && pages.length < 20)
      expect(pages).toEqual(all)
    }
  })
})

describe('a file of roots', () => {
  it('names roots, and serves only files of the allow-list', async () => {
    const file = in_('roots.toml')
    writeFileSync(
      file,
      '[roots.ts]\npath = "zulu"\nallow = ["src/**"]\n[roots."py files"]\npath = "app"\n',
    )
    const client = new Client(['serve', '--roots', file], box.base)
    expect((await client.ok('list_files')).files).toEqual([
      ...['ts:src/x.ts', 'py files:y.py', 'py files:z.py'],
    ])
    expect(await client.fails('read_file', { path: 'ts:b.txt' })).toBe('denied by rule: allow')
    expect(await client.ok('stat', { path: 'ts:b.txt' })).toMatchObject({
      items: [{ exists: false, error: 'denied by rule: allow' }],
    })
    const { hits } = await client.ok('grep', { pattern: 'alpha' })
    expect(hits).toEqual([])
    await client.end()
  })

  it('is refused with its line if it is wrong, and so are roots with one name', async () => {
    const file = in_('wrong.toml')
    writeFileSync(file, '[roots.a]\nallow = ["x"]\n')
    const ran = await box.zeno(['serve', '--roots', file])
    expect(ran.code).toBe(2)
    expect(ran.stderr).toMatch(/wrong\.toml.*path/)
    // A misspelt list would serve every file.
    writeFileSync(file, '[roots.a]\npath = "app"\nalow = ["x"]\n')
    expect(await box.zeno(['serve', '--roots', file])).toMatchObject({
      ...{
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/wrong\.toml:3: unknown key .*alow/),
      },
    })
    mkdirSync(in_('other', 'app'), { recursive: true })
    const twice = await box.zeno(['serve', '--root', in_('app'), '--root', in_('other', 'app')])
    expect(twice).toMatchObject({ code: 2, stdout: '' })
    expect(twice.stderr).toContain('two roots are named app')
    expect(await box.zeno(['serve'])).toMatchObject({ code: 2, stdout: '' })
  })

  it('can have 1,000 roots, whose answers are in root order', async () => {
    const names = Array.from({ length: 1000 }, (_, n) => `r${n}`)
    for (const name of names) box.put({ 'f.txt': `word ${name}\n` }, in_('many', name))
    const rows = names.map((name) => `[roots.${name}]\npath = "many/${name}"\n`)
    writeFileSync(in_('many.toml'), rows.join(''))
    const client = new Client(['serve', '--roots', in_('many.toml')], box.base)
    const { hits } = await client.ok('grep', { pattern: 'word', max_hits: 2000 })
    expect((hits as { path: string }[]).map((hit) => hit.path)).toEqual(
      names.map((name) => `${name}:f.txt`),
    )
    await client.end()
  })
})

it('replay and verify take the same roots', async () => {
  const roots = ['--root', in_('zulu'), '--root', in_('app')]
  const log = in_('trace.jsonl')
  const args = JSON.stringify({ path: 'app:y.py', hash: true })
  const sent = await box.zeno(['send', ...roots, '--log', log, '--op', 'read_file', '--args', args])
  const { result } = JSON.parse(sent.stdout) as { result: { sha256: string } }
  expect(await box.zeno(['replay', ...roots, '--log', log])).toMatchObject({ code: 0 })
  const row = { evidence_id: 'E1', kind: 'read', path: 'app:y.py', lines: [1, 1] }
  writeFileSync(in_('evidence.jsonl'), JSON.stringify({ ...row, hash: result.sha256 }))
  const verified = await box.zeno(['verify', ...roots, '--evidence', in_('evidence.jsonl')])
  expect(verified.stdout).toMatch(/^ok +E1/)
})
