// list_files: file selection, order, globs and regexes.
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client, Json, Sandbox } from './sandbox.ts'
import { createSandbox } from './sandbox.ts'

const boxes: Sandbox[] = []
afterAll(async () => {
  for (const box of boxes) await box.remove()
})

function tree(files: Record<string, string>): { box: Sandbox; client: Client; list: List } {
  const box = createSandbox(files)
  boxes.push(box)
  const client = box.server()
  return {
    box,
    client,
    list: async (args = {}) => (await client.ok('list_files', args)).files as string[],
  }
}
type List = (args?: Json) => Promise<string[]>
const empty = (...names: string[]) => Object.fromEntries(names.map((name) => [name, '']))

describe('the walk', () => {
  it('sorts by the bytes of the full path, with / as an ordinary character', async () => {
    const names = [
      'a-b.txt',
      'a.txt',
      'a/b.txt',
      'ab.txt',
      'B',
      'a',
      '\u{10000}',
      '\ue000',
      '\uff5a',
    ]
    const { list } = tree(empty(...names.filter((name) => name !== 'a')))
    const sorted = names
      .filter((name) => name !== 'a')
      .sort((x, y) => Buffer.compare(Buffer.from(x), Buffer.from(y)))
    expect(await list()).toEqual(sorted)
    expect((await list()).indexOf('\ue000')).toBeLessThan((await list()).indexOf('\u{10000}'))
  })

  it('skips the default excluded folders at any depth, but not files of these names', async () => {
    const excluded = ['.git', '.hg', '.svn', '.venv', 'venv', 'node_modules', 'dist', 'build']
    const hidden = ['.next', '.turbo', '.cache', '.pytest_cache']
    const folders = [...excluded, ...hidden].flatMap((name) => [`${name}/x`, `deep/${name}/x`])
    const { list } = tree(empty(...folders, 'keep', 'distx/y', 'q/build', 'q/dist.txt'))
    expect(await list()).toEqual(['distx/y', 'keep', 'q/build', 'q/dist.txt'])
    expect(await list({ include_hidden: true })).toEqual([
      'distx/y',
      'keep',
      'q/build',
      'q/dist.txt',
    ])
    expect(await list({ exclude_dirs: ['distx'] })).toEqual(['keep', 'q/build', 'q/dist.txt'])
    expect(await list({ exclude_dirs: ['dist'] })).toContain('distx/y')
    expect(await list({ default_excludes: false })).toContain('deep/build/x')
  })

  it('skips paths with a component that starts with a dot, except in the root itself', async () => {
    const { box, list } = tree(empty('.env', 'a/.b/c', 'a/x', '.d/e'))
    expect(await list()).toEqual(['a/x'])
    expect(await list({ include_hidden: true })).toEqual(['.d/e', '.env', 'a/.b/c', 'a/x'])
    const inside = box.server([], path.join(box.root, '.d'))
    expect((await inside.ok('list_files')).files).toEqual(['e'])
  })

  it('matches exclude_globs on the full path', async () => {
    const { list } = tree(empty('a.min.js', 'x/b.min.js', 'x/c.js', 'vendor/d.js'))
    expect(await list({ exclude_globs: ['**/*.min.*', '**/vendor/**'] })).toEqual(['x/c.js'])
    expect(await list({ exclude_globs: ['x'] })).toHaveLength(4)
  })

  it('skips links to folders and lists links to files, including dangling ones', async () => {
    const { box, list } = tree(empty('real/x', 'f'))
    symlinkSync('real', path.join(box.root, 'to-folder'))
    symlinkSync('f', path.join(box.root, 'to-file'))
    symlinkSync('nowhere', path.join(box.root, 'dangling'))
    symlinkSync('loop', path.join(box.root, 'loop'))
    symlinkSync('..', path.join(box.root, 'real/up'))
    expect(await list()).toEqual(['dangling', 'f', 'loop', 'real/x', 'to-file'])
  })

  it('lists FIFOs and sockets without opening them', async () => {
    const { box, client, list } = tree(empty('f'))
    execFileSync('mkfifo', [path.join(box.root, 'pipe')])
    const server = net.createServer().listen(path.join(box.root, 'sock'))
    await new Promise((resolve) => server.once('listening', resolve))
    try {
      expect(await list()).toEqual(['f', 'pipe', 'sock'])
      expect((await client.ok('grep', { pattern: 'x' })).hits).toEqual([])
      expect(await client.fails('read_file', { path: 'pipe' })).toContain('pipe')
      expect(await client.fails('peek', { path: 'sock' })).toContain('sock')
      const { items } = await client.ok('stat', { path: 'pipe' })
      expect(items).toMatchObject([{ exists: true, is_file: false, is_dir: false }])
      expect((await client.ok('summary')).files).toBe(1)
    } finally {
      server.close()
    }
  })

  it('lists and reads files whose names are not UTF-8', async () => {
    const { box, client, list } = tree({})
    const name = Buffer.concat([
      Buffer.from(`${box.root}/b`),
      Buffer.from([0xff]),
      Buffer.from('x'),
    ])
    writeFileSync(name, 'content\n')
    mkdirSync(Buffer.concat([Buffer.from(`${box.root}/d`), Buffer.from([0xfe])]))
    writeFileSync(
      Buffer.concat([Buffer.from(`${box.root}/d`), Buffer.from([0xfe]), Buffer.from('/in')]),
      'y\n',
    )
    expect(await list()).toEqual(['b\udcffx', 'd\udcfe/in'])
    client.write('{"id":1,"op":"read_file","args":{"path":"b\\udcffx"}}\n')
    expect(await client.next()).toMatchObject({ result: { path: 'b\udcffx', text: 'content' } })
    expect((await client.ok('grep', { pattern: 'y' })).hits).toMatchObject([{ path: 'd\udcfe/in' }])
    await client.ok('read_file', { path: 'b\udcffx' })
  })

  it('applies globs before max_files and sets scan_limited when the cap ends the walk', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `f${String(index).padStart(2, '0')}.txt`)
    const { client, list } = tree(empty(...names, 'z/last.py'))
    const capped = await client.ok('list_files', { max_files: 10 })
    expect(capped).toMatchObject({
      files: names.slice(0, 10),
      truncated: false,
      scan_limited: true,
    })
    expect(await list({ glob: '*.py', max_files: 1 })).toEqual(['z/last.py'])
    expect(await client.ok('list_files', { max_files: 31 })).not.toHaveProperty('scan_limited')
    expect(await list({ exclude_globs: ['f*'], max_files: 1 })).toEqual(['z/last.py'])
    const found = await client.ok('grep', { pattern: 'x', paths: ['z/last.py'], max_files: 1 })
    expect(found).not.toHaveProperty('scan_limited')
  })

  it('counts files before exclude_globs and sets truncated only beyond max', async () => {
    const { client } = tree(empty('a', 'b', 'c', 'd.x'))
    const result = await client.ok('list_files', { exclude_globs: ['*.x'], max: 3 })
    expect(result).toMatchObject({ files: ['a', 'b', 'c'], truncated: false })
    expect(result.metrics).toMatchObject({ bytes_read: 0, files_scanned: 4 })
    expect(await client.ok('list_files', { max: 2 })).toMatchObject({
      files: ['a', 'b'],
      truncated: true,
    })
  })

  it('respects .gitignore only with respect_gitignore', async () => {
    const { list } = tree({
      '.gitignore': '*.log\n/out/\n!keep.log\n',
      'a.log': '',
      'keep.log': '',
      'out/x': '',
      'in/out/y': '',
      'in/.gitignore': 'z\n',
      'in/z': '',
    })
    expect(await list()).toEqual(['a.log', 'in/out/y', 'in/z', 'keep.log', 'out/x'])
    expect(await list({ respect_gitignore: true })).toEqual(['in/out/y', 'keep.log'])
  })

  it('treats an unreadable folder as empty', async () => {
    const { box, list } = tree(empty('a', 'gone/b'))
    symlinkSync('/proc/self/fd', path.join(box.root, 'fds'))
    expect(await list()).toEqual(['a', 'gone/b'])
  })
})

