import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { corpusOf, corpusWith, tree } from '../../test/support/trees.ts'

const empty = (...paths: string[]): Record<string, string> =>
  Object.fromEntries(paths.map((one) => [one, '']))

describe('list_files', () => {
  test('returns sorted relative paths, with the fields in their fixed order', async () => {
    const corpus = corpusWith(empty('ab.txt', 'a/b.txt', 'a.txt', 'a-b.txt', 'B', '\uffee', '😀'))
    const result = await corpus.list()
    expect(result).toEqual({
      files: ['B', 'a-b.txt', 'a.txt', 'a/b.txt', 'ab.txt', '\uffee', '😀'],
      truncated: false,
      metrics: { time_ms: expect.any(Number), bytes_read: 0, files_scanned: 7 },
    })
    expect(Object.keys(result).join()).toBe('files,truncated,metrics')
  })

  test('sets truncated only if more than `max` files match', async () => {
    const corpus = corpusWith(empty('a', 'b', 'c'))
    expect(await corpus.list({ max: 3 })).toMatchObject({
      files: ['a', 'b', 'c'],
      truncated: false,
    })
    expect(await corpus.list({ max: 2 })).toMatchObject({ files: ['a', 'b'], truncated: true })
    expect(await corpus.list({ max: 0 })).toMatchObject({ files: [], truncated: true })
    expect((await corpus.list({ max: 1 })).metrics.files_scanned).toBe(3)
  })

  test('stops after max_files in path order and sets scan_limited', async () => {
    const corpus = corpusWith(empty('a', 'b/c', 'd', 'e.ts'))
    const capped = await corpus.list({ max_files: 2 })
    expect(capped).toMatchObject({ files: ['a', 'b/c'], truncated: false, scan_limited: true })
    expect(capped.metrics.files_scanned).toBe(2)
    expect(await corpus.list({ max_files: 0 })).toMatchObject({ files: [], truncated: true })
    expect(await corpus.list({ max_files: 4 })).not.toHaveProperty('scan_limited')
    const glob = await corpus.list({ glob: '*.ts', max_files: 1 })
    expect(glob).toMatchObject({ files: ['e.ts'] })
    expect(glob).not.toHaveProperty('scan_limited')
    const regex = await corpus.list({ regex: '^.*[a-d].*$', max_files: 2 })
    expect(regex).toMatchObject({ files: ['a', 'b/c'], scan_limited: true })
    expect(regex.metrics.files_scanned).toBe(2)
  })

  test('omits hidden names and default folders unless requested', async () => {
    const corpus = corpusWith(
      empty(
        '.env',
        '.git/config',
        '.github/x',
        'a',
        'build/x',
        'src/.h/y',
        'src/node_modules/z',
        'src/build',
      ),
    )
    expect((await corpus.list()).files).toEqual(['a', 'src/build'])
    expect((await corpus.list({ include_hidden: true })).files).toEqual([
      '.env',
      '.github/x',
      'a',
      'src/.h/y',
      'src/build',
    ])
    expect((await corpus.list({ exclude_dirs: 'src' })).files).toEqual(['a'])
    expect((await corpus.list({ default_excludes: false })).files).toEqual([
      'a',
      'build/x',
      'src/build',
      'src/node_modules/z',
    ])
    expect(
      (await corpus.list({ default_excludes: false, include_hidden: true })).files.length,
    ).toBe(8)
  })

  test('lists a root that is hidden or named like an excluded folder', async () => {
    const root = tree()
    mkdirSync(path.join(root, 'node_modules/.x'), { recursive: true })
    writeFileSync(path.join(root, 'node_modules/.x/a'), '')
    expect((await corpusOf(path.join(root, 'node_modules/.x')).list()).files).toEqual(['a'])
  })

  test('matches exclude_globs against the full path and counts excluded files as scanned', async () => {
    const corpus = corpusWith(empty('a.ts', 'gen/b.ts', 'c.map'))
    const result = await corpus.list({ exclude_globs: ['**/gen/**', '*.map'] })
    expect(result).toMatchObject({ files: ['a.ts'], metrics: { files_scanned: 3 } })
  })

  test('searches a regex anywhere in the path, case-sensitively', async () => {
    const corpus = corpusWith(empty('src/App.ts', 'src/app.ts', 'x'))
    expect((await corpus.list({ regex: 'c/a' })).files).toEqual(['src/app.ts'])
    expect((await corpus.list({ regex: '^x$' })).files).toEqual(['x'])
    expect((await corpus.list({ regex: '(?i)(a+)pp' })).files).toEqual(['src/App.ts', 'src/app.ts'])
    expect((await corpus.list({ regex: '' })).files.length).toBe(3)
    expect((await corpus.list({ glob: '' })).files.length).toBe(3)
  })

  test('omits links to folders, and lists other links and special files', async () => {
    const root = tree(empty('d/a'))
    symlinkSync('d', path.join(root, 'to-folder'))
    symlinkSync('..', path.join(root, 'd/up'))
    symlinkSync('d/a', path.join(root, 'to-file'))
    symlinkSync('/etc', path.join(root, 'out-folder'))
    symlinkSync('/etc/passwd', path.join(root, 'out-file'))
    symlinkSync('nowhere', path.join(root, 'dangling'))
    symlinkSync('loop', path.join(root, 'loop'))
    execFileSync('mkfifo', [path.join(root, 'fifo')])
    expect((await corpusOf(root).list()).files).toEqual([
      'd/a',
      'dangling',
      'fifo',
      'loop',
      'out-file',
      'to-file',
    ])
  })

  test('lists a name that is not valid UTF-8 in an escaped form that read_file accepts', async () => {
    const root = tree()
    const folder = Buffer.concat([Buffer.from(`${root}/d`), Buffer.from([0xff])])
    mkdirSync(folder)
    writeFileSync(Buffer.concat([folder, Buffer.from('/é'), Buffer.from([0xc3])]), 'needle\n')
    writeFileSync(Buffer.from(`${root}/real\ufffd`), 'x')
    symlinkSync(
      Buffer.from('real\ufffd'),
      Buffer.concat([Buffer.from(`${root}/l`), Buffer.from([0x80])]),
    )
    const corpus = corpusOf(root)
    const { files } = await corpus.list()
    expect(files).toEqual(['d\udcff/é\udcc3', 'l\udc80', 'real\ufffd'])
    expect((await corpus.read({ path: files[0] as string })).text).toBe('needle')
    expect((await corpus.grep({ pattern: 'needle' })).hits[0]?.path).toBe(files[0])
    expect((await corpus.grep({ pattern: 'x' })).hits.map((hit) => hit.path)).toEqual([
      'l\udc80',
      'real\ufffd',
    ])
    expect((await corpus.stat({ path: files[0] })).items[0]).toMatchObject({ is_file: true })
  })

  test('applies .gitignore only on request', async () => {
    const files = { '.gitignore': '*.log\n/out/\n!keep.log\n', 'sub/.gitignore': 'x\n' }
    const corpus = corpusWith({
      ...files,
      ...empty('a.log', 'keep.log', 'out/a', 'sub/out/a', 'sub/x', 'x'),
    })
    expect((await corpus.list()).files.length).toBe(6)
    expect((await corpus.list({ respect_gitignore: true })).files).toEqual([
      'keep.log',
      'sub/out/a',
      'x',
    ])
    expect(
      (await corpus.grep({ pattern: 'z', respect_gitignore: true })).metrics.files_scanned,
    ).toBe(3)
  })

  test('returns pages that join to the complete list', async () => {
    const corpus = corpusWith(empty('a', 'b/c', 'b/d', 'e'))
    const pages: string[] = []
    let cursor: string | undefined
    do {
      const page = await corpus.list({ max: 3, max_chars: 9, cursor })
      pages.push(...page.files)
      cursor = page.next_cursor
    } while (cursor !== undefined)
    expect(pages).toEqual(['a', 'b/c', 'b/d'])
    expect(await corpus.list({ max_chars: 0 })).toMatchObject({ files: [], truncated: true })
  })

  test('walks a tree that is deeper than the number of open descriptors', async () => {
    const root = tree()
    let folder = root
    for (let depth = 0; depth < 150; depth++) {
      folder = path.join(folder, 'd')
      mkdirSync(folder)
      writeFileSync(path.join(folder, 'z'), 'needle\n')
    }
    const corpus = corpusOf(root)
    expect((await corpus.list()).files.length).toBe(150)
    expect((await corpus.grep({ pattern: 'needle' })).hits.length).toBe(150)
  })

  test('lists a folder with many files, and a renamed folder', async () => {
    const root = tree(Object.fromEntries(Array.from({ length: 2500 }, (_, n) => [`d/f${n}`, 'x'])))
    const corpus = corpusOf(root)
    expect((await corpus.list({ max: 9999 })).files.length).toBe(2500)
    renameSync(path.join(root, 'd'), path.join(root, 'e'))
    expect((await corpus.list({ max: 1 })).files).toEqual(['e/f0'])
  })
})
