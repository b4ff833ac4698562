import { mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { randomNumbers } from '../../test/support/random-requests.ts'
import { repositoryAt } from '../../test/support/repositories.ts'
import type { TestRepository } from '../../test/support/repositories.ts'
import { tree } from '../../test/support/trees.ts'
import { RevisionReader } from '../revision/revision.ts'
import { openCorpusRoot } from '../root/root.ts'
import { findRenames } from './renames.ts'
import { treeChanges } from './tree-changes.ts'

/** Renames of the last commit as `old -> new`, of git and of the function. */
function renamesOf({ root, git }: TestRepository, only?: string): [own: string[], git: string[]] {
  const rows = git('diff-tree', '-r', '-M', '--name-status', 'HEAD~1', 'HEAD').trim().split('\n')
  const expected = rows.flatMap((row) => {
    const [status = '', from, to] = row.split('\t')
    return status.startsWith('R') && (only === undefined || to === only) ? [`${from} -> ${to}`] : []
  })
  const reader = new RevisionReader(openCorpusRoot(root), 1 << 24)
  try {
    const trees = git('rev-parse', 'HEAD~1^{tree}', 'HEAD^{tree}').trim().split('\n')
    const changes = treeChanges(reader.repository, trees[0], trees[1] as string)
    const found = findRenames(changes, reader.blobs, only)
    return [[...found].map(([to, from]) => `${from} -> ${to}`).sort(), expected.sort()]
  } finally {
    reader.close()
  }
}

function expectRenamesOfGit(repository: TestRepository): string[] {
  const [own, expected] = renamesOf(repository)
  expect(own).toEqual(expected)
  return own
}

const text = (lines: number, label: string): string =>
  Array.from({ length: lines }, (_, at) => `${label} line ${at}\n`).join('')

/** A text of which `share` tenths are those of the text of a label. */
const mixed = (label: string, share: number): string =>
  text(100, label)
    .split('\n')
    .map((line, at) => (at % 10 < share ? line : `other ${label} ${at}`))
    .join('\n')

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'of files that are moved and edited at random, the renames are those of git (seed %d)',
  (seed) => {
    const random = randomNumbers(seed)
    const repository = repositoryAt(tree())
    const before: Record<string, string> = {}
    const after: Record<string, string | undefined> = {}
    for (let at = 0; at < 8; at++) {
      before[`old/f${at}.txt`] = mixed(`f${at % 3}`, 10 - random(3))
      after[`old/f${at}.txt`] = undefined
    }
    for (let at = 0; at < 8; at++) {
      const name = random(2) === 0 ? `new/f${at}.txt` : `new/g${at}.txt`
      after[name] = mixed(`f${random(3)}`, 4 + random(7))
    }
    repository.commit('before', before)
    repository.commit('after', after)
    expect(expectRenamesOfGit(repository).length).toBeGreaterThan(0)
  },
)

test.each([4, 5, 6, 7, 8, 9, 10])(
  'a file of which %d tenths are kept is renamed where git renames it, under its name or another',
  (share) => {
    for (const name of ['same.txt', 'different.txt']) {
      const repository = repositoryAt(tree())
      repository.commit('before', { 'a/same.txt': text(100, 'x'), 'a/second.txt': mixed('x', 8) })
      repository.commit('after', {
        ...{ 'a/same.txt': undefined, 'a/second.txt': undefined },
        ...{ [`b/${name}`]: mixed('x', share), 'b/third.txt': mixed('x', 7) },
      })
      expectRenamesOfGit(repository)
    }
  },
)

test('of equal contents, the file of the same name is the old one', () => {
  const repository = repositoryAt(tree())
  repository.commit('before', { 'a/one': 'same\n', 'a/two': 'same\n', 'a/three': 'same\n' })
  repository.commit('after', {
    ...{ 'a/one': undefined, 'a/two': undefined, 'a/three': undefined },
    ...{ 'b/two': 'same\n', 'b/four': 'same\n' },
  })
  expect(expectRenamesOfGit(repository)).toContain('a/two -> b/two')
})

test('a link is renamed to a link with the same target only, not to a file', () => {
  const repository = repositoryAt(tree())
  symlinkSync('target', path.join(repository.root, 'link'))
  repository.commit('before', { file: 'target' })
  mkdirSync(path.join(repository.root, 'sub'))
  symlinkSync('target', path.join(repository.root, 'sub/moved'))
  repository.commit('after', { link: undefined, file: undefined, 'sub/kept': 'target' })
  expect(expectRenamesOfGit(repository)).toEqual(['file -> sub/kept', 'link -> sub/moved'])
})

test('the search can be limited to one new file', () => {
  const repository = repositoryAt(tree())
  repository.commit('before', { 'a/x': text(9, 'x'), 'a/y': text(9, 'y') })
  repository.commit('after', {
    ...{ 'a/x': undefined, 'a/y': undefined },
    ...{ 'b/x': text(9, 'x'), 'b/y': text(9, 'y') },
  })
  expect(renamesOf(repository, 'b/y')[0]).toEqual(['a/y -> b/y'])
  expect(renamesOf(repository, 'b/none')[0]).toEqual([])
})
