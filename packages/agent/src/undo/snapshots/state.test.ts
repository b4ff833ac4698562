import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { rawPath } from './raw-path.ts'
import type { FileState, PathState } from './state.ts'
import {
  belowLinks,
  blobId,
  equalStates,
  hashFile,
  hasContents,
  hasState,
  lstatOrNull,
  stateAt,
  unknownMode,
  unknownSize,
} from './state.ts'

let root: string
const at = (name: string) => rawPath(path.join(root, name))
const hex = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex')
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-state-')))
  writeFileSync(path.join(root, 'file'), 'text')
  chmodSync(path.join(root, 'file'), 0o640)
  mkdirSync(path.join(root, 'folder'))
  chmodSync(path.join(root, 'folder'), 0o1750)
  symlinkSync('zü', path.join(root, 'link'))
  symlinkSync('loop', path.join(root, 'loop'))
  execFileSync('mkfifo', [path.join(root, 'fifo')])
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const sha256 = hex('sha256', 'text')
const sha1Blob = hex('sha1', 'blob 4\0text')
const sha256Blob = hex('sha256', 'blob 4\0text')
const file: FileState = { kind: 'file', mode: 0o640, size: 4, hash: sha256 }
const folder: PathState = { kind: 'folder', mode: 0o1750 }
const link: PathState = { kind: 'link', target: rawPath('zü') }
const all: [string, PathState][] = [
  ['file', file],
  ['folder', folder],
  ['link', link],
  ['fifo', { kind: 'other' }],
  ['none', null],
]

describe('the stats of a path', () => {
  it.each(['none', 'file/below', 'loop/below'])('are null for %s', (name) => {
    expect(lstatOrNull(at(name))).toBeNull()
  })

  it('are those of a link, not of its target', () => {
    expect(lstatOrNull(at('loop'))?.isSymbolicLink()).toBe(true)
  })

  it('throw for a name that is too long', () => {
    expect(() => lstatOrNull(at('n'.repeat(300)))).toThrow(/^ENAMETOOLONG: name too long, lstat/)
  })
})

describe('the state of a path', () => {
  it('has the kind, mode, size, hash and target', () => {
    expect(all.map(([name]) => [name, stateAt(at(name))])).toEqual(all)
  })

  it.each(all)('%s is held by no other path', (name, state) => {
    expect(all.filter(([other]) => hasState(at(other), state))).toEqual([[name, state]])
  })

  it.each<[boolean, string, PathState]>([
    [true, 'file', { ...file, mode: unknownMode }],
    [true, 'file', { ...file, size: unknownSize }],
    [false, 'file', { ...file, mode: 0o600 }],
    [false, 'file', { ...file, size: 3 }],
    [false, 'file', { ...file, hash: hex('sha256', 'TEXT') }],
    [true, 'file', { kind: 'file', mode: 0o640, size: 4, blob: sha1Blob }],
    [true, 'file', { kind: 'file', mode: 0o640, size: unknownSize, blob: sha256Blob }],
    [false, 'file', { kind: 'file', mode: 0o640, size: 4, blob: sha1Blob.replace(/./, 'g') }],
    [false, 'file', { kind: 'file', mode: 0o640, size: 4 }],
    [false, 'folder', { kind: 'folder', mode: 0o750 }],
    [false, 'folder', { kind: 'folder', mode: unknownMode }],
    [false, 'link', { kind: 'link', target: 'other' }],
  ])('%s: %s has the state %j', (expected, name, state) => {
    expect(hasState(at(name), state)).toBe(expected)
  })

  it('is recorded with -1 for an unknown mode or size', () => {
    expect([unknownMode, unknownSize]).toEqual([-1, -1])
  })
})

describe('equal states', () => {
  it.each<[boolean, PathState, PathState]>([
    [true, null, null],
    [false, null, file],
    [true, file, { ...file, copy: { file: 'pack', offset: 7 } }],
    [false, file, { ...file, mode: 0o600 }],
    [false, file, { ...file, size: 5 }],
    [false, file, { ...file, hash: 'x' }],
    [false, file, folder],
    [true, folder, { ...folder }],
    [false, folder, { kind: 'folder', mode: 0 }],
    [true, link, { ...link }],
    [false, link, { kind: 'link', target: 'x' }],
    [true, { kind: 'other' }, { kind: 'other' }],
  ])('%s: %j equals %j', (expected, first, second) => {
    expect(equalStates(first, second)).toBe(expected)
    expect(equalStates(second, first)).toBe(expected)
  })
})

describe('the contents of a file', () => {
  it('are compared by the hash, else by the blob', () => {
    const compare = (state: Partial<FileState>) =>
      hasContents(at('file'), { kind: 'file', mode: 0, size: 0, ...state }, 4)
    expect(compare({ hash: sha256, blob: 'x' })).toBe(true)
    expect(compare({ hash: 'x', blob: sha1Blob })).toBe(false)
    expect(compare({ blob: sha1Blob })).toBe(true)
    expect(compare({ blob: sha256Blob })).toBe(true)
    expect(compare({ blob: 'x' })).toBe(false)
    expect(compare({})).toBe(false)
  })

  it.each([0, 1, 3, 4, 100])('are hashed whole when the size was %i bytes', (size) => {
    expect(hashFile(at('file'), 'sha256', size)).toBe(sha256)
    expect(hashFile(at('file'), 'sha1', size, 'blob 4\0')).toBe(sha1Blob)
  })

  it('are not hashed through a link or from a FIFO', () => {
    expect(() => hashFile(at('fifo'), 'sha1', 0)).toThrow(/^it is no longer a file$/)
    expect(() => hashFile(at('loop'), 'sha1', 0)).toThrow(/^ELOOP: /)
  })

  it('have an id in git of the same length as another one', () => {
    const contents = Buffer.from('text')
    expect(blobId(contents, sha1Blob)).toBe(sha1Blob)
    expect(blobId(contents, 'x'.repeat(64))).toBe(sha256Blob)
    expect(blobId(contents, 'x'.repeat(65))).toBe(sha1Blob)
  })
})

describe('a path below a folder that became a link', () => {
  it('is found at any depth, and no other path', () => {
    symlinkSync('folder', path.join(root, 'l'))
    const isHidden = belowLinks(['l', 'folder', 'file', 'none'].map(at))
    const names = ['l/a', 'l/a/b/c', 'l', 'lx/a', 'folder/a', 'link/a', 'file/a']
    expect(names.filter((name) => isHidden(at(name)))).toEqual(['l/a', 'l/a/b/c'])
  })

  it('is none if no folder became a link', () => {
    const isHidden = belowLinks(['folder', 'none'].map(at))
    expect(['folder/a', 'none/a', 'link/a'].filter((name) => isHidden(at(name)))).toEqual([])
  })
})
