import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { GitCall } from './git.ts'
import type { FixtureEntry } from './git-index.fixtures.ts'
import { indexOf } from './git-index.fixtures.ts'
import {
  entryCount,
  indexEntries,
  isSha256,
  largeIndexFolders,
  trackedPaths,
} from './index-file.ts'

const submodule = 0o160000
let top: string
beforeEach(() => {
  top = mkdtempSync(path.join(os.tmpdir(), 'zee-index-file-'))
  mkdirSync(path.join(top, '.git'))
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

const call = (kept?: string): GitCall => ({
  repository: { top, folder: path.join(top, '.git') },
  env: process.env,
  signal: new AbortController().signal,
  ...(kept === undefined ? {} : { kept }),
})

function write(index: Buffer): string {
  const file = path.join(top, 'index')
  writeFileSync(file, index)
  return file
}

/** Reads an index of these entries in all ways. */
async function readBack(entries: readonly FixtureEntry[], version = 2) {
  const file = write(indexOf(entries, { version }))
  return {
    tracked: await trackedPaths(call(), file),
    large: largeIndexFolders(call(), file, 0),
  }
}

describe('the number of entries', () => {
  const empty = indexOf([], { end: '' })
  it.each<[string, Buffer, number | undefined]>([
    ['without entries', empty, 0],
    ['of version 3', indexOf([{ path: 'a' }], { version: 3 }), 1],
    ['of version 1', indexOf([{ path: 'a' }], { version: 1 }), undefined],
    ['of version 4', indexOf([{ path: 'a' }], { version: 4 }), undefined],
    ['with two entries', indexOf([{ path: 'a' }, { path: 'b' }]), 2],
    ['that ends in the header', empty.subarray(0, 11), undefined],
    ['with another signature', Buffer.from(empty).fill('DIRX', 0, 4), undefined],
    ['with a signature that starts late', Buffer.from(empty).fill('XDIR', 0, 4), undefined],
  ])('of an index %s', (_, index, count) => {
    expect(entryCount(index)).toBe(count)
  })
})

describe('the paths of an index', () => {
  it('are files and submodules, in names of any length and bytes', async () => {
    const names = Array.from({ length: 17 }, (_, length) => `${'n'.repeat(length)}\xfc`)
    const entries = [
      ...names.map((name) => ({ path: name })),
      { path: 'run', mode: 0o100755 },
      { path: 's/link', mode: 0o120000 },
      { path: 's/module', mode: submodule },
    ]
    const { tracked, large } = await readBack(entries)
    expect(tracked).toEqual({ paths: [...names, 'run', 's/link'], submodules: ['s/module'] })
    expect(large).toEqual({ count: 20, folders: new Set(['s']), submodules: ['s/module'] })
  })

  it('follow the extended flags of version 3', async () => {
    const entries = [
      { path: 'a/one', isExtended: true },
      { path: 'b/two' },
      { path: 'c/three', isExtended: true, mode: submodule },
      { path: 'd/four' },
    ]
    expect(await readBack(entries, 3)).toEqual({
      tracked: { paths: ['a/one', 'b/two', 'd/four'], submodules: ['c/three'] },
      large: { count: 4, folders: new Set(['a', 'b', 'c', 'd']), submodules: ['c/three'] },
    })
  })

  it('have a mode and a blob', async () => {
    const entries = [
      { path: 'a', blob: '0123456789abcdef0123456789abcdef01234567' },
      { path: 'b\xfc', mode: 0o100755, blob: 'b'.repeat(40) },
      { path: 'c', mode: 0o120000, blob: 'c'.repeat(40) },
      { path: 'm', mode: submodule },
    ]
    const file = write(indexOf(entries))
    expect(await indexEntries(call(), file, ['c', 'b\xfc', 'a', 'm', 'none'])).toEqual(
      new Map([
        ['a', { mode: 0o100644, blob: '0123456789abcdef0123456789abcdef01234567' }],
        ['b\xfc', { mode: 0o100755, blob: 'b'.repeat(40) }],
        ['c', { mode: 0o120000, blob: 'c'.repeat(40) }],
      ]),
    )
    expect(await indexEntries(call(), file, ['b\xfc'])).toEqual(
      new Map([['b\xfc', { mode: 0o100755, blob: 'b'.repeat(40) }]]),
    )
    expect(await indexEntries(call(), path.join(top, 'none'), [])).toEqual(new Map())
  })

  it('are unknown for an index that git cannot read either', async () => {
    const file = write(indexOf([{ path: 'a' }], { version: 4 }))
    expect(await trackedPaths(call(), file)).toBeUndefined()
    expect(await indexEntries(call(), file, ['a'])).toBeUndefined()
    expect(await trackedPaths(call(), path.join(top, 'none'))).toBeUndefined()
  })

  it.each<[string, Buffer]>([
    ['is torn in a header', indexOf([{ path: 'a' }, { path: 'b' }]).subarray(0, 137)],
    ['is torn in a name', indexOf([{ path: 'name' }]).subarray(0, 76)],
    ['is sparse', indexOf([{ path: 'a/', mode: 0o040000 }])],
    ['is split', indexOf([{ path: 'a' }], { end: `link${'\0'.repeat(24)}` })],
    ['has an unknown mode', indexOf([{ path: 'a', mode: 0o100600 }])],
  ])('are not read from an index that %s', async (_, index) => {
    expect(await trackedPaths(call(), write(index))).toBeUndefined()
  })

  it('are read up to the end of the file', async () => {
    const file = write(indexOf([{ path: 'a' }], { end: '' }))
    expect(await trackedPaths(call(), file)).toEqual({ paths: ['a'], submodules: [] })
    expect(largeIndexFolders(call(), file, 0)).toEqual({
      count: 1,
      folders: new Set(),
      submodules: [],
    })
    const other = write(indexOf([{ path: 'a' }], { end: 'TREE'.repeat(6) }))
    expect(await trackedPaths(call(), other)).toEqual({ paths: ['a'], submodules: [] })
  })
})

describe('git reads the paths of an index', () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', top, ...args], { stdio: 'pipe', encoding: 'utf8' }).trim()
  const index = () => path.join(top, '.git/index')

  it('of version 4, without the stages of a conflict', async () => {
    rmSync(path.join(top, '.git'), { recursive: true })
    git('init', '-q')
    writeFileSync(path.join(top, 'file'), 'x')
    const blob = git('hash-object', '-w', 'file')
    execFileSync('git', ['-C', top, 'update-index', '--index-info'], {
      input: [
        `100644 ${blob}\tin \tfile\n`,
        `100755 ${blob}\tü\n`,
        `160000 ${blob}\tmodule\n`,
        ...[1, 2, 3].map((stage) => `100644 ${blob} ${stage}\tconflict\n`),
      ].join(''),
    })
    const name = Buffer.from('ü').toString('latin1')
    git('update-index', '--index-version', '4')
    expect(await trackedPaths(call(), index())).toEqual({
      paths: ['in \tfile', name],
      submodules: ['module'],
    })
    const paths = ['conflict', 'module', 'in \tfile', name]
    expect(await indexEntries(call(), index(), paths)).toEqual(
      new Map([
        ['in \tfile', { mode: 0o100644, blob }],
        [name, { mode: 0o100755, blob }],
      ]),
    )
  })

  it('of a repository with SHA-256', async () => {
    rmSync(path.join(top, '.git'), { recursive: true })
    git('init', '-q', '--object-format=sha256')
    writeFileSync(path.join(top, 'file'), 'x')
    git('add', 'file')
    const blob = git('hash-object', 'file')
    expect(blob).toHaveLength(64)
    expect(await indexEntries(call(), index(), ['file'])).toEqual(
      new Map([['file', { mode: 0o100644, blob }]]),
    )
    expect(largeIndexFolders(call(), index(), 0)).toBeUndefined()
  })
})

describe('the folders of a large index', () => {
  const file = (entries: readonly FixtureEntry[]) => write(indexOf(entries))
  const foldersOf = (...paths: string[]) =>
    largeIndexFolders(call(), file(paths.map((each) => ({ path: each }))), 0)?.folders

  it('are read above the limit only', () => {
    const two = file([{ path: 'a/x' }, { path: 'b' }])
    const folders = { count: 2, folders: new Set(['a']), submodules: [] }
    expect(largeIndexFolders(call(), two, 1)).toEqual(folders)
    expect(largeIndexFolders(call(), two, 2)).toBeUndefined()
    expect(largeIndexFolders(call(), path.join(top, 'none'), 0)).toBeUndefined()
    expect(largeIndexFolders(call(), write(indexOf([], { version: 4 })), -1)).toBeUndefined()
    expect(largeIndexFolders(call(), write(indexOf([])), -1)).toEqual({
      count: 0,
      folders: new Set(),
      submodules: [],
    })
  })

  it.each<[string[], string[]]>([
    [['x'], []],
    [['D/x'], ['D']],
    [
      ['a/x', 'b/y'],
      ['a', 'b'],
    ],
    [
      ['aa/x', 'ab/y', 'bb/z'],
      ['aa', 'ab', 'bb'],
    ],
    [
      ['a/b/c/d', 'a/x', 'z'],
      ['a', 'a/b', 'a/b/c'],
    ],
    [
      ['a/x', 'ab/y', 'root', 'z\xfc/x'],
      ['a', 'ab', 'z\xfc'],
    ],
    // Bytes of the flags before a name, which hold its length, must not count as part of the name.
    [
      [`bA/${'n'.repeat(85)}`, `bX/${'n'.repeat(62)}`],
      ['bA', 'bX'],
    ],
  ])('of %j are %j', (paths, folders) => {
    expect(foldersOf(...paths)).toEqual(new Set(folders))
  })

  it('are not read from a sparse, a split or a torn index, or one with a very long name', () => {
    const long = `d/${'n'.repeat(4093)}`
    expect(foldersOf(long.slice(0, -1))).toEqual(new Set(['d']))
    expect(foldersOf(long)).toBeUndefined()
    expect(largeIndexFolders(call(), file([{ path: 'a/', mode: 0o040000 }]), 0)).toBeUndefined()
    const split = write(indexOf([{ path: 'a' }], { end: `link${'\0'.repeat(24)}` }))
    expect(largeIndexFolders(call(), split, 0)).toBeUndefined()
    const whole = indexOf([{ path: 'a/b' }, { path: 'c/d' }], { end: '' })
    expect(largeIndexFolders(call(), write(whole.subarray(0, 84 + 61)), 0)).toBeUndefined()
    expect(largeIndexFolders(call(), write(whole.subarray(0, 84 + 62)), 0)?.count).toBe(2)
  })
})

describe('a repository with SHA-256', () => {
  it.each<[string | undefined, string | undefined, boolean]>([
    ['[extensions]\n\tobjectformat = sha256\n', undefined, true],
    ['[extensions]\nobjectFormat=SHA256\n', '', true],
    ['[core]\n', '[extensions]\nobjectformat = sha256\n', false],
    ['[extensions]\nobjectformat = sha1\n', undefined, false],
    [undefined, '[extensions]\nobjectformat = sha256\n', true],
    [undefined, '', false],
    [undefined, undefined, false],
  ])('says so in its configuration %j, or in the kept one %j', (config, kept, expected) => {
    if (config !== undefined) writeFileSync(path.join(top, '.git/config'), config)
    const folder = path.join(top, 'kept')
    mkdirSync(folder)
    if (kept !== undefined) writeFileSync(path.join(folder, 'config'), kept)
    expect(isSha256(call(folder))).toBe(expected)
    if (kept === undefined) expect(isSha256(call())).toBe(expected)
  })
})
