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

test('an index without memory for contents signs the files', async () => {
  const stats = await statsWith({ contentBytes: 0 })
  expect(stats).toMatchObject({ state: 'ready', files: 2, pending: 0, content_bytes: 0 })
  expect(stats.signature_bytes).toBeGreaterThan(0)
})
