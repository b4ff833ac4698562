import { execFileSync } from 'node:child_process'
import { chmodSync, readdirSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { messageOf } from '../../test/support/answers.ts'
import { repositoryAt } from '../../test/support/repositories.ts'
import { corpusOf, tree } from '../../test/support/trees.ts'
import { Repository, resolveCommit } from './git.ts'

const rows = (count: number, row: (line: number) => string): string =>
  Array.from({ length: count }, (_, index) => `${row(index + 1)}\n`).join('')

describe('objects', () => {
  test.each([
    ['loose objects', []],
    ['a pack with offset deltas', ['gc', '-q', '--prune=now']],
    [
      'a pack with deltas by name',
      ['-c', 'repack.useDeltaBaseOffset=false', 'repack', '-q', '-adf'],
    ],
  ])('every blob of every commit is read from %s', (_, how) => {
    const { root, git, commit } = repositoryAt(tree({}))
    for (let step = 0; step < 12; step++) {
      commit(`step ${step}`, {
        'a.txt': rows(400, (line) => `${line} ${line % 12 === step ? step : 'same'}`),
      })
    }
    if (how.length > 0) git(...how)
    const repository = new Repository(root)
    for (const name of git('rev-list', 'HEAD').trim().split('\n')) {
      const entry = repository.entryAt(repository.commit(name).tree, 'a.txt')
      expect(repository.blob(entry?.object ?? '').toString()).toBe(git('show', `${name}:a.txt`))
    }
    repository.close()
  })

  test('a repository with SHA-256 names is read', () => {
    const { root, git, commit } = repositoryAt(tree({}), '--object-format=sha256')
    const name = commit('first', { 'a.txt': 'hello\n' })
    expect(name).toHaveLength(64)
    git('gc', '-q')
    const repository = new Repository(root)
    const { tree: top } = repository.commit(resolveCommit(repository, name.slice(0, 9)))
    expect(repository.blob(repository.entryAt(top, 'a.txt')?.object ?? '').toString()).toBe(
      'hello\n',
    )
    repository.close()
  })

  test('objects of an alternate are read, and a shallow clone ends at its oldest commit', () => {
    const { root, git, commit } = repositoryAt(tree({}))
    commit('first', { 'a.txt': 'one\n' })
    commit('second', { 'a.txt': 'two\n' })
    const [shared, shallow] = [tree({}), tree({})]
    git('clone', '-q', '--shared', root, path.join(shared, 'clone'))
    git('clone', '-q', '--depth=1', `file://${root}`, path.join(shallow, 'clone'))
    const one = new Repository(path.join(shared, 'clone'))
    expect(one.commit(resolveCommit(one, 'HEAD~1')).message).toBe('first\n')
    const two = new Repository(path.join(shallow, 'clone'))
    expect(two.commit(resolveCommit(two, 'HEAD')).parents).toEqual([])
    expect(() => resolveCommit(two, 'HEAD~1')).toThrow(
      'unknown revision "HEAD~1": ~1 leads to no commit',
    )
    one.close()
    two.close()
  })

  test('a missing object of a partial clone names the reason', () => {
    const { root, git, commit } = repositoryAt(tree({}))
    commit('first', { 'a.txt': 'one\n' })
    git('config', 'remote.origin.promisor', 'true')
    const repository = new Repository(root)
    expect(() => repository.blob('12'.repeat(20))).toThrow('this is a partial clone')
    repository.close()
  })

  test('a damaged object is an error that names it', () => {
    const { root, git, commit } = repositoryAt(tree({}))
    commit('first', { 'a.txt': 'one\n' })
    const blob = git('rev-parse', 'HEAD:a.txt').trim()
    const file = path.join(root, '.git/objects', blob.slice(0, 2), blob.slice(2))
    git('update-index', '--refresh')
    const repository = new Repository(root)
    expect(repository.blob(blob).toString()).toBe('one\n')
    rewrite(file)
    expect(() => repository.blob(blob)).toThrow(`the object ${blob} is damaged`)
    repository.close()
  })
})

test('packs that gc replaces are read again, and a cut index and a FIFO are errors', () => {
  const { root, git, commit } = repositoryAt(tree({}))
  const blobs = ['one', 'two'].map((text) => {
    commit(text, { 'a.txt': text })
    git('repack', '-dq')
    return git('rev-parse', 'HEAD:a.txt').trim()
  }) as [string, string]
  const repository = new Repository(root)
  expect(repository.blob(blobs[0]).toString()).toBe('one')
  commit('three', { 'a.txt': 'three' })
  git('repack', '-adq')
  expect(repository.blob(blobs[1]).toString()).toBe('two')
  execFileSync('mkfifo', [path.join(root, '.git/refs/heads/pipe')])
  expect(() => resolveCommit(repository, 'pipe')).toThrow('unknown revision "pipe"')
  repository.close()
  const packs = path.join(root, '.git/objects/pack')
  const index = path.join(packs, readdirSync(packs).find((name) => name.endsWith('.idx')) ?? '')
  chmodSync(index, 0o600)
  truncateSync(index, 1040)
  const damaged = new Repository(root)
  expect(() => damaged.blob(blobs[0])).toThrow(/^the index of the pack pack-\w+ is damaged$/)
  damaged.close()
})

/** Objects are read-only files. */
function rewrite(file: string): void {
  writeFileSync(`${file}.new`, 'no zlib stream')
  process.getBuiltinModule('node:fs').renameSync(`${file}.new`, file)
}

describe('revisions', () => {
  test('every spelling that git knows names the same commit as in git', () => {
    const { root, git, commit } = repositoryAt(tree({}))
    const first = commit('first', { 'a.txt': '1\n' })
    git('checkout', '-q', '-b', 'side/one')
    commit('side', { 'b.txt': '1\n' })
    git('checkout', '-q', 'main')
    commit('second', { 'a.txt': '2\n' })
    git('merge', '-q', '--no-ff', '-m', 'merge side', 'side/one')
    git('tag', '-a', 'v1', '-m', 'one')
    git('tag', 'light')
    commit('third', { 'a.txt': '3\n' })
    git('pack-refs', '--all')
    const repository = new Repository(root)
    const revisions = [
      ...[
        'HEAD',
        '@',
        'main',
        'heads/main',
        'refs/heads/main',
        'side/one',
        'v1',
        'light',
        'tags/v1',
      ],
      ...[
        'HEAD~1',
        'HEAD^',
        'HEAD~',
        '@~2',
        'v1^2',
        'v1^2~1',
        'v1^{}',
        'v1^{commit}',
        'HEAD^0',
        'v1~0',
      ],
      ...[first, first.slice(0, 7), first.toUpperCase(), 'HEAD@{1}', '@{0}', 'main@{2}', '@{-1}'],
      ...[`v1-1-g${first.slice(0, 8)}`, 'HEAD^{/second}'],
    ]
    for (const revision of revisions) {
      const expected = git('rev-parse', '--verify', `${revision}^{commit}`).trim()
      expect(resolveCommit(repository, revision), revision).toBe(expected)
    }
    repository.close()
  })

  test.each([
    'nope',
    '',
    '--all',
    'HEAD:a.txt',
    'a..b',
    'HEAD^3',
    'HEAD~9',
    '../config',
    'config',
    'HEAD^{tree}',
    'HEAD@{yesterday}',
    '@{u}',
  ])('%j is no revision', (revision) => {
    const { root, commit } = repositoryAt(tree({}))
    commit('first', { 'a.txt': '1\n' })
    const repository = new Repository(root)
    expect(() => resolveCommit(repository, revision)).toThrow(/unknown revision/)
    repository.close()
  })

  test('a root outside of any repository is an error of the request', async () => {
    const corpus = corpusOf(tree({ 'a.txt': 'x' }))
    expect(await messageOf(corpus.read({ path: 'a.txt', rev: 'HEAD' }))).toBe(
      'the root is not in a git repository',
    )
  })
})
