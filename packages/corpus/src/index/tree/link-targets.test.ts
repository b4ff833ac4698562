import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, rmdirSync } from 'node:fs'
import { symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { workerFile } from '../../../test/support/trees.ts'
import { openCorpus } from '../../corpus.ts'
import type { CorpusOptions } from '../../corpus.ts'

const index = {
  memoryBytes: 32 << 20,
  threads: 1,
}

/** A tree with an index, and a function that compares its results with the disk. */
async function indexedTree() {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-links-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const at = (name: string): string => path.join(root, name)
  mkdirSync(at('empty'))
  mkdirSync(at('outer/inner'), { recursive: true })
  writeFileSync(at('outer/inner/text'), 'alpha\n')
  symlinkSync('empty', at('to-empty'))
  symlinkSync('outer/inner', at('to-inner'))
  symlinkSync('outer/inner/text', at('to-text'))
  const [plain, indexed] = [opened(root), opened(root, { index })]
  await indexed.buildIndex()
  const compare = async (): Promise<string[]> => {
    const listed = (await indexed.list({})).files
    expect(listed).toEqual((await plain.list({})).files)
    const asked = { pattern: 'alpha' }
    expect((await indexed.grep(asked)).hits).toEqual((await plain.grep(asked)).hits)
    return listed.filter((file) => file.startsWith('to-'))
  }
  expect(await compare()).toEqual(['to-text'])
  return { at, compare, indexed }
}

function opened(root: string, options: CorpusOptions = {}) {
  const corpus = openCorpus(root, { workerFile, ...options })
  onTestFinished(() => corpus.close())
  return corpus
}

it('lists a link to a folder as soon as its target is no folder any more', async () => {
  const { at, compare } = await indexedTree()
  rmdirSync(at('empty'))
  expect(await compare()).toEqual(['to-empty', 'to-text'])
  writeFileSync(at('empty'), 'alpha\n')
  expect(await compare()).toEqual(['to-empty', 'to-text'])
  rmSync(at('empty'))
  mkdirSync(at('empty'))
  expect(await compare()).toEqual(['to-text'])
})

it('resolves a link again when a folder in the path of its target is moved', async () => {
  const { at, compare, indexed } = await indexedTree()
  renameSync(at('outer'), at('moved'))
  expect(await compare()).toEqual(['to-inner', 'to-text'])
  mkdirSync(at('outer'))
  writeFileSync(at('outer/inner'), 'alpha by another way\n')
  expect(await compare()).toEqual(['to-inner', 'to-text'])
  rmSync(at('outer'), { recursive: true })
  renameSync(at('moved'), at('outer'))
  expect(await compare()).toEqual(['to-text'])
  expect(indexed.indexStats()).toMatchObject({ fresh: 'watch', state: 'ready' })
})
