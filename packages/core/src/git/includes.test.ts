// Files that the configuration of a repository includes.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { tempFolder } from '../../test/temp-folder.ts'
import { outsideInclude } from './includes.ts'

let base: string
let tree: string

beforeEach(() => {
  base = tempFolder()
  tree = path.join(base, 'tree')
  mkdirSync(path.join(tree, '.git'), { recursive: true })
  writeFileSync(path.join(base, 'outside'), '')
})

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(base, file)), { recursive: true })
  writeFileSync(path.join(base, file), text)
}

describe('an include outside the repository', () => {
  it.each([
    ['', undefined],
    ['[include]\npath = ../own', undefined],
    ['[include]\npath = own', undefined],
    ['[include]\n\tpath = ../../outside', '../../outside'],
    ['[include]\n\tPATH="../../outside"  ', '../../outside'],
    ['[include] path = ../../outside', '../../outside'],
    ['  [includeIf "x"]\n  path = ../../outside', '../../outside'],
    ['[includes]\npath = ../../outside', '../../outside'],
    ['[other]\npath = ../../outside', undefined],
    ['[include]\n[other]\npath = ../../outside', undefined],
    ['[other]\n[include]\npath = ../../outside', '../../outside'],
    ['[include]\npath = ../own\npath = ../../outside', '../../outside'],
    ['[include]\npath = ~/x', '~/x'],
    ['[include]\npath = %(prefix)/x', '%(prefix)/x'],
    ['[include]\npath = a\\', 'a\\'],
    ['[include]\nxpath = ../../outside', undefined],
  ])('in %j is %j', (text, name) => {
    write('tree/.git/config', text)
    expect(outsideInclude(tree)).toBe(name)
  })

  it('may be named by an included file, through ten of them', () => {
    const chain = (length: number) => {
      write('tree/.git/config', '[include]\npath = ../1')
      for (let at = 1; at < length; at++) write(`tree/${at}`, `[include]\npath = ${at + 1}`)
      write(`tree/${length}`, '[include]\npath = ../outside')
      return outsideInclude(tree)
    }
    expect(chain(1)).toBe('../outside')
    expect(chain(10)).toBe('../outside')
    expect(chain(11)).toBeUndefined()
  })

  it('is a link that leads outside', () => {
    symlinkSync('../outside', path.join(tree, 'link'))
    write('tree/.git/config', '[include]\npath = ../link')
    expect(outsideInclude(tree)).toBe('../link')
  })

  it('may be in the configuration of one work tree', () => {
    write('tree/.git/config.worktree', '[include]\npath = ../../outside')
    expect(outsideInclude(tree)).toBe('../../outside')
  })

  it('is not a file of the repository that a work tree shares', () => {
    const work = path.join(base, 'work')
    write('work/.git', 'gitdir: ../tree/.git/worktrees/work\n')
    write('tree/.git/worktrees/work/commondir', '../..\n')
    write('tree/.git/config', '[include]\npath = shared')
    expect(outsideInclude(work)).toBeUndefined()
    write('tree/.git/worktrees/work/config.worktree', '[include]\npath = own')
    expect(outsideInclude(work)).toBeUndefined()
    write('tree/.git/config', '[include]\npath = ../x')
    expect(outsideInclude(work)).toBe('../x')
    write('tree/.git/config', '')
    write('tree/.git/worktrees/work/config.worktree', '[include]\npath = ../../../../outside')
    expect(outsideInclude(work)).toBe('../../../../outside')
  })
})