describe('globs', () => {
  const names = [
    'README.md',
    'a.py',
    'src/a.ts',
    'src/gen/x.ts',
    'x/README.txt',
    '[odd].md',
    'a\\b',
    'A.py',
    '^c',
    'b.js',
    'c]',
  ]
  let list: List
  beforeAll(() => {
    list = tree(empty(...names)).list
  })

  it.each([
    ['*.py', ['A.py', 'a.py']],
    ['src/*.ts', ['src/a.ts', 'src/gen/x.ts']],
    ['src/?.ts', ['src/a.ts']],
    ['src?a.ts', ['src/a.ts']],
    ['**/*.py', ['A.py', 'a.py']],
    ['**/README*', ['README.md', 'x/README.txt']],
    ['src/**/*.ts', ['src/a.ts', 'src/gen/x.ts']],
    ['**/*.{py,js}', ['A.py', 'a.py', 'b.js']],
    ['{src,x}/**', ['src/a.ts', 'src/gen/x.ts', 'x/README.txt']],
    ['[ab].??', ['a.py', 'b.js']],
    ['[a-c].*', ['a.py', 'b.js']],
    ['[!a].py', ['A.py']],
    ['[^x]c', ['^c']],
    ['c[]]', ['c]']],
    ['[z-a]*', []],
    ['[[]odd].md', ['[odd].md']],
    ['[odd].md', []],
    ['a\\b', ['a\\b']],
    ['readme.md', []],
    ['README', []],
    ['src', []],
    ['*', names],
    ['', names],
  ])('%s matches the expected files', async (glob, found) => {
    const sorted = [...found].sort((x, y) => Buffer.compare(Buffer.from(x), Buffer.from(y)))
    expect(await list({ glob })).toEqual(sorted)
  })

  it('treat an unclosed bracket as a literal', async () => {
    const other = tree(empty('[x', 'y')).list
    expect(await other({ glob: '[x' })).toEqual(['[x'])
  })

  it('match in linear time with many stars', async () => {
    const other = tree(empty('a'.repeat(200))).list
    expect(await other({ glob: `${'*a'.repeat(60)}*b` })).toEqual([])
  })

  it('take precedence over a regex, which is then not compiled', async () => {
    expect(await list({ glob: '*.js', regex: '(' })).toEqual(['b.js'])
  })
})

describe('list_files by regex', () => {
  let list: List
  let client: Client
  beforeAll(() => {
    ;({ list, client } = tree(empty('src/a.ts', 'src/B.ts', 'docs/a.md')))
  })

  it('matches anywhere in the path, case-sensitively', async () => {
    expect(await list({ regex: 'a\\.' })).toEqual(['docs/a.md', 'src/a.ts'])
    expect(await list({ regex: '^src/' })).toEqual(['src/B.ts', 'src/a.ts'])
    expect(await list({ regex: 'b\\.ts$' })).toEqual([])
    expect(await list({ regex: '(?i)b\\.ts$' })).toEqual(['src/B.ts'])
  })

  it('rejects an invalid regex with its position', async () => {
    expect(await client.fails('list_files', { regex: '(' })).toBe(
      'missing ), unterminated subpattern at position 0',
    )
  })
})
