import { mkdirSync, symlinkSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { messageOf } from '../../test/support/answers.ts'
import { corpusOf, tree } from '../../test/support/trees.ts'

describe('stat', () => {
  test('returns items in request order, `path` before `paths`, with duplicates', async () => {
    const root = tree({ 'a.txt': 'héllo' })
    mkdirSync(path.join(root, 'd'))
    symlinkSync('a.txt', path.join(root, 'l'))
    utimesSync(path.join(root, 'a.txt'), 1_700_000_000.75, 1_700_000_000.75)
    const result = await corpusOf(root).stat({ path: 'd', paths: ['a.txt', 'zz', 'l', '.', 'd'] })
    expect(result.items[1]).toEqual({
      path: 'a.txt',
      exists: true,
      size: 6,
      mtime: 1_700_000_000.75,
      mtime_iso: '2023-11-14T22:13:20Z',
      is_file: true,
      is_dir: false,
    })
    expect(result.items[2]).toEqual({
      path: 'zz',
      exists: false,
      error: "[Errno 2] No such file or directory: 'zz'",
    })
    expect(result.items.map((item) => item.path)).toEqual(['d', 'a.txt', 'zz', 'a.txt', '.', 'd'])
    expect(result.items[0]).toMatchObject({ is_file: false, is_dir: true })
    expect(result.metrics).toMatchObject({ bytes_read: 0, files_scanned: 6 })
  })

  test('rounds a time before 1970 down', async () => {
    const root = tree({ a: '' })
    const time = new Date(-1500)
    utimesSync(path.join(root, 'a'), time, time)
    const [item] = (await corpusOf(root).stat({ path: 'a' })).items
    expect(item).toMatchObject({ mtime: -1.5, mtime_iso: '1969-12-31T23:59:58Z' })
  })

  test('reports an invalid path in its item, and fails for a path outside the root', async () => {
    const root = tree({ a: '' })
    symlinkSync('loop', path.join(root, 'loop'))
    const corpus = corpusOf(root)
    const { items } = await corpus.stat({ paths: ['loop', 'a\0', 'a/b', 'x'.repeat(300)] })
    expect(items.map((item) => ('error' in item ? item.error.slice(0, 10) : ''))).toEqual([
      '[Errno 40]',
      'embedded n',
      '[Errno 20]',
      '[Errno 36]',
    ])
    expect(await messageOf(corpus.stat({ paths: ['a', '..'] }))).toBe('path outside root')
    expect(await messageOf(corpus.stat({}))).toBe('missing path')
  })
})
