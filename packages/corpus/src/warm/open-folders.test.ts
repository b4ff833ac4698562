import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openRoot } from '@zee/core/contained-path'
import type { ContainedRoot } from '@zee/core/contained-path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { OpenFolders } from './open-folders.ts'

const deep = Array.from({ length: 40 }, (_, level) => `level${level}`).join('/')

function newRoot(...paths: string[]): ContainedRoot {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'zee-open-folders-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const one of paths) mkdirSync(path.join(folder, one), { recursive: true })
  return openRoot(folder)
}

function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length
}

describe.each([true, false])(
  'folders opened in the order of a walk, /proc there: %s',
  (hasProc) => {
    it('are those of their paths, however they lie to each other', () => {
      const root = { ...newRoot('a/b/c', 'a/bc', 'd', deep), hasProc }
      const folders = new OpenFolders(root)
      onTestFinished(() => folders.close())
      const paths = ['.', 'a', 'a/b', 'a/b/c', 'a/b', 'a/bc', 'd', deep, 'a/b/c', '.', 'd']
      for (const one of paths) {
        const opened = folders.open(one)
        expect(opened?.path).toBe(one)
        expect(realpathSync(`/proc/self/fd/${opened?.fd}`)).toBe(path.join(root.path, one))
      }
    })

    it('are not reached through a link, nor where there is none', () => {
      const [root, outside] = [{ ...newRoot('a/b'), hasProc }, newRoot('b')]
      symlinkSync(outside.path, path.join(root.path, 'out'))
      symlinkSync('a', path.join(root.path, 'in'))
      const folders = new OpenFolders(root)
      onTestFinished(() => folders.close())
      for (const one of ['out', 'out/b', 'in/b', 'a/none', 'none/b']) {
        expect(folders.open(one)).toBe(undefined)
        expect(folders.open('a/b')?.path).toBe('a/b')
      }
    })

    it('are all closed in the end', () => {
      const root = { ...newRoot('a/b/c', deep), hasProc }
      const before = openDescriptors()
      const folders = new OpenFolders(root)
      for (const one of ['a/b/c', deep, 'a', 'a/none', deep]) folders.open(one)
      folders.close()
      expect(openDescriptors()).toBe(before)
    })
  },
)
