import { expect, test } from 'vitest'
import { corpusOf, tree } from '../../test/support/trees.ts'
import type { IndexStats } from './options.ts'

/** Statistics of an index of two small files. */
async function statsWith(options: { contentBytes?: number }): Promise<Partial<IndexStats>> {
  const root = tree({ 'a.txt': 'one\n', 'b.txt': 'x'.repeat(100) })
  const index = { memoryBytes: 64 << 20, threads: 1, ...options }
  return (await corpusOf(root, { index }).buildIndex()) ?? {}
}

test('an index caches contents in most of its memory', async () => {
  const stats = await statsWith({})
  expect(stats).toMatchObject({ state: 'ready', files: 2, pending: 0, content_bytes: 64 + 192 })
  expect(stats.memory_bytes).toBeGreaterThan(0)
  expect(stats.signature_bytes).toBeGreaterThan(0)
})

test('a closed index has no memory', async () => {
  const index = { memoryBytes: 64 << 20, threads: 1 }
  const corpus = corpusOf(tree({ 'a.txt': 'one\n' }), { index })
  await corpus.buildIndex()
  await corpus.close()
  expect(corpus.indexStats()).toMatchObject({ state: 'off', files: 0, memory_bytes: 0 })
})

test('an index without memory for contents signs the files', async () => {
  const stats = await statsWith({ contentBytes: 0 })
  expect(stats).toMatchObject({ state: 'ready', files: 2, pending: 0, content_bytes: 0 })
  expect(stats.signature_bytes).toBeGreaterThan(0)
})

test('an index counts hidden folders that are ignored, too, as a walk of the disk does', async () => {
  const root = tree({ '.gitignore': '.cache/\n', '.cache/b': 'x', 'c.txt': 'x' })
  const indexed = corpusOf(root, { index: { memoryBytes: 64 << 20, threads: 1 } })
  await indexed.buildIndex()
  for (const corpus of [indexed, corpusOf(root)]) {
    const { excluded } = await corpus.grep({ pattern: 'x', respect_gitignore: true })
    expect(excluded).toEqual({ folders: 1, files: 1, by: ['.cache', 'hidden'] })
  }
})
