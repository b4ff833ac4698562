import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { rawPath } from './raw-path.ts'
import type { FileState } from './state.ts'
import { unknownSize } from './state.ts'
import { flush, openCopies, readCopy } from './store.ts'

const largeBytes = 1024 * 1024
let root: string
let folder: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-store-')))
  folder = path.join(root, 'store')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function put(name: string, contents: string | Buffer): string {
  writeFileSync(path.join(root, name), contents)
  return rawPath(path.join(root, name))
}
const hashOf = (contents: string | Buffer) => createHash('sha256').update(contents).digest('hex')
const modeOf = (file: string) => statSync(file).mode & 0o777

describe('copies of small files', () => {
  it('are in one private pack, equal contents once', () => {
    const copies = openCopies(folder, 'pack')
    const added = ['one', '', 'three', 'one'].map((text, index) =>
      copies.add(put(`f${index}`, text)),
    )
    copies.finish()
    expect(added).toEqual([
      { hash: hashOf('one'), size: 3, copy: { file: 'pack', offset: 0 } },
      { hash: hashOf(''), size: 0, copy: { file: 'pack', offset: 3 } },
      { hash: hashOf('three'), size: 5, copy: { file: 'pack', offset: 3 } },
      { hash: hashOf('one'), size: 3, copy: { file: 'pack', offset: 0 } },
    ])
    expect(readFileSync(path.join(folder, 'pack'), 'utf8')).toBe('onethree')
    expect([modeOf(folder), modeOf(path.join(folder, 'pack'))]).toEqual([0o700, 0o600])
  })

  it('need a new name', () => {
    mkdirSync(folder)
    writeFileSync(path.join(folder, 'pack'), 'kept')
    expect(() => openCopies(folder, 'pack').add(put('a', 'a'))).toThrow(/^EEXIST: /)
    expect(readFileSync(path.join(folder, 'pack'), 'utf8')).toBe('kept')
  })

  it('are not made of a path that is missing or no file', () => {
    const copies = openCopies(folder, 'pack')
    put('file', 'x')
    symlinkSync('file', path.join(root, 'link'))
    mkdirSync(path.join(root, 'inner'))
    execFileSync('mkfifo', [path.join(root, 'fifo')])
    for (const name of ['none', 'link', 'inner', 'fifo']) {
      expect(copies.add(rawPath(path.join(root, name))), name).toBeUndefined()
    }
    copies.finish()
    expect(existsSync(folder)).toBe(false)
  })
})

describe('copies of large files', () => {
  it('are files of their own from 1 MiB on', () => {
    const [small, large] = [Buffer.alloc(largeBytes - 1, 's'), Buffer.alloc(largeBytes, 'l')]
    const larger = Buffer.alloc(largeBytes + 1, 'm')
    const copies = openCopies(folder, 'pack')
    const added = [small, large, larger].map((each, index) => copies.add(put(`f${index}`, each)))
    copies.finish()
    expect(added).toEqual([
      { hash: hashOf(small), size: largeBytes - 1, copy: { file: 'pack', offset: 0 } },
      { hash: hashOf(large), size: largeBytes, copy: { file: hashOf(large), offset: 0 } },
      { hash: hashOf(larger), size: largeBytes + 1, copy: { file: hashOf(larger), offset: 0 } },
    ])
    expect(readdirSync(folder).sort()).toEqual(['pack', hashOf(large), hashOf(larger)].sort())
    expect(readFileSync(path.join(folder, hashOf(large))).equals(large)).toBe(true)
    expect(modeOf(path.join(folder, hashOf(large)))).toBe(0o600)
  })

  it('are made once, in a private folder without a pack', () => {
    const contents = Buffer.alloc(largeBytes, 'l')
    const first = openCopies(folder, 'one').add(put('a', contents))
    appendFileSync(path.join(folder, hashOf(contents)), 'more')
    const copies = openCopies(folder, 'two')
    expect(copies.add(put('b', contents))).toEqual({ ...first, size: largeBytes + 4 })
    copies.finish()
    expect(readdirSync(folder)).toEqual([hashOf(contents)])
    expect(modeOf(folder)).toBe(0o700)
  })
})

describe('a copy', () => {
  const state = (contents: string, more: Partial<FileState> = {}): FileState => ({
    kind: 'file',
    mode: 0o600,
    size: contents.length,
    hash: hashOf(contents),
    ...more,
  })
  beforeEach(() => {
    mkdirSync(folder)
    writeFileSync(path.join(folder, 'pack'), 'onethree')
  })

  it.each<[string, FileState, string]>([
    ['at the start', state('one', { copy: { file: 'pack', offset: 0 } }), 'one'],
    ['at the end', state('three', { copy: { file: 'pack', offset: 3 } }), 'three'],
    ['without contents', state('', { copy: { file: 'pack', offset: 3 } }), ''],
    [
      'of a whole file',
      state('onethree', { size: unknownSize, copy: { file: 'pack', offset: 0 } }),
      'onethree',
    ],
    ['without a place', state('one'), 'missing'],
    ['in a deleted file', state('one', { copy: { file: 'none', offset: 0 } }), 'missing'],
    ['with another hash', state('ONE', { copy: { file: 'pack', offset: 0 } }), 'damaged'],
    ['beyond the end', state('threes', { copy: { file: 'pack', offset: 3 } }), 'damaged'],
  ])('is read %s', (_, each, expected) => {
    expect(String(readCopy(folder, each))).toBe(expected)
  })

  it('is damaged if the file was cut', () => {
    truncateSync(path.join(folder, 'pack'), 5)
    const cut = state('onethree', { copy: { file: 'pack', offset: 0 } })
    expect(readCopy(folder, cut)).toBe('damaged')
  })

  it('and its folder can be flushed', () => {
    expect(() => {
      flush(path.join(folder, 'pack'))
      flush(folder)
    }).not.toThrow()
    expect(() => flush(path.join(folder, 'none'))).toThrow(/^ENOENT: /)
  })
})
