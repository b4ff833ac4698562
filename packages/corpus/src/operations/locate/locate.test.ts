import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '@zee/core/clock'
import { repositoryAt } from '../../../test/support/repositories.ts'
import { corpusOf, tree } from '../../../test/support/trees.ts'

const files = {
  'src/session-lock.ts': 'export function breakStaleLock(owner: number) {\n  return owner\n}\n',
  'src/render.ts': 'export function renderTable(rows: string[]) {\n  return rows\n}\n',
  'vendor/lock.js': 'function lock() {} // stale lock owner\n',
  'docs/notes.md': 'A table of figures.\n',
}

test('a file whose name, symbols and content have the words comes first, with spans and hashes', async () => {
  const corpus = corpusOf(tree(files))
  const args = { text: 'stale locks of a session are not broken when the owner died' }
  const { results } = await corpus.locate(args)
  expect(results[0]).toMatchObject({ path: 'src/session-lock.ts' })
  expect(results[0]?.why).toEqual(
    expect.arrayContaining(['stale', 'locks', 'path:locks', 'symbol:stale']),
  )
  const [span] = results[0]?.spans ?? []
  const read = await corpus.read({
    path: 'src/session-lock.ts',
    start_line: span?.start_line,
    end_line: span?.end_line,
    hash: true,
  })
  expect(span?.sha256).toBe(read.sha256)
  expect((await corpus.locate(args)).results).toEqual(results)
})

test('files of earlier commits with a similar message, and their partners, move up', async () => {
  const { root, commit } = repositoryAt(tree({}))
  commit('begin', { 'a.ts': 'one\n', 'b.ts': 'two\n', 'c.ts': 'three\n' })
  for (let step = 0; step < 3; step++) {
    commit('handle timeouts of the proxy', { 'b.ts': `two ${step}\n`, 'c.ts': `three ${step}\n` })
  }
  const { results } = await corpusOf(root).locate({ text: 'proxy timeout is too short' })
  expect(
    results
      .map(({ path }) => path)
      .slice(0, 2)
      .sort(),
  ).toEqual(['b.ts', 'c.ts'])
  expect(results[0]?.why.join(' ')).toContain('history:3 similar commits')
})

test('hidden files are ranked, and what the default rules hide is counted', async () => {
  const corpus = corpusOf(
    tree({ '.github/workflows/release.yml': 'name: release\n', 'build/release.js': 'release\n' }),
  )
  const { results, excluded } = await corpus.locate({ text: 'release workflow' })
  expect(results.map(({ path }) => path)).toEqual(['.github/workflows/release.yml'])
  expect(excluded).toEqual({ folders: 1, files: 0, by: ['build'] })
  const visible = await corpus.locate({ text: 'release workflow', include_hidden: false })
  expect(visible.results).toEqual([])
})

test('a file that only its path matches has its first lines as a span', async () => {
  const rows = Array.from({ length: 20 }, (_, at) => `line ${at}\n`).join('')
  const corpus = corpusOf(tree({ 'parser.ts': rows, 'other.ts': rows }))
  const { results } = await corpus.locate({ text: 'parsers' })
  expect(results[0]?.path).toBe('parser.ts')
  expect(results).toMatchObject([
    { score: 0.5, spans: [{ start_line: 1, end_line: 7 }], why: ['path:parsers'] },
  ])
})

test('files below a folder that the text spells out with a slash move up', async () => {
  const corpus = corpusOf(
    tree({
      'lib/core/spiders/crawl.ts': 'export const depth = 1\n',
      'lib/typing.ts': 'types, typing and full types\n',
      'docs/typing.md': 'full typing\n',
    }),
  )
  const { results } = await corpus.locate({ text: 'Full typing for core/spiders.' })
  const found = results.find(({ path }) => path === 'lib/core/spiders/crawl.ts')
  expect(found?.why).toContain('named in the text')
})

test('a text without any matching word finds nothing, however recent the changes are', async () => {
  const { root, commit } = repositoryAt(tree({}))
  commit('begin', { 'a.ts': 'one\n' })
  expect((await corpusOf(root).locate({ text: 'qqzz wwxx' })).results).toEqual([])
})

test('a change of a file is ranked by the next request, without an index', async () => {
  const root = tree({ 'a.txt': 'apple\n', 'b.txt': 'pear\n' })
  const corpus = corpusOf(root)
  expect((await corpus.locate({ text: 'plum' })).results).toEqual([])
  for (let round = 0; round < 5; round++) {
    writeFileSync(path.join(root, 'a.txt'), round % 2 === 0 ? 'plum\n' : 'fig \n')
    const { results } = await corpus.locate({ text: 'plum' })
    expect(results.map((result) => result.path)).toEqual(round % 2 === 0 ? ['a.txt'] : [])
  }
})

test('a file that is deleted after it was ranked has no spans, and does not count as unreadable', async () => {
  const spans: unknown[] = []
  for (let turn = 0; turn < 6; turn++) {
    const root = tree({ 'a.txt': 'plum\n' })
    let turns = 0
    // A request reads the clock at each of its steps.
    const monotonicMs = (): number => {
      if (turns++ === turn) rmSync(path.join(root, 'a.txt'))
      return 0
    }
    const corpus = corpusOf(root, { clock: { ...systemClock, monotonicMs } })
    const { results, unreadable } = await corpus.locate({ text: 'plum' })
    expect(unreadable).toBeUndefined()
    for (const result of results) spans.push(result.spans)
  }
  expect(spans).toContainEqual([])
})

test.each([
  ['x', [[1, 1]]],
  ['x\n', [[1, 1]]],
  ['x\n\ny', [[1, 3]]],
  ['x\n\n', [[1, 2]]],
  ['', []],
])('the spans of the content %j of a file are %j', async (content, spans) => {
  const { results } = await corpusOf(tree({ 'parser.ts': content })).locate({ text: 'parser' })
  expect(results[0]?.spans.map((span) => [span.start_line, span.end_line])).toEqual(spans)
})

test('one similar commit is named as one', async () => {
  const { root, commit } = repositoryAt(tree({}))
  commit('handle timeouts', { 'a.ts': 'one\n' })
  commit('other words', { 'b.ts': 'two\n' })
  const { results } = await corpusOf(root).locate({ text: 'timeouts' })
  expect(results.map(({ path: file, why }) => [file, why])).toEqual([
    ['a.ts', ['history:1 similar commit']],
  ])
})

test('a page of results has a cursor for the next one', async () => {
  const corpus = corpusOf(tree({ 'lock1.ts': 'lock', 'lock2.ts': 'lock', 'lock3.ts': 'lock' }))
  const first = await corpus.locate({ text: 'lock', max: 2 })
  expect([first.results.length, first.truncated]).toEqual([2, true])
  const next = await corpus.locate({ text: 'lock', max: 2, cursor: first.next_cursor })
  expect([next.results.length, next.truncated, next.next_cursor]).toEqual([1, false, undefined])
  const all = [...first.results, ...next.results]
  expect((await corpus.locate({ text: 'lock', max: 3 })).results).toEqual(all)
  expect((await corpus.locate({ text: 'lock', max: 3 })).truncated).toBe(false)
})
