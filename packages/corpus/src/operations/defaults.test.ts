import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { messageOf } from '../../test/support/answers.ts'
import { repositoryAt } from '../../test/support/repositories.ts'
import { corpusOf, corpusWith, tree } from '../../test/support/trees.ts'
import type { LineHit } from '../corpus.ts'

const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => `${line(at + 1)}\n`).join('')

function gitInput(root: string, input: string, ...args: string[]): string {
  const person = { NAME: 'Ann', EMAIL: 'ann@example.com', DATE: '1700000000 +0000' }
  const env = Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((role) =>
      Object.entries(person).map(([name, value]) => [`GIT_${role}_${name}`, value]),
    ),
  )
  const options = { input, env: { PATH: process.env.PATH, ...env } }
  return execFileSync('git', ['-C', root, ...args], options)
    .toString()
    .trim()
}

/** A commit of files with the same text. */
function commitOf(root: string, count: number, text: string): string {
  const blob = gitInput(root, text, 'hash-object', '-w', '--stdin')
  const rows = Array.from({ length: count }, (_, at) => `100644 blob ${blob}\tf${10_000 + at}.ts\n`)
  return gitInput(root, '', 'commit-tree', '-m', 'x', gitInput(root, rows.join(''), 'mktree'))
}

test('list returns 500 files, chunks 500 chunks, and locate 10 files by default', async () => {
  const { root } = repositoryAt(tree({}))
  const corpus = corpusOf(root)
  const rev = commitOf(root, 501, 'word\n')
  const list = await corpus.list({ rev })
  expect([list.files.length, list.truncated]).toEqual([500, true])
  expect((await corpus.list({ rev, exclude_globs: ['f10000.ts'] })).truncated).toBe(false)
  const chunks = await corpus.chunks({ rev, max_chars: 4 })
  expect([chunks.chunks.length, chunks.truncated]).toEqual([500, true])
  const rest = await corpus.chunks({ rev, max_chars: 4, cursor: chunks.next_cursor })
  expect([rest.chunks.length, rest.truncated]).toEqual([1, false])
  const located = await corpus.locate({ rev, text: 'word' })
  expect([located.results.length, located.truncated]).toEqual([10, true])
})

test('grep and references return 200 lines by default, and symbols 400', async () => {
  const corpus = corpusWith({
    'a.ts': lines(401, (at) => `function f${at}() { word() }`),
    'b.ts': lines(200, () => 'other()'),
    'c.ts': lines(400, (at) => `function g${at}() {}`),
  })
  const grep = await corpus.grep({ pattern: 'word' })
  expect([grep.hits.length, grep.truncated]).toEqual([200, true])
  const references = await corpus.references({ name: 'word' })
  expect([references.references.length, references.truncated]).toEqual([200, true])
  const others = await corpus.references({ name: 'other' })
  expect([others.references.length, others.truncated]).toEqual([200, false])
  const symbols = await corpus.symbols({ path: 'a.ts' })
  expect([symbols.symbols.length, symbols.truncated]).toEqual([400, true])
  const all = await corpus.treeSymbols({ glob: 'a.ts' })
  expect([all.symbols.length, all.truncated]).toEqual([400, true])
  const exact = await corpus.treeSymbols({ glob: 'c.ts' })
  expect([exact.symbols.length, exact.truncated]).toEqual([400, false])
})

