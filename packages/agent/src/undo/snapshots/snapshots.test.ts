import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { changedEntries } from './index-changes.ts'
import { readManifest, signatureOf } from './manifest.ts'
import type { TestRepository } from './repository.fixtures.ts'
import { makeRepository } from './repository.fixtures.ts'
import type { SnapshotContext, SnapshotScan } from './snapshots.ts'
import {
  closeSnapshot,
  fileSystemTime,
  rawPath,
  saveSnapshot,
  scanProject,
  snapshotChanges,
  stateAt,
} from './snapshots.ts'

let repository: TestRepository
let top: string
let folder: string
beforeEach(() => {
  repository = makeRepository()
  top = repository.top
  folder = path.join(repository.base, 'undo')
})
afterEach(() => repository.remove())

const context = (maxTrackedFiles = 20_000): SnapshotContext => ({
  folder,
  env: process.env,
  signal: new AbortController().signal,
  maxTrackedFiles,
})
const inTop = (name: string) => path.join(top, name)
const modeOf = (file: string) => statSync(file).mode & 0o7777
const inode = (name: string) => statSync(path.join(folder, name)).ino
const base = () => path.join(repository.base, 'zdx')

/** Takes a snapshot; a `limit` below the number of tracked files makes the repository a large one. */
async function take(limit?: number, earlier?: string) {
  const scanned = await scanProject(context(limit), top, base(), earlier)
  return { scanned, saved: await saveSnapshot(context(limit), scanned) }
}
const changesOf = async (name: string, scanned?: SnapshotScan) => {
  const changes = await snapshotChanges(context(), name, base(), Infinity, scanned)
  return changes?.map(({ path: raw }) => raw.slice(top.length + 1)).toSorted()
}

describe('a snapshot', () => {
  it('of a folder outside git holds copies of all files', async () => {
    rmSync(inTop('.git'), { recursive: true })
    repository.put('f', 'text')
    repository.put('.zcl/evidence')
    repository.put('.zclx', '')
    mkdirSync(inTop('d'))
    symlinkSync('f', inTop('link'))
    chmodSync(inTop('f'), 0o640)
    const { scanned, saved } = await take()
    expect(saved).toEqual({ name: 'snapshot-1', isLarge: false, ignored: [] })
    const manifest = readManifest(folder, 'snapshot-1.json')
    expect(manifest).toEqual({
      root: rawPath(top),
      startedMs: scanned.startedMs,
      isComplete: true,
      files: {
        f: {
          mode: 0o640,
          signature: signatureOf(statSync(inTop('f'))),
          state: { ...stateAt(rawPath(inTop('f'))), copy: { file: 'snapshot-1', offset: 0 } },
        },
        '.zclx': expect.objectContaining({ state: expect.any(Object) as object }) as object,
        link: expect.objectContaining({ state: { kind: 'link', target: 'f' } }) as object,
      },
      absent: [],
      ignored: [],
      folders: { d: modeOf(inTop('d')) },
    })
    expect([modeOf(folder), modeOf(path.join(folder, 'clock'))]).toEqual([0o700, 0o600])
    expect(readFileSync(path.join(folder, 'clock'), 'utf8')).toBe('')
  })

  it('of a repository holds what git does not hold, and a private copy of the index', async () => {
    const { git, put } = repository
    put('.gitignore', '*.o\n')
    for (const name of ['clean', 'changed', 'gone']) put(name)
    git('add', '.')
    put('changed', 'other')
    put('x.o')
    rmSync(inTop('gone'))
    utimesSync(inTop('clean'), 1000, 1000)
    utimesSync(inTop('.git/index'), 5000, 5000.5)
    const { saved } = await take()
    expect(saved).toEqual({ name: 'snapshot-1', isLarge: false, ignored: ['x.o'] })
    const manifest = readManifest(folder, 'snapshot-1.json')
    expect(
      Object.entries(manifest?.files ?? {}).map(([name, { state }]) => [name, state?.kind]),
    ).toEqual([
      ['.gitignore', undefined],
      ['changed', 'file'],
      ['clean', undefined],
    ])
    expect([manifest?.absent, manifest?.ignored]).toEqual([['gone'], ['x.o']])
    expect(manifest?.git).toEqual({
      folder: inTop('.git'),
      index: 'snapshot-1.index',
      source: signatureOf(statSync(inTop('.git/index'))),
    })
    const copy = path.join(folder, 'snapshot-1.index')
    const original = readFileSync(inTop('.git/index'))
    expect(changedEntries(original, readFileSync(copy))).toEqual(new Set(['clean']))
  })

  it('copies an index with its time, as a private file', async () => {
    repository.put('a')
    utimesSync(inTop('a'), 1000, 1000)
    repository.git('add', 'a')
    utimesSync(inTop('.git/index'), 5000, 5000.5)
    await take()
    const copy = path.join(folder, 'snapshot-1.index')
    expect([statSync(copy).mtimeMs, modeOf(copy)]).toEqual([5_000_500, 0o600])
  })

  it('has a new name', async () => {
    mkdirSync(folder)
    for (const name of ['snapshot-1', 'snapshot-2.json', 'snapshot-3.index', 'snapshot-5']) {
      writeFileSync(path.join(folder, name), '')
    }
    expect((await take()).saved).toMatchObject({ name: 'snapshot-4' })
    expect((await take()).saved).toMatchObject({ name: 'snapshot-6' })
  })

  it('of a repository that git cannot read is one of a folder', async () => {
    repository.put('a')
    rmSync(inTop('.git/objects'), { recursive: true })
    const { saved } = await take()
    expect(saved).toMatchObject({ name: 'snapshot-1', isLarge: false })
    expect(Object.keys(readManifest(folder, 'snapshot-1.json')?.files ?? {})).toContain('a')
    expect(existsSync(path.join(folder, 'snapshot-1.index'))).toBe(false)
  })

  it('leaves out the folder of the program in the project', async () => {
    rmSync(inTop('.git'), { recursive: true })
    for (const name of ['zdx/undo/x', 'zdxx/y', 'z']) repository.put(name)
    const filesFor = async (each: string) => {
      const { scan } = await scanProject(context(), top, each)
      return 'tooLarge' in scan ? [] : [...scan.files.keys()].toSorted()
    }
    expect(await filesFor(inTop('zdx'))).toEqual(['z', 'zdxx/y'])
    const all = ['z', 'zdx/undo/x', 'zdxx/y']
    for (const each of [top, repository.base, base()]) expect(await filesFor(each)).toEqual(all)
  })

  it('is refused, without a trace, if a repository has too many changed files', async () => {
    mkdirSync(folder)
    const unsaved = new Set(Array.from({ length: 20_001 }, (_, index) => String(index)))
    const scan = { files: new Map(), folders: new Map(), unsaved, isComplete: true, ignored: [] }
    const scanned = { name: 's', startedMs: 0, root: rawPath(top), scan }
    const git = { folder: inTop('.git'), index: 's.index' }
    const tooLarge = 'the project has more than 20000 changed and untracked files'
    expect(await saveSnapshot(context(), { ...scanned, git })).toEqual({ tooLarge })
    writeFileSync(path.join(folder, 's.index'), '')
    expect(await saveSnapshot(context(), { ...scanned, git })).toEqual({ tooLarge })
    expect(readdirSync(folder)).toEqual([])
    const plain = { ...scanned, scan: { tooLarge: 'it is' } }
    expect(await saveSnapshot(context(), plain)).toEqual({ tooLarge: 'it is' })
    expect(await saveSnapshot(context(), scanned)).toMatchObject({ name: 's' })
  })
})

