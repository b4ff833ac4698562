import { chmodSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { messageOf } from '../../test/support/answers.ts'
import { corpusOf, corpusWith, tree } from '../../test/support/trees.ts'
import { openCorpus } from '../corpus.ts'

describe('a single file as the root', () => {
  test('is the entire corpus', async () => {
    const root = tree({ 'big.log': 'one\ntwo\n', 'other.txt': 'one\n' })
    symlinkSync('big.log', path.join(root, 'link.log'))
    const corpus = corpusOf(path.join(root, 'link.log'))
    expect(corpus.root).toBe(path.join(root, 'big.log'))
    expect((await corpus.list()).files).toEqual(['big.log'])
    expect((await corpus.read({ path: 'big.log', start_line: 2 })).text).toBe('two')
    expect((await corpus.read({ path: '.' })).text).toBe('one')
    expect((await corpus.grep({ pattern: 'one' })).hits).toEqual([
      { path: 'big.log', line: 1, text: 'one' },
    ])
    expect((await corpus.stat({ path: '.' })).items[0]).toMatchObject({ is_file: true })
    expect(await messageOf(corpus.read({ path: 'other.txt' }))).toBe('path outside root')
    expect(await messageOf(corpus.stat({ path: '..' }))).toBe('path outside root')
    expect((await corpus.summary()).files).toBe(1)
  })
})

describe('a corpus', () => {
  test('cannot be opened on a root that does not exist', () => {
    expect(() => openCorpus('/nonexistent-root')).toThrow(/cannot use \/nonexistent-root/)
  })

  test('can have the file system root as its root', async () => {
    const corpus = corpusOf('/')
    expect((await corpus.stat({ path: 'tmp' })).items[0]).toMatchObject({
      path: 'tmp',
      is_dir: true,
    })
    expect((await corpus.read({ path: 'etc/passwd' })).path).toBe('etc/passwd')
  })

  test('rejects a request that is cancelled', async () => {
    const files = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`f${n}`, 'x\n']))
    const corpus = corpusWith(files)
    const abort = new AbortController()
    abort.abort()
    expect(await messageOf(corpus.summary({}, { signal: abort.signal }))).toBe(
      'the request was cancelled',
    )
  })

  test('searches the other files when one is unreadable', async () => {
    const root = tree({ a: 'x', b: 'x' })
    chmodSync(root, 0o755)
    chmodSync(path.join(root, 'a'), 0)
    const corpus = corpusOf(root)
    // Root can read every file, so it drops its privileges for this test.
    const isSuperuser = process.getuid?.() === 0
    if (isSuperuser) process.seteuid?.(65_534)
    try {
      expect((await corpus.grep({ pattern: 'x' })).hits.length).toBe(1)
      expect(await messageOf(corpus.read({ path: 'a' }))).toBe("[Errno 13] Permission denied: 'a'")
    } finally {
      if (isSuperuser) process.seteuid?.(0)
    }
  })

  test('reads the current contents of a file that grows', async () => {
    const root = tree({ a: 'x\n' })
    const corpus = corpusOf(root)
    expect((await corpus.read({ path: 'a' })).total_lines).toBe(1)
    writeFileSync(path.join(root, 'a'), 'x\ny\n')
    expect((await corpus.read({ path: 'a' })).total_lines).toBe(2)
  })
})
