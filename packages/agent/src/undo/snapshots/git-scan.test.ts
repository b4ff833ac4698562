import { chmodSync, mkdirSync, rmSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { gitStatus, statDirtyPaths } from './git-scan.ts'
import { rawPath } from './raw-path.ts'
import type { TestRepository } from './repository.fixtures.ts'
import { makeRepository } from './repository.fixtures.ts'

let repository: TestRepository
beforeEach(() => {
  repository = makeRepository()
})
afterEach(() => repository.remove())

it('tells changed, untracked and ignored paths and repositories apart', async () => {
  const { git, put, top, call } = repository
  const tracked = ['clean', 'changed', 'two words', 'gone', 'ü', 'moved']
  for (const name of tracked) put(name)
  put('.gitignore', '*.o\nbuild/\n')
  git('add', '.')
  git('commit', '-qm', 'start')
  for (const name of ['changed', 'two words', 'ü']) put(name, 'other')
  rmSync(path.join(top, 'gone'))
  put('staged')
  git('add', 'staged')
  git('mv', 'moved', 'renamed')
  for (const name of ['new file', 'dir/new', 'x.o', 'build/out', 'inner/in']) put(name)
  git('init', '-q', 'inner')
  expect(await gitStatus(call())).toEqual({
    dirty: ['changed', 'gone', 'two words', rawPath('ü')],
    untracked: ['dir/new', 'new file'],
    repositories: ['inner'],
    ignored: ['build/', 'x.o'],
  })
})

it('reports an unmerged path as changed', async () => {
  const { git, put, call } = repository
  put('both sides', 'start')
  git('add', '.')
  git('commit', '-qm', 'start')
  git('checkout', '-qb', 'other')
  put('both sides', 'other')
  git('commit', '-qam', 'other')
  git('checkout', '-q', '-')
  put('both sides', 'this')
  git('commit', '-qam', 'this')
  expect(() => git('merge', '-q', 'other')).toThrow()
  expect(await gitStatus(call())).toEqual({
    dirty: ['both sides'],
    untracked: [],
    repositories: [],
    ignored: [],
  })
})

it('finds touched paths with equal contents, and no submodules', async () => {
  const { git, put, top, call } = repository
  for (const name of ['clean', 'touched', 'mode', 'two words', 'gone']) put(name)
  for (const name of ['clean', 'touched', 'mode', 'two words', 'gone']) {
    utimesSync(path.join(top, name), 1000, 1000)
  }
  git('add', '.')
  git('init', '-q', 'module')
  git('-C', 'module', 'commit', '-q', '--allow-empty', '-m', 'inner')
  git('add', 'module')
  utimesSync(path.join(top, 'touched'), 2000, 2000)
  chmodSync(path.join(top, 'mode'), 0o755)
  put('two words', 'other')
  rmSync(path.join(top, 'gone'))
  git('-C', 'module', 'commit', '-q', '--allow-empty', '-m', 'more')
  expect(await statDirtyPaths(call())).toEqual(['gone', 'mode', 'touched', 'two words'])
  expect(await gitStatus(call())).toMatchObject({ dirty: ['gone', 'mode', 'two words'] })
})

it('knows nothing if git fails', async () => {
  rmSync(path.join(repository.top, '.git'), { recursive: true })
  mkdirSync(path.join(repository.top, '.git'))
  expect(await gitStatus(repository.call())).toBeUndefined()
  expect(await statDirtyPaths(repository.call())).toBeUndefined()
})
