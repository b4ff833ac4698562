import { execFileSync } from 'node:child_process'
import { afterAll, describe, expect, it } from 'vitest'
import { childProgram } from '../../../../test/support/paths.ts'
import { tree } from '../../test/support/trees.ts'
import { openCorpus } from '../corpus.ts'
import { createThreads } from '../threads.ts'
import { openStoredTree, repositoryFiles, requiredTexts } from './stored-tree.ts'
import type { StoredTree } from './stored-tree.ts'

const threads = createThreads({ workerFile: (name) => childProgram('corpus', name) })
afterAll(() => threads.close())

const files = {
  'README.md': '# Title\nneedle\n',
  'a-b/x.ts': 'export function needle() {}\n',
  'a.ts': 'needle()\n',
  'a/deep/y.py': 'def other():\n  needle = 1\n',
  'build/out.js': 'needle\n',
  '.env': 'needle=1\n',
}

function repository(): string {
  const root = tree(files)
  const git = (...args: string[]): void => {
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org']
    execFileSync('git', [...identity, ...args], { cwd: root, stdio: 'ignore' })
  }
  git('init', '-q')
  git('add', '-A', '-f')
  git('commit', '-qm', 'first')
  return root
}

function storedTree(root: string): StoredTree {
  const { commit, time, files: all, read } = repositoryFiles(root, 'HEAD')
  return { commit, time, files: [...all()], read }
}

describe('a stored tree', () => {
  it('answers like the repository at the same revision', async () => {
    const root = repository()
    const stored = storedTree(root)
    const deny = { globs: [], secrets: true }
    const operations = await openStoredTree(stored, { threads, deny })
    const corpus = openCorpus(root, { deny })
    const rev = stored.commit
    const without = (result: { metrics: object }): unknown => ({ ...result, metrics: undefined })
    for (const [method, args] of [
      ['list', {}],
      ['list', { include_hidden: true, default_excludes: false }],
      ['grep', { pattern: 'needle', context: 1 }],
      ['grep', { pattern: '(?i)NEEDLE\\(', regex: true }],
      ['read', { path: 'a/deep/y.py', end_line: 2, hash: true }],
      ['peek', { path: 'a.ts' }],
      ['stat', { paths: ['a', 'a.ts', 'missing'] }],
      ['treeSymbols', { name: 'needle' }],
      ['references', { name: 'needle' }],
    ] as const) {
      const run = async (from: typeof operations): Promise<unknown> =>
        without(
          await (from[method] as (args: object) => Promise<{ metrics: object }>)({ ...args, rev }),
        )
      expect(await run(operations)).toEqual(await run(corpus))
    }
    const located = await operations.locate({ text: 'needle function', rev } as { text: string })
    expect(located.results[0]).toMatchObject({ path: 'a-b/x.ts' })
    await expect(operations.read({ path: '.env', rev })).rejects.toThrow('denied by rule')
    await corpus.close()
  })

  it('says that a file is not stored', async () => {
    const stored = {
      commit: 'c',
      time: 0,
      files: [{ path: 'a', object: '1' }],
      read: () => undefined,
    }
    const { read } = await openStoredTree(stored, { threads })
    await expect(read({ path: 'a', rev: 'c' })).rejects.toThrow('the file is not stored')
  })
})

describe('requiredTexts', () => {
  it.each([
    ['foo bar', { regex: false, caseSensitive: true }, ['foo bar'], false],
    ['Foo kiln', { regex: false, caseSensitive: false }, ['Foo ', 'ln'], true],
    ['foo\\d+bar', { regex: true, caseSensitive: true }, ['foo'], true],
    ['a|b', { regex: true, caseSensitive: true }, [], true],
  ])('of %j %j are %j', (pattern, options, texts, ignoresCase) => {
    expect(requiredTexts(pattern, options)).toEqual({ texts, ignoresCase })
  })
})
