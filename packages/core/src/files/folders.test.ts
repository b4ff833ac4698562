import {
  chmodSync,
  existsSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ensureDurableFolder, ensureFolder } from './folders.ts'

describe('ensureDurableFolder', () => {
  it('creates the missing folders and accepts an existing one', () => {
    const root = mkdtempSync(path.join(tmpdir(), 'zee-folders-'))
    const folder = path.join(root, 'a/b')
    ensureDurableFolder(folder, 0o700)
    ensureDurableFolder(folder, 0o700)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    rmSync(root, { recursive: true })
  })
})

describe('ensureFolder', () => {
  let root: string

  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'zee-folders-'))
  })

  afterEach(() => rmSync(root, { recursive: true, force: true }))

  it('creates the missing folders with the requested mode', () => {
    const folder = path.join(root, 'a/b/c')
    ensureFolder(folder, 0o700)
    for (const made of ['a', 'a/b', 'a/b/c']) {
      expect(statSync(path.join(root, made)).mode & 0o777).toBe(0o700)
    }
  })

  it('leaves an existing folder unchanged, also through a link', () => {
    chmodSync(root, 0o750)
    ensureFolder(root, 0o700)
    expect(statSync(root).mode & 0o777).toBe(0o750)
    symlinkSync(root, path.join(root, 'link'))
    ensureFolder(path.join(root, 'link'))
    ensureFolder(path.join(root, 'link/inner'))
    expect(existsSync(path.join(root, 'inner'))).toBe(true)
  })

  it('throws the system error for a file in the path or a dangling link', () => {
    writeFileSync(path.join(root, 'file'), '')
    symlinkSync(path.join(root, 'nowhere'), path.join(root, 'dangling'))
    expect(() => ensureFolder(path.join(root, 'file'))).toThrow(/EEXIST/)
    expect(() => ensureFolder(path.join(root, 'file/inner'))).toThrow(/ENOTDIR/)
    expect(() => ensureFolder(path.join(root, 'dangling'))).toThrow(/EEXIST/)
    expect(() => ensureFolder(path.join(root, 'dangling/inner'))).toThrow(/ENOENT|EEXIST/)
  })

  it('throws instead of looping in /proc, where folders cannot be created', () => {
    expect(() => ensureFolder('/proc/zee-nowhere/inner')).toThrow(/ENOENT|EACCES|EPERM|EROFS/)
  })
})
