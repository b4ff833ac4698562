// Files that the configuration of a repository includes.
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { tempFolder } from '../../test/temp-folder.ts'
import { refusedConfiguration } from './includes.ts'

let base: string
let tree: string

beforeEach(() => {
  base = tempFolder()
  tree = path.join(base, 'tree')
  mkdirSync(path.join(tree, '.git'), { recursive: true })
  writeFileSync(path.join(base, 'outside'), '')
})

const outsideInclude = (workTree: string): string | undefined =>
  /includes (.*), a file outside of it$/.exec(refusedConfiguration(workTree) ?? '')?.[1]

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
    ['\uFEFF[include]\npath = ../../outside', '../../outside'],
    ['[core][include]path = ../../outside', '../../outside'],
    ['[include]\nx = a\\\n[other]\npath = ../../outside', '../../outside'],
    ['[include] # \r[other]\npath = ../../outside', '../../outside'],
    ['[include] # \u2028[other]\npath = ../../outside', '../../outside'],
    ['[include]\npath = own # x', 'own # x'],
    ['[include]\npath = own ; x', 'own ; x'],
    ['[include]\npath = in\u2028/../../../outside', 'in /../../../outside'],
    ['[includeIf "onbranch:x]path=in"]path = ../../outside', 'in]path = ../../outside'],
    ['[include]\npath = own\ufffd', 'own\ufffd'],
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

  it('is found in a file that files include in a circle', () => {
    const circle = Array.from({ length: 30 }, () => 'path = a\npath = b\n').join('')
    for (const name of ['config', 'a', 'b']) write(`tree/.git/${name}`, `[include]\n${circle}`)
    expect(outsideInclude(tree)).toBeUndefined()
    write('tree/.git/b', `[include]\n${circle}path = ../../outside`)
    expect(outsideInclude(tree)).toBe('../../outside')
  })
})

describe('a configuration that is not read', () => {
  const config = () => path.join(tree, '.git/config')

  it('is a pipe', () => {
    execFileSync('mkfifo', [config()])
    expect(refusedConfiguration(tree)).toBe(`git cannot read ${config()}: it is not a regular file`)
  })

  it('is larger than 1 MiB, so that no include may follow', () => {
    write('tree/.git/config', `${' '.repeat(1 << 20)}\n[include]\npath = ../../outside`)
    expect(refusedConfiguration(tree)).toBe(`git cannot read ${config()}: it is larger than 1 MiB`)
  })

  it.each(['gitdir: ../x\0y', 'gitdir: '.padEnd(5000, 'x')])(
    'is at the strange place %j',
    (text) => {
      write('work/.git', text)
      expect(refusedConfiguration(path.join(base, 'work'))).toBeUndefined()
    },
  )
})
