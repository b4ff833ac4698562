import { closeSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openFileBelow, openFolderAt, openFolderBelow } from './below.ts'
import { WorkingFolder } from './below.ts'
import { folderIn, place } from './contained-path.fixtures.ts'
import type { ContainedFolder } from './contained-path.ts'

function content(fd: number): string {
  if (fd === -1) return '! none'
  try {
    return readFileSync(fd, 'utf8')
  } finally {
    closeSync(fd)
  }
}

function held(folder: ContainedFolder | undefined): string | undefined {
  if (folder === undefined) return undefined
  onTestFinished(() => closeSync(folder.fd))
  return folder.path
}

describe.each([true, false])('opening below a verified folder, /proc there: %s', (hasProc) => {
  it('gives files of the folder, not what links in it lead to', () => {
    const { root, inside, outside } = place(hasProc)
    symlinkSync(path.join(outside, 'secret.txt'), path.join(inside, 'out'))
    symlinkSync('file.txt', path.join(inside, 'in'))
    const folder = folderIn(root, '.')
    expect(content(openFileBelow(folder, 'file.txt'))).toBe('inside')
    expect(openFileBelow(folder, 'out')).toBe(-1)
    expect(openFileBelow(folder, 'in')).toBe(-1)
    expect(openFileBelow(folder, 'missing')).toBe(-1)
  })

  it('takes names that are no UTF-8', () => {
    const { root, inside } = place(hasProc)
    writeFileSync(Buffer.concat([Buffer.from(`${inside}/a`), Buffer.of(0xff)]), 'odd')
    mkdirSync(Buffer.concat([Buffer.from(`${inside}/d`), Buffer.of(0xfe)]))
    const folder = folderIn(root, '.')
    expect(content(openFileBelow(folder, 'a\udcff'))).toBe('odd')
    expect(held(openFolderBelow(folder, 'd\udcfe', 'd\udcfe'))).toBe('d\udcfe')
  })

  it('enters folders, not links to folders', () => {
    const { root, inside, outside } = place(hasProc)
    symlinkSync(outside, path.join(inside, 'out'))
    symlinkSync('folder', path.join(inside, 'in'))
    const folder = folderIn(root, '.')
    expect(held(openFolderBelow(folder, 'folder', 'folder'))).toBe('folder')
    for (const name of ['out', 'in', 'file.txt', 'missing']) {
      expect(openFolderBelow(folder, name, name)).toBe(undefined)
      expect(openFolderAt(root, name)).toBe(undefined)
    }
  })
})

describe('the working folder', () => {
  it('opens files from within a folder and goes back', () => {
    const { root } = place()
    const home = process.cwd()
    const working = new WorkingFolder()
    expect(working.enter(folderIn(root, 'folder'))).toBe(true)
    expect(content(working.openFile('secret.txt'))).toBe('inside')
    expect(working.openFile('file.txt')).toBe(-1)
    expect(working.enter(folderIn(root, '.'))).toBe(true)
    expect(content(working.openFile('file.txt'))).toBe('inside')
    working.leave()
    expect(process.cwd()).toBe(home)
    working.close()
  })

  it('stays in the folder that was verified, whatever its name leads to by now', () => {
    const { root, inside, outside } = place()
    const folder = folderIn(root, 'folder')
    renameSync(path.join(inside, 'folder'), path.join(inside, 'moved'))
    symlinkSync(outside, path.join(inside, 'folder'))
    const working = new WorkingFolder()
    expect(working.enter(folder)).toBe(true)
    expect(content(working.openFile('secret.txt'))).toBe('inside')
    symlinkSync(path.join(outside, 'secret.txt'), path.join(inside, 'moved/link'))
    expect(working.openFile('link')).toBe(-1)
    working.close()
  })

  it('goes nowhere without /proc and after it was closed', () => {
    const working = new WorkingFolder()
    expect(working.enter(folderIn(place(false).root, '.'))).toBe(false)
    working.close()
    expect(working.enter(folderIn(place().root, '.'))).toBe(false)
  })
})
