import { closeSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openFileBelow, openFolderAt, openFolderBelow, WorkingFolder } from './below.ts'
import { folderIn, makeRoot } from './contained-path.fixtures.ts'
import type { ContainedFolder } from './contained-path.ts'

function content(fd: number): string {
  if (fd === -1) return '! none'
  try {
    return readFileSync(fd, 'utf8')
  } finally {
    closeSync(fd)
  }
}

function openedPath(folder: ContainedFolder | undefined): string | undefined {
  if (folder === undefined) return undefined
  onTestFinished(() => closeSync(folder.fd))
  return folder.path
}

describe.each([true, false])('opening below a verified folder, with /proc: %s', (hasProc) => {
  it('opens files of the folder and refuses links', () => {
    const { root, inside, outside } = makeRoot(hasProc)
    symlinkSync(path.join(outside, 'secret.txt'), path.join(inside, 'out'))
    symlinkSync('file.txt', path.join(inside, 'in'))
    const folder = folderIn(root, '.')
    expect(content(openFileBelow(folder, 'file.txt'))).toBe('inside')
    expect(openFileBelow(folder, 'out')).toBe(-1)
    expect(openFileBelow(folder, 'in')).toBe(-1)
    expect(openFileBelow(folder, 'missing')).toBe(-1)
  })

  it('accepts names that are not UTF-8', () => {
    const { root, inside } = makeRoot(hasProc)
    writeFileSync(Buffer.concat([Buffer.from(`${inside}/a`), Buffer.of(0xff)]), 'odd')
    mkdirSync(Buffer.concat([Buffer.from(`${inside}/d`), Buffer.of(0xfe)]))
    const folder = folderIn(root, '.')
    expect(content(openFileBelow(folder, 'a\udcff'))).toBe('odd')
    expect(openedPath(openFolderBelow(folder, 'd\udcfe', 'd\udcfe'))).toBe('d\udcfe')
  })

  it('opens folders and refuses links to folders', () => {
    const { root, inside, outside } = makeRoot(hasProc)
    symlinkSync(outside, path.join(inside, 'out'))
    symlinkSync('folder', path.join(inside, 'in'))
    const folder = folderIn(root, '.')
    expect(openedPath(openFolderBelow(folder, 'folder', 'folder'))).toBe('folder')
    for (const name of ['out', 'in', 'file.txt', 'missing']) {
      expect(openFolderBelow(folder, name, name)).toBe(undefined)
      expect(openFolderAt(root, name)).toBe(undefined)
    }
  })
})

describe('WorkingFolder', () => {
  it('opens files relative to the entered folder and changes back', () => {
    const { root } = makeRoot()
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

  it('enters the verified folder even if its name was replaced by a link', () => {
    const { root, inside, outside } = makeRoot()
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

  it('refuses to enter a folder without /proc and after close', () => {
    const working = new WorkingFolder()
    expect(working.enter(folderIn(makeRoot(false).root, '.'))).toBe(false)
    working.close()
    expect(working.enter(folderIn(makeRoot().root, '.'))).toBe(false)
  })

  it('refuses to enter a folder with ZEE_CHDIR=0', async () => {
    vi.stubEnv('ZEE_CHDIR', '0')
    vi.resetModules()
    onTestFinished(() => void vi.unstubAllEnvs())
    const fresh = await import('./below.ts')
    expect(new fresh.WorkingFolder().enter(folderIn(makeRoot().root, '.'))).toBe(false)
  })
})
