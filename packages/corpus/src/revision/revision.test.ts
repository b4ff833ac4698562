import { symlinkSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { messageOf } from '../../test/support/answers.ts'
import { repositoryAt } from '../../test/support/repositories.ts'
import type { TestRepository } from '../../test/support/repositories.ts'
import { corpusOf, tree } from '../../test/support/trees.ts'

function repositoryWithLinks(): TestRepository & { first: string } {
  const repository = repositoryAt(tree({}))
  const first = repository.commit('first', {
    'a.txt': 'one\r\ntwo needle\r\n',
    'src/b.ts': 'export const needle = 1\n',
    'build/out.js': 'needle\n',
    '.hidden': 'needle\n',
    'grün.md': 'needle\n',
  })
  symlinkSync('../a.txt', path.join(repository.root, 'src/link'))
  symlinkSync('/etc/passwd', path.join(repository.root, 'out'))
  repository.commit('second', { 'a.txt': 'changed\n', 'src/b.ts': undefined })
  return { ...repository, first }
}

test('reads, lists and searches the files of a revision while the disk has others', async () => {
  const { root, first } = repositoryWithLinks()
  const corpus = corpusOf(root)
  const rev = first.slice(0, 8)
  expect(await corpus.read({ path: 'a.txt', rev, end_line: 9, hash: true })).toMatchObject({
    text: 'one\ntwo needle',
    total_lines: 2,
    rev: first,
    cite: `${first}:a.txt:1-2`,
  })
  expect((await corpus.list({ rev })).files).toEqual(['a.txt', 'grün.md', 'src/b.ts'])
  const { hits, excluded } = await corpus.grep({ pattern: 'needle', rev })
  expect(hits.map((hit) => ('cite' in hit ? hit.cite : ''))).toEqual([
    `${first}:a.txt:2`,
    `${first}:grün.md:1`,
    `${first}:src/b.ts:1`,
  ])
  expect(excluded).toEqual({ folders: 1, files: 1, by: ['build', 'hidden'] })
  expect(
    (await corpus.grep({ pattern: 'ne+dle', regex: true, rev, paths: 'build' })).hits,
  ).toHaveLength(1)
  expect((await corpus.read({ path: 'a.txt', start_byte: 5, end_byte: 8, rev })).text).toBe('two')
  const many = await corpus.readMany({ reads: [{ path: 'a.txt' }, { path: 'a.txt', rev }] })
  expect(many.results.map((item) => item.ok && item.result.text)).toEqual(['changed', 'one'])
  expect((await corpus.summary({ rev })).files).toBe(3)
  expect((await corpus.chunks({ rev })).chunks[0]?.parts).toHaveLength(3)
  expect((await corpus.symbols({ path: 'src/b.ts', rev, detail: 'all' })).symbols).toHaveLength(1)
  const found = await corpus.treeSymbols({ name: 'needle', rev, detail: 'all' })
  expect(found.symbols).toMatchObject([{ line: 1, cite: `${first}:src/b.ts:1` }])
})

test('pages of a search at a revision join to the whole result', async () => {
  const { root, commit } = repositoryAt(tree({}))
  commit(
    'first',
    Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`f${n}.txt`, 'hit\nhit\n'])),
  )
  const corpus = corpusOf(root)
  const whole = (await corpus.grep({ pattern: 'hit', rev: 'HEAD' })).hits
  const paged: unknown[] = []
  let cursor: string | undefined
  do {
    const page = await corpus.grep({ pattern: 'hit', rev: 'HEAD', max_chars: 700, cursor })
    paged.push(...page.hits)
    cursor = page.next_cursor
  } while (cursor !== undefined)
  expect(paged).toEqual(whole)
})

test('links are followed inside the root only', async () => {
  const { root } = repositoryWithLinks()
  const corpus = corpusOf(root)
  expect(await corpus.read({ path: 'src/link', rev: 'HEAD' })).toMatchObject({
    path: 'a.txt',
    text: 'changed',
  })
  expect(await messageOf(corpus.read({ path: 'out', rev: 'HEAD' }))).toBe('path outside root')
  expect(await messageOf(corpus.read({ path: '../x', rev: 'HEAD' }))).toBe('path outside root')
  expect(await messageOf(corpus.read({ path: 'src', rev: 'HEAD' }))).toBe(
    "[Errno 21] Is a directory: 'src'",
  )
  expect(await messageOf(corpus.read({ path: 'src/b.ts', rev: 'HEAD' }))).toBe(
    "[Errno 2] No such file or directory: 'src/b.ts'",
  )
})

test('a root below the top of the repository sees its own files only', async () => {
  const { root, first } = repositoryWithLinks()
  const corpus = corpusOf(path.join(root, 'src'))
  expect((await corpus.list({ rev: first })).files).toEqual(['b.ts'])
  expect(await messageOf(corpus.read({ path: '../a.txt', rev: first }))).toBe('path outside root')
  expect((await corpus.log({ path: 'b.ts' })).commits).toHaveLength(2)
})

test('a packed branch that moves is followed', async () => {
  const { root, commit, git } = repositoryAt(tree({}))
  const first = commit('first', { 'a.txt': 'one\n' })
  const corpus = corpusOf(root)
  git('branch', 'side')
  git('pack-refs', '--all')
  expect(await corpus.read({ path: 'a.txt', rev: 'side' })).toMatchObject({ rev: first })
  const second = commit('second', { 'a.txt': 'two\n' })
  git('branch', '-f', 'side', second)
  git('pack-refs', '--all')
  expect(await corpus.read({ path: 'a.txt', rev: 'side' })).toMatchObject({
    rev: second,
    text: 'two',
  })
})
