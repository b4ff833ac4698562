import type { Stats } from 'node:fs'
import { chmodSync, mkdirSync, rmSync, symlinkSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ProjectScan } from './project-scan.ts'
import { exceededLimit, scanPlain, scanRepository, snapshotLimits } from './project-scan.ts'
import { rawPath } from './raw-path.ts'
import type { TestRepository } from './repository.fixtures.ts'
import { makeRepository } from './repository.fixtures.ts'

let repository: TestRepository
beforeEach(() => {
  repository = makeRepository()
})
afterEach(() => repository.remove())

const isExcluded = (each: string) => each === 'out' || each.startsWith('out/')

/** The scan with sorted names instead of stats. */
async function scan(maxTrackedFiles: number) {
  const { top, call } = repository
  const index = path.join(top, '.git/index')
  const found = await scanRepository(call(), rawPath(top), index, maxTrackedFiles, isExcluded)
  return found === undefined ? undefined : shown(found)
}

function shown({ files, unsaved, folders, isComplete, ignored }: ProjectScan) {
  const names = [...files.keys()].filter((each) => !each.includes('.git/'))
  return {
    files: names.toSorted(),
    unsaved: [...unsaved].filter((each) => !each.includes('.git/')).toSorted(),
    folders: [...folders.keys()].filter((each) => !each.includes('.git')).toSorted(),
    isComplete,
    ignored,
  }
}

describe('the scan of a repository', () => {
  beforeEach(() => {
    const { git, put, top } = repository
    put('.gitignore', '*.o\n')
    for (const name of ['clean', 'changed', 'gone', 'd/tracked', 'sub/in/deep']) put(name)
    symlinkSync('clean', path.join(top, 'link'))
    git('add', '.')
    put('changed', 'other')
    rmSync(path.join(top, 'gone'))
    for (const name of ['new', 'sub/new', 'out/x', 'x.o']) put(name)
  })

  const files = ['.gitignore', 'changed', 'clean', 'd/tracked', 'link', 'new', 'sub/in/deep']
  const complete = {
    files: [...files, 'sub/new'],
    unsaved: ['changed', 'gone', 'new', 'sub/new'],
    folders: ['d', 'sub', 'sub/in'],
    isComplete: true,
    ignored: ['x.o'],
  }
  const large = { ...complete, files: ['changed', 'new', 'sub/new'], isComplete: false }

  it('holds every file up to the limit, and only changed and untracked ones above', async () => {
    expect(await scan(7)).toEqual(complete)
    expect(await scan(6)).toEqual(large)
    repository.git('update-index', '--index-version', '4')
    expect(await scan(7)).toEqual(complete)
    expect(await scan(6)).toEqual(large)
  })

  it('holds the folders with their modes, also empty ones, but not ignored and excluded ones', async () => {
    const { put, top, call } = repository
    for (const name of [
      'empty/in/er',
      'sub/empty',
      'd/more',
      'out/empty',
      'a.o',
      'b.o/in',
      ':c.o',
    ]) {
      mkdirSync(path.join(top, name), { recursive: true })
    }
    put('filled/x.o')
    chmodSync(path.join(top, 'd'), 0o1751)
    chmodSync(path.join(top, 'empty'), 0o700)
    const folders = ['d', 'd/more', 'empty', 'empty/in', 'empty/in/er']
    const expected = [...folders, 'filled', 'sub', 'sub/empty', 'sub/in']
    for (const limit of [20, 0]) expect((await scan(limit))?.folders).toEqual(expected)
    const index = path.join(top, '.git/index')
    const found = await scanRepository(call(), rawPath(top), index, 20, isExcluded)
    expect([...(found?.folders ?? [])].filter(([, mode]) => mode !== 0o755).toSorted()).toEqual([
      ['d', 0o1751],
      ['empty', 0o700],
    ])
  })

  it('leaves out a single ignored folder', async () => {
    mkdirSync(path.join(repository.top, 'a.o'))
    rmSync(path.join(repository.top, 'out'), { recursive: true })
    expect((await scan(20))?.folders).toEqual(complete.folders)
  })

  it('holds the files of repositories in it', async () => {
    const { git, put, top } = repository
    for (const name of ['embedded', 'module', 'empty', 'sub/in']) {
      git('init', '-q', '--template=', name)
    }
    git('-C', 'module', 'commit', '-q', '--allow-empty', '-m', 'inner')
    git('add', 'module')
    put('embedded/a')
    put('module/b')
    utimesSync(path.join(top, 'module/b'), 1000, 1000)
    const inner = ['embedded/a', 'module/b', 'sub/in/deep']
    for (const limit of [20, 0]) {
      const found = await scan(limit)
      const expected = limit === 0 ? large : complete
      expect(found?.files).toEqual([...new Set([...expected.files, ...inner])].toSorted())
      expect(found?.unsaved).toEqual([...complete.unsaved, ...inner].toSorted())
      expect(found?.folders).toEqual(['d', 'embedded', 'empty', 'module', 'sub', 'sub/in'])
    }
  })

  it('is unknown if git fails', async () => {
    const { top, call } = repository
    rmSync(path.join(top, '.git/HEAD'))
    const none = path.join(top, 'none')
    expect(await scanRepository(call(), rawPath(top), none, 20, isExcluded)).toBeUndefined()
  })
})

it('the scan of another folder holds everything', () => {
  const { top, put } = repository
  rmSync(path.join(top, '.git'), { recursive: true })
  for (const name of ['a', 'd/b', 'out/c']) put(name)
  const found = scanPlain(rawPath(top), { files: 2, bytes: 100 }, isExcluded)
  if ('tooLarge' in found) throw new Error(found.tooLarge)
  expect(shown(found)).toEqual({
    files: ['a', 'd/b'],
    unsaved: ['a', 'd/b'],
    folders: ['d'],
    isComplete: true,
    ignored: [],
  })
  expect(scanPlain(rawPath(top), { files: 1, bytes: 100 }, isExcluded)).toEqual({
    tooLarge: 'the project has more than 1 files',
  })
})

describe('the limit of a snapshot', () => {
  const withSizes = (sizes: Readonly<Record<string, number>>, unsaved: string[]): ProjectScan => ({
    files: new Map(Object.entries(sizes).map(([name, size]) => [name, { size } as Stats])),
    folders: new Map(),
    unsaved: new Set(unsaved),
    isComplete: true,
    ignored: [],
  })
  const limits = { files: 3, bytes: 3 * 1024 * 1024 }
  const half = limits.bytes / 2

  it.each<[string | undefined, ProjectScan]>([
    [undefined, withSizes({ a: half, b: half, clean: 1 }, ['a', 'b', 'deleted'])],
    [
      'the changed and untracked files of the project need more than 3 MiB',
      withSizes({ a: half, b: half + 1 }, ['a', 'b', 'deleted']),
    ],
    [
      'the project has more than 3 changed and untracked files',
      withSizes({ a: 1 }, ['a', 'b', 'c', 'd']),
    ],
  ])('%s', (expected, project) => {
    expect(exceededLimit(project, limits)).toBe(expected)
  })

  it('is 20,000 files and 256 MiB', () => {
    expect(snapshotLimits).toEqual({ files: 20_000, bytes: 268_435_456 })
  })
})
