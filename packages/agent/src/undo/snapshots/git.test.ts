import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findRepository, runGit } from './git.ts'
import { keepObjects, keptFolder } from './kept-objects.ts'
import { blobId } from './state.ts'
import { makeRepository } from './repository.fixtures.ts'

describe('the repository of a folder', () => {
  let root: string
  beforeEach(() => {
    root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-git-')))
    mkdirSync(path.join(root, 'a/b'), { recursive: true })
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))
  const marker = () => path.join(root, 'a/.git')

  it('is the nearest folder with a `.git` that has a HEAD', () => {
    mkdirSync(marker())
    expect(findRepository(path.join(root, 'a/b'))).toBeUndefined()
    mkdirSync(path.join(root, '.git'))
    writeFileSync(path.join(root, '.git/HEAD'), '')
    const outer = { top: root, folder: path.join(root, '.git') }
    expect(findRepository(path.join(root, 'a/b'))).toEqual(outer)
    writeFileSync(path.join(marker(), 'HEAD'), '')
    const inner = { top: path.join(root, 'a'), folder: marker() }
    expect(findRepository(path.join(root, 'a/b'))).toEqual(inner)
    expect(findRepository(path.join(root, 'a'))).toEqual(inner)
    expect(findRepository(root)).toEqual(outer)
  })

  const padding = (bytes: number) => `${'#'.repeat(bytes - 1)}\n`
  it.each<[string, string | undefined]>([
    ['gitdir: ../main/.git/worktrees/a\n', 'main/.git/worktrees/a'],
    ['# comment\ngitdir: x', 'a/x'],
    [`${padding(4096 - 9)}gitdir: x`, 'a/x'],
    [`${padding(4097 - 9)}gitdir: x`, undefined],
    ['other: x\n', undefined],
  ])('is named by a file with %j', (text, folder) => {
    writeFileSync(marker(), text)
    expect(findRepository(path.join(root, 'a/b'))).toEqual(
      folder === undefined
        ? undefined
        : { top: path.join(root, 'a'), folder: path.join(root, folder) },
    )
  })
})

describe('git', () => {
  const repository = makeRepository()
  afterEach(() => repository.remove())

  it('returns its output, also from kept objects of a repository that is gone', async () => {
    const { base, top, git, put, call } = repository
    const kept = keptFolder(base, top)
    put('file', 'contents '.repeat(100))
    put('gone', 'gone')
    const [file, gone] = [git('hash-object', '-w', 'file'), git('hash-object', '-w', 'gone')]
    const read = (blob: string) => runGit(call({ kept }), ['cat-file', 'blob', blob]).then(String)
    expect(await read(file)).toBe('contents '.repeat(100))
    expect(await read('f'.repeat(40))).toBe('undefined')
    await keepObjects(base, call().repository)
    rmSync(path.join(top, '.git/objects', gone.slice(0, 2)), { recursive: true })
    expect(await read(gone)).toBe('gone')
    rmSync(path.join(top, '.git'), { recursive: true })
    expect(await read(file)).toBe('contents '.repeat(100))
    rmSync(top, { recursive: true })
    expect(await read(gone)).toBe('gone')
    rmSync(kept, { recursive: true })
    expect(await read(gone)).toBe('undefined')
  })
})

describe('the input of git', () => {
  it('is empty by default and has one byte per character', async () => {
    const { call, remove } = makeRepository()
    const hash = (stdin?: string) =>
      runGit(call(stdin === undefined ? {} : { stdin }), ['hash-object', '--stdin']).then(String)
    expect(await hash()).toBe('e69de29bb2d1d6434b8b29ae775ad8c2e48c5391\n')
    expect(await hash('\xff')).toBe(`${blobId(Buffer.from([0xff]), '')}\n`)
    remove()
  })
})