describe('the changes since a snapshot', () => {
  it.each([
    ['a repository', 20_000],
    ['a large repository', 0],
  ])('are found in %s, also if its folder is gone', async (_, limit) => {
    const { git, put } = repository
    for (const name of ['a', 'b', 'd/c', 'same']) put(name)
    git('add', '.')
    put('dirty')
    expect((await take(limit)).saved).toMatchObject({ isLarge: limit === 0 })
    expect(await changesOf('snapshot-1')).toEqual([])
    put('a', 'other')
    put('dirty', 'dirtier')
    put('new')
    rmSync(inTop('d'), { recursive: true })
    mkdirSync(inTop('made'))
    const changed = ['a', 'd', 'd/c', 'dirty', 'made', 'new']
    expect(await changesOf('snapshot-1')).toEqual(changed)
    const { mtimeMs } = statSync(path.join(folder, 'snapshot-1.json'))
    expect(fileSystemTime(folder)).toBeGreaterThanOrEqual(Math.floor(mtimeMs))
    renameSync(top, path.join(repository.base, 'moved'))
    expect(await changesOf('snapshot-1')).toEqual(['a', 'b', 'd', 'd/c', 'dirty', 'same'])
  })

  it('are found in a folder outside git', async () => {
    rmSync(inTop('.git'), { recursive: true })
    repository.put('a')
    await take()
    repository.put('b')
    expect(await changesOf('snapshot-1')).toEqual(['b'])
    rmSync(top, { recursive: true })
    expect(await changesOf('snapshot-1')).toEqual(['a'])
  })

  it('are unknown without a readable snapshot', async () => {
    mkdirSync(folder)
    expect(await changesOf('snapshot-1')).toBeUndefined()
    writeFileSync(path.join(folder, 'snapshot-1.json'), '{')
    expect(await changesOf('snapshot-1')).toBeUndefined()
  })

  it('are found in a large repository whose copy of the index is gone', async () => {
    repository.put('a')
    repository.git('add', 'a')
    await take(0)
    rmSync(path.join(folder, 'snapshot-1.index'))
    repository.put('new')
    expect(await changesOf('snapshot-1')).toContain('new')
  })
})

