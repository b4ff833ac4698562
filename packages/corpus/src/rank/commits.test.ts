import path from 'node:path'
import { expect, test } from 'vitest'
import { repositoryAt } from '../../test/support/repositories.ts'
import { tree } from '../../test/support/trees.ts'
import { RevisionReader } from '../revision/revision.ts'
import { openCorpusRoot } from '../root/root.ts'
import { runSynchronously } from '../steps.ts'
import { Examples } from './commits.ts'
import type { ExampleList } from './commits.ts'
import { hashOf } from './tokens.ts'

function examplesAt(root: string, examples = new Examples()): ExampleList {
  const reader = new RevisionReader(openCorpusRoot(root), 1 << 20)
  try {
    return runSynchronously(examples.before(reader, reader.at('HEAD').commit))
  } finally {
    reader.close()
  }
}

const filesOf = ({ examples }: ExampleList): string[][] => examples.map(({ files }) => [...files])

test('each commit is an example with its title, its body and its files, newest first', () => {
  const { root, commit } = repositoryAt(tree())
  commit('begin', { 'a.ts': '1', 'sub/b.ts': '1' })
  commit('fix lock\n\nowner died', { 'a.ts': undefined, 'c.ts': '1' })
  const list = examplesAt(root)
  expect(filesOf(list)).toEqual([
    ['a.ts', 'c.ts'],
    ['a.ts', 'sub/b.ts'],
  ])
  expect(list.having(hashOf('lock'))).toEqual([{ example: 0, title: 1, body: 0 }])
  expect(list.having(hashOf('owner'))).toEqual([{ example: 0, title: 0, body: 1 }])
  expect(list.having(hashOf('begin'))).toEqual([{ example: 1, title: 1, body: 0 }])
})

test('files are relative to the root, and commits outside it are no examples', () => {
  const { root, commit } = repositoryAt(tree())
  commit('one', { 'sub/a.ts': '1', 'b.ts': '1' })
  commit('two', { 'b.ts': '2' })
  commit('three', { 'sub/deep/c.ts': '3' })
  const list = examplesAt(path.join(root, 'sub'))
  expect(filesOf(list)).toEqual([['deep/c.ts'], ['a.ts']])
})

test('merges, empty commits and commits of more than 40 files are no examples', () => {
  const { root, git, commit } = repositoryAt(tree())
  const many = (count: number, text: string): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}.ts`, text]))
  commit('forty', many(40, 'a'))
  commit('more', many(41, 'b'))
  git('checkout', '-q', '-b', 'side')
  commit('side', { 'side.ts': '1' })
  git('checkout', '-q', 'main')
  commit('main', { 'main.ts': '1' })
  git('merge', '-q', '--no-edit', 'side')
  commit('empty', {})
  const sizes = examplesAt(root).examples.map(({ files }) => files.length)
  expect(sizes).toEqual([1, 1, 40])
})

test('the list of the same commit is reused', () => {
  const { root, commit } = repositoryAt(tree())
  const examples = new Examples()
  commit('one', { 'a.ts': '1' })
  const first = examplesAt(root, examples)
  expect(examplesAt(root, examples)).toBe(first)
  commit('two', { 'a.ts': '2' })
  const second = examplesAt(root, examples)
  expect(filesOf(second)).toEqual([['a.ts'], ['a.ts']])
  expect(second.examples[1]).toBe(first.examples[0])
})
