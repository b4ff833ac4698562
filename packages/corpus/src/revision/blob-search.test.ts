import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Corpus, GrepArgs, UncheckedOperation, WrittenHits } from '../corpus.ts'
import { randomNumbers } from '../../test/support/random-requests.ts'
import { repositoryAt } from '../../test/support/repositories.ts'
import { corpusOf, tree } from '../../test/support/trees.ts'

const parts = ['ab', 'AB', 'a', 'b', '\n', '\r\n', '\r', 'ä', ' ', '"', '\t', '\\']
const names = ['x', 'folder/y', 'folder/deep/z', 'a"b', 'grün']

function repositoryOfTexts(): { root: string; head: string } {
  const random = randomNumbers(7)
  const text = (length: number): string =>
    Array.from({ length }, () => parts[random(parts.length)]).join('')
  const files = names.flatMap((name) =>
    [0, 1, 40, 400].map((length) => [`${name}${length}.txt`, text(length)]),
  )
  const { root, commit } = repositoryAt(tree({}))
  return { root, head: commit('texts', Object.fromEntries(files)) }
}

/** The hits of a client that only forwards them; most are written as JSON. */
async function writtenHits(corpus: Corpus, args: GrepArgs): Promise<unknown[]> {
  const grep = corpus.grep as unknown as UncheckedOperation<{
    written?: WrittenHits
    hits: object[]
  }>
  const { written, hits } = await grep(args as never, { writesHits: true })
  const pieces = written?.pieces ?? hits
  const parsed = pieces.flatMap((piece: unknown) =>
    piece instanceof Uint8Array ? (JSON.parse(`[${String(piece)}]`) as unknown[]) : [piece],
  )
  written?.release()
  return parsed
}

test('a search at a revision finds the lines that a search of the disk finds', async () => {
  const { root, head } = repositoryOfTexts()
  const corpus = corpusOf(root)
  const requests = ['ab', 'b a', 'A', '"', 'ä'].flatMap((pattern) =>
    [true, false].flatMap((case_sensitive) =>
      [1, 50, 1_000_000].map((max_hits) => ({ pattern, case_sensitive, max_hits })),
    ),
  )
  for (const request of requests) {
    const { hits } = await corpus.grep(request)
    const cited = hits.map((hit) => ({
      ...hit,
      cite: `${head}:${hit.path}:${'line' in hit ? hit.line : 0}`,
    }))
    expect(await writtenHits(corpus, { ...request, rev: 'HEAD' })).toEqual(cited)
  }
})

test('a text with more lines than the kernel has memory for is searched without it', async () => {
  const { root, commit } = repositoryAt(tree({}))
  commit('lines', { 'many.txt': 'x\n'.repeat(40_000) })
  const { count } = await corpusOf(root).grep({ pattern: 'x', rev: 'HEAD', mode: 'count' })
  expect(count).toBe(40_000)
})

test('searches that run at the same time keep their own literals and hits', async () => {
  const { root } = repositoryOfTexts()
  const corpus = corpusOf(root)
  const requests = ['ab', 'a', 'b', 'AB', 'ä', ' ', 'ba'].map((pattern) => ({
    ...{ pattern, rev: 'HEAD', max_hits: 1_000_000 },
  }))
  const alone: unknown[] = []
  for (const request of requests) alone.push(await writtenHits(corpus, request))
  expect(await Promise.all(requests.map((request) => writtenHits(corpus, request)))).toEqual(alone)
})

test('a damaged repository does not change what a search of another one finds', async () => {
  const [good, bad] = [repositoryAt(tree({})), repositoryAt(tree({}))]
  for (const { commit } of [good, bad]) commit('one', { 'a.txt': 'needle\n' })
  const object = good.git('rev-parse', 'HEAD:a.txt').trim()
  const file = path.join(bad.root, '.git/objects', object.slice(0, 2), object.slice(2))
  rmSync(file)
  writeFileSync(file, deflateSync('blob 7\0forged\n'))
  const found = async (root: string): Promise<number> =>
    (await corpusOf(root).grep({ pattern: 'forged', rev: 'HEAD' })).hits.length
  expect(await found(bad.root)).toBe(1)
  expect(await found(good.root)).toBe(0)
})