describe('a second snapshot of a large repository', () => {
  beforeEach(() => {
    const { git, put } = repository
    for (const name of ['a', 'b', 'c']) put(name)
    for (const name of ['a', 'b', 'c']) utimesSync(inTop(name), 1000, 1000)
    git('add', '.')
    utimesSync(inTop('.git/index'), 5000, 5000)
  })

  it('shares an index that has not changed', async () => {
    await take(0)
    const { scanned } = await take(0, 'snapshot-1')
    expect(scanned.earlier).toEqual({ name: 'snapshot-1', touched: new Set() })
    expect(inode('snapshot-2.index')).toBe(inode('snapshot-1.index'))
  })

  it('finds the files that were touched since the first', async () => {
    await take(0)
    utimesSync(inTop('b'), 2000, 2000)
    const { scanned } = await take(0, 'snapshot-1')
    expect(scanned.earlier).toEqual({ name: 'snapshot-1', touched: new Set(['b']) })
    repository.put('a', 'other')
    rmSync(inTop('c'))
    const third = await scanProject(context(0), top, base(), 'snapshot-1')
    expect(await changesOf('snapshot-1', third)).toEqual(['a', 'c'])
    const fourth = { ...third, earlier: { name: 'snapshot-1', touched: new Set<string>() } }
    expect(await changesOf('snapshot-2', fourth)).toEqual(['a', 'c'])
  })

  it('copies the index if that of the first is gone or of another one', async () => {
    await take(0)
    rmSync(path.join(folder, 'snapshot-1.index'))
    const { scanned } = await take(0, 'snapshot-1')
    expect(scanned.earlier).toBeUndefined()
    expect(existsSync(path.join(folder, 'snapshot-2.index'))).toBe(true)
    repository.put('d')
    repository.git('add', 'd')
    const third = await take(0, 'snapshot-2')
    expect(third.scanned.earlier).toEqual({ name: 'snapshot-2', touched: new Set(['d']) })
    expect(inode('snapshot-3.index')).not.toBe(inode('snapshot-2.index'))
  })

  it('does not use a first one of a small repository, another one or none', async () => {
    await take(20)
    expect((await take(0, 'snapshot-1')).scanned.earlier).toBeUndefined()
    expect((await take(0)).scanned.earlier).toBeUndefined()
    expect((await take(20, 'snapshot-2')).scanned.earlier).toBeUndefined()
    expect((await take(0, 'none')).scanned.earlier).toBeUndefined()
    const moved = path.join(repository.base, 'moved')
    renameSync(top, moved)
    const scanned = await scanProject(context(0), moved, base(), 'snapshot-2')
    expect(scanned.earlier).toBeUndefined()
  })

  it('does not compare indexes with SHA-256', async () => {
    rmSync(inTop('.git'), { recursive: true })
    repository.git('init', '-q', '--object-format=sha256')
    repository.git('add', '.')
    await take(0)
    repository.put('a', 'other')
    repository.git('add', '.')
    const { scanned } = await take(0, 'snapshot-1')
    expect(scanned.earlier).toBeUndefined()
    expect(await changesOf('snapshot-1')).toEqual(['a'])
  })
})

describe('a closed snapshot', () => {
  it('is removed, and its copies are used again for untouched files', async () => {
    repository.git('add', '.')
    for (const name of ['a', 'b']) repository.put(name)
    symlinkSync('a', inTop('link'))
    await take()
    const files = readManifest(folder, 'snapshot-1.json')?.files
    await closeSnapshot(folder, 'snapshot-1')
    expect(readdirSync(folder).toSorted()).toEqual(['clock', 'known.json', 'snapshot-1'])
    const known = JSON.parse(readFileSync(path.join(folder, 'known.json'), 'utf8')) as unknown
    const entry = (name: string) => ({
      signature: files?.[name]?.signature,
      state: files?.[name]?.state,
    })
    expect(known).toEqual({ a: entry('a'), b: entry('b') })
    repository.put('b', 'other')
    await take()
    const again = readManifest(folder, 'snapshot-2.json')?.files
    expect(again?.a).toEqual(files?.a)
    expect(again?.b?.state).toMatchObject({ copy: { file: 'snapshot-2', offset: 0 } })
    expect(readFileSync(path.join(folder, 'snapshot-2'), 'utf8')).toBe('other')
    await closeSnapshot(folder, 'none')
  })
})