test('read_file returns 400 lines or 100,000 characters or bytes, and peek 60 lines, by default', async () => {
  const text = lines(500, (at) => `${at}`)
  const corpus = corpusWith({
    a: text,
    big: `${'é'.repeat(99_999)}xyz`,
    bytes: 'x'.repeat(100_001),
  })
  const read = await corpus.read({ path: 'a', end_line: 500 })
  expect([read.end_line, read.truncated, read.metrics.lines_returned]).toEqual([400, true, 400])
  expect((await corpus.read({ path: 'a', end_line: 400 })).truncated).toBe(false)
  const many = await corpus.readMany({
    reads: [{ path: 'a', end_line: 500 }],
    max_total_lines: 999,
  })
  expect(many.metrics.lines_returned).toBe(400)
  const chars = await corpus.readMany({
    reads: [{ path: 'a', start_char: 0 }],
    max_total_lines: 999,
  })
  expect(chars.metrics.lines_returned).toBe(500)
  const byChar = await corpus.read({ path: 'big', start_char: 0 })
  expect([byChar.end_char, byChar.truncated, byChar.text.at(-1)]).toEqual([100_000, true, 'x'])
  const byByte = await corpus.read({ path: 'bytes', start_byte: 0 })
  expect([byByte.end_byte, byByte.truncated]).toEqual([100_000, true])
  const peek = await corpus.peek({ path: 'a' })
  expect([peek.head.start_line, peek.head.end_line]).toEqual([1, 60])
  expect([peek.tail.start_line, peek.tail.end_line]).toEqual([441, 500])
})

test('grep skips files above 2,000,000 bytes and cuts lines after 1,000 characters by default', async () => {
  const corpus = corpusWith({
    large: `${'x'.repeat(1_999_993)} needle\n`,
    small: `${'x'.repeat(1_999_992)} needle\n`,
    line: `needle ${'y'.repeat(3000)}\n`,
  })
  const { hits, skipped_large: skipped } = await corpus.grep({ pattern: 'needle' })
  expect(hits.map((hit) => [hit.path, (hit as LineHit).text.length])).toEqual([
    ['line', 1000],
    ['small', 1000],
  ])
  expect(skipped).toBe(1)
  const longer = await corpus.grep({ pattern: 'needle', paths: 'line', max_line_chars: 1001 })
  expect((longer.hits[0] as LineHit).text.length).toBe(1001)
  const longest = await corpus.grep({ pattern: 'needle', paths: 'line', max_line_chars: 2001 })
  expect((longest.hits[0] as LineHit).text.length).toBe(2000)
  const shorter = await corpus.grep({ pattern: 'needle', paths: 'line', max_line_chars: 1999 })
  expect((shorter.hits[0] as LineHit).text.length).toBe(1999)
})

test('chunks have 100,000 characters by default and at least 1', async () => {
  const corpus = corpusWith({ a: 'x'.repeat(100_001) })
  const { chunks } = await corpus.chunks({})
  expect(chunks.map(({ chars }) => chars)).toEqual([100_000, 1])
  expect(await messageOf(corpus.chunks({ max_chars: 0 }))).toBe('max_chars must be 1 or more')
})

test('a walk ends after 20,000 files by default', async () => {
  const { root } = repositoryAt(tree({}))
  const corpus = corpusOf(root)
  const rev = commitOf(root, 20_001, '')
  const over = await corpus.list({ rev, max: 1 })
  expect([over.scan_limited, over.metrics.files_scanned]).toEqual([true, 20_000])
  const at = await corpus.list({ rev, max: 1, exclude_globs: ['f10000.ts'] })
  expect([at.scan_limited, at.metrics.files_scanned]).toEqual([undefined, 20_001])
})

test('log returns 200 commits by default', async () => {
  const { root } = repositoryAt(tree({}))
  const stream = Array.from(
    { length: 201 },
    (_, at) =>
      `commit refs/heads/main\nmark :${at + 1}\ncommitter Ann <a@b.c> ${1_700_000_000 + at} +0000\n` +
      `data 1\nx${at === 0 ? '' : `from :${at}\n`}M 100644 inline a\ndata ${`${at}`.length}\n${at}\n`,
  ).join('')
  gitInput(root, stream, 'fast-import', '--quiet')
  const corpus = corpusOf(root)
  const page = await corpus.log({ rev: 'main', path: 'a' })
  expect([page.commits.length, page.truncated]).toEqual([200, true])
  const rest = await corpus.log({ rev: 'main', path: 'a', cursor: page.next_cursor })
  expect([rest.commits.length, rest.truncated, rest.next_cursor]).toEqual([1, false, undefined])
  expect(rest.commits[0]?.time).toBe('2023-11-14T22:13:20Z')
})
